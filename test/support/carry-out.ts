import { run } from '#faces/cli/program.ts'
import type { Terminal } from '#faces/cli/terminal.ts'
import { engineEnv } from './engine.ts'

/** Carries out a command line in this process, on the engine of the tests. @returns its exit code */
export async function carryOut(argv: string[], terminal: Terminal): Promise<number> {
  const added = engineEnv(argv)
  Object.assign(process.env, added)
  try {
    return await run(argv, terminal)
  } finally {
    for (const name of Object.keys(added)) delete process.env[name]
  }
}
