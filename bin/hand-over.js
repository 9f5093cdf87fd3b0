import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { arch, platform } = process
const { resolve } = createRequire(import.meta.url)
/** A terminal sends these signals to all processes of a group, and not to one. */
const OF_TERMINAL = ['SIGINT', 'SIGQUIT']
const FORWARDED =
  platform === 'win32'
    ? ['SIGINT', 'SIGBREAK', 'SIGHUP']
    : [...OF_TERMINAL, 'SIGHUP', 'SIGTERM', 'SIGCONT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH']

/**
 * Finds the Node that npm has installed for working on Turnout: see build/node/package.json.
 *
 * @param {(version: string) => boolean} fits
 * @returns {string | undefined} its path
 */
export function findNode(fits = () => true) {
  const system = platform === 'win32' ? 'win' : platform
  for (const name of [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]) {
    try {
      const description = resolve(`${name}/package.json`)
      const { bin, version } = JSON.parse(readFileSync(description, 'utf8'))
      if (fits(version)) return join(dirname(description), bin.node)
    } catch {
      // The package is not installed.
    }
  }
  return undefined
}

/**
 * Goes on as another program: standard streams, signals and exit status are its own.
 *
 * @param {string} program its path
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, onFailure: (error: Error) => void }} options `onFailure` where it cannot be started
 */
export function handOver(program, args, { env = process.env, onFailure }) {
  if (process.execve !== undefined && platform !== 'win32') process.execve(program, [program, ...args], env)
  let child
  // The handlers are there before the program is, so that no signal ends this process alone.
  for (const signal of FORWARDED) process.on(signal, () => forward(child, signal))
  if (platform !== 'win32') {
    process.on('SIGTSTP', () => {
      forward(child, 'SIGSTOP')
      process.kill(process.pid, 'SIGSTOP')
    })
  }
  // The program runs in a group of its own. Otherwise it would get each signal of the terminal twice, and a second one means
  // another thing.
  child = spawn(program, args, { stdio: 'inherit', env, detached: platform !== 'win32' })
  child.on('error', onFailure)
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function forward(child, signal) {
  if (child?.pid === undefined) return
  try {
    const isOfGroup = OF_TERMINAL.includes(signal) && platform !== 'win32'
    process.kill(isOfGroup ? -child.pid : child.pid, signal)
  } catch {
    // The process may have ended meanwhile.
  }
}
