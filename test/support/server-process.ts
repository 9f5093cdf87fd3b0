import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { engineEnv } from './engine.ts'
import { argumentsFor, type Program } from './program.ts'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ServerProcess {
  url: string
  pid: number
  /** Sends a signal, and does not wait for its effect. */
  kill(signal: NodeJS.Signals): void
  /** Resolves with how the process ended. */
  ended: Promise<Ended>
}

/** Runs one command of the command line, in a process of its own. */
export function runCommand(t: Pick<TestContext, 'after'>, ...args: string[]): Promise<Ended> {
  return start(t, args).ended
}

/** Starts one, and does not wait for it. */
export function startCommand(t: Pick<TestContext, 'after'>, ...args: string[]): Omit<ServerProcess, 'url'> {
  const { child, ended } = start(t, args)
  return { pid: child.pid as number, ended, kill: signal => child.kill(signal) }
}

/** Does the same in other surroundings. */
export function runCommandIn(
  t: Pick<TestContext, 'after'>,
  surroundings: Surroundings,
  ...args: string[]
): Promise<Ended> {
  return start(t, args, surroundings).ended
}

export interface Surroundings {
  /** The flags of `serve` beside the usual ones. */
  flags?: string[]
  /** Variables of the environment beside those of this process. */
  env?: Record<string, string>
  /** Modules that are loaded before the program. */
  imports?: readonly Program[]
  /** The file that is started instead of the sources, and its first arguments. */
  command?: readonly string[]
  cwd?: string
  /** Leaves out the environment of this process. */
  bare?: boolean
}

/** Starts `turnout serve` on a data folder, in a process of its own and on a free port, and waits until it listens. */
export function startServerProcess(
  t: Pick<TestContext, 'after'>,
  data: string,
  surroundings: Surroundings = {},
): Promise<ServerProcess> {
  const common = ['serve', '--data', data, '--port', '0', '--log-level', 'error']
  return startListening(t, surroundings, ...common, ...(surroundings.flags ?? []))
}

/** Starts any command that listens, and waits until it does. */
export async function startListening(
  t: Pick<TestContext, 'after'>,
  surroundings: Surroundings,
  ...args: string[]
): Promise<ServerProcess> {
  const { child, ended } = start(t, args, surroundings)
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', text => {
      output += text
      const found = /^listening on (\S+)\n/m.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    ended.then(
      end => reject(new Error(`The server ended before it listened: ${JSON.stringify(end)}`)),
      reject,
    )
  })
  return { url, pid: child.pid as number, ended, kill: signal => child.kill(signal) }
}

function start(
  t: Pick<TestContext, 'after'>,
  args: string[],
  { env = {}, imports = [], command, cwd, bare = false }: Surroundings = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const own = Object.entries(bare ? {} : process.env).filter(([name]) => !name.startsWith('TURNOUT_'))
  const [file, ...first] = command ?? [process.execPath, ...argumentsFor('src/main.ts', imports)]
  const child = spawn(file as string, [...first, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...Object.fromEntries(own), ...engineEnv(args), ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}
