import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import type { CheckOutcome, CheckState } from '#faces/dashboard/system/system-service.ts'
import type { DatabasePlace } from '#machinery/db/open.ts'

/** The most characters to keep of what the command prints. It reports at most a hundred faults of a kind. */
const MAX_PRINTED = 4 * 1024 * 1024
/** All other processes go first. */
const LOW_PRIORITY = 10

/** The bundle defines this constant. */
declare const TURNOUT_VERSION: string | undefined

export interface DatabaseCheckOptions {
  place: DatabasePlace
  clock: Clock
  log: Logger
}

/**
 * Runs `turnout check` beside the server, in a process of its own. The check reads the whole database, which would stop the event
 * loop for seconds. A process of its own can use another processor.
 */
export class DatabaseCheck {
  readonly #options: DatabaseCheckOptions
  #since: number | undefined
  #last: CheckOutcome | undefined
  #child: ChildProcess | undefined
  #stopped = false

  constructor(options: DatabaseCheckOptions) {
    this.#options = options
  }

  get state(): CheckState {
    return { since: this.#since, last: this.#last }
  }

  /** Starts a check. @returns false while one is under way */
  run(): boolean {
    if (this.#since !== undefined || this.#stopped) return false
    const { clock, log } = this.#options
    this.#since = clock()
    const began = performance.now()
    this.#check()
      .then(
        faults => {
          this.#last = { at: clock(), took: performance.now() - began, faults }
        },
        (error: Error) => {
          if (this.#stopped) return
          log.error({ err: error }, 'the database could not be checked')
          this.#last = { at: clock(), reason: error.message }
        },
      )
      .finally(() => {
        this.#since = undefined
        this.#child = undefined
      })
    return true
  }

  /** Ends the check that is under way. */
  stop(): void {
    this.#stopped = true
    this.#child?.kill()
  }

  /** Runs the command. @returns a sentence for each fault */
  async #check(): Promise<string[]> {
    const { data, databaseUrl } = this.#options.place
    const [command = '', ...args] = [...ownProgram(), 'check', '--data', data, '--json']
    // Everybody on the machine can read the arguments of a process, and an address has a password.
    const env =
      databaseUrl === undefined ? process.env : { ...process.env, TURNOUT_DATABASE_URL: databaseUrl }
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    this.#child = child
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (printed.out.length < MAX_PRINTED) printed.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (printed.err.length < MAX_PRINTED) printed.err += text
    })
    child.once('spawn', () => lower(child))
    await once(child, 'close')
    // The command also ends with 1 if it has found a fault.
    if (printed.out === '') throw new Error(printed.err.trim().replace(/^error: /, '') || 'It was ended.')
    return (JSON.parse(printed.out) as { errors: string[] }).errors
  }
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // The check goes on with its usual priority.
  }
}

/** Returns the command that starts this very program: as an executable, as a bundle, or from its sources. */
function ownProgram(): string[] {
  if (process.getBuiltinModule('node:sea').isSea()) return [process.execPath]
  if (typeof TURNOUT_VERSION === 'string') return [process.execPath, process.argv[1] ?? '']
  return [process.execPath, '--import', 'tsx', fileURLToPath(new URL('../main.ts', import.meta.url))]
}
