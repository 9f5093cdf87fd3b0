import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { argumentsFor } from './program.ts'

/**
 * Starts a process that does the jobs of a folder.
 *
 * @param ahead of its clock, in milliseconds
 * @param mode as `job-process.ts` knows them
 */
export async function startJobs(t: Pick<TestContext, 'after'>, data: string, ahead: number, mode = 'whole') {
  const args = [...argumentsFor('test/support/job-process.ts'), data, String(ahead), mode]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await once(child.stdout, 'data')
  return { kill: () => child.kill('SIGKILL'), ended }
}
