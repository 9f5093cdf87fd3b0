import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import type { Filled } from './fill.ts'
import { type Memory, memoryOf } from './memory.ts'

/** The floors write the same tables, but for that of the packages. */
export const FLOORS = ['bare', 'naive', 'packages', 'postgres'] as const

/** Those that a run measures if nobody names others. Turnout on PostgreSQL is no floor, but is held against Turnout like one. */
export const USUAL_FLOORS = ['bare', 'naive', 'packages'] as const

export type Floor = (typeof FLOORS)[number]
export type Name = 'turnout' | Floor

/** The unit in which Linux counts processor time, in milliseconds. */
const TICK = 10

const serve = (data: string) => [
  ...['dist/turnout.cjs', 'serve', '--data', data, '--port', '0', '--allow-insecure-webhooks'],
]

const SCRIPTS: Record<Name, (data: string) => string[]> = {
  turnout: serve,
  postgres: serve,
  bare: data => ['dist/bench/floor.cjs', 'bare', data],
  naive: data => ['dist/bench/floor.cjs', 'naive', data],
  packages: data => ['dist/bench/floor-packages.cjs', data],
}

/** Runs one of the measured servers in a process of its own, on its own copy of the filled database. */
export class Contestant {
  readonly name: Name
  readonly filled: Filled
  readonly #log: string
  readonly #flags: readonly string[]
  readonly #postgres: { url: string; pid: number } | undefined
  readonly #under: readonly string[]
  #child: ChildProcess | undefined
  #codes = 0
  #loads = 0
  port = 0

  /**
   * @param folder where its copy, and what it logs, are kept
   * @param flags of the server, beside the usual ones
   * @param under the command that starts it, with limits of its own
   */
  constructor(
    name: Name,
    filled: Filled,
    folder: string,
    flags: readonly string[] = [],
    postgres?: { url: string; pid: number },
    under: readonly string[] = [],
  ) {
    this.#postgres = postgres
    this.#under = under
    this.name = name
    this.#flags = flags
    const data = join(folder, name)
    this.#log = join(folder, `${name}.log`)
    cpSync(filled.data, data, { recursive: true })
    this.filled = { ...filled, data }
  }

  /** @returns the milliseconds from the start of the process to its first answer */
  async start(): Promise<number> {
    const started = performance.now()
    // The log goes where a service manager would send it: to a file.
    const child = spawn(
      '/bin/sh',
      [
        ...['-c', `exec "$@" 2>>'${this.#log}'`, 'sh', ...this.#under, process.execPath],
        // The unit of systemd starts the program with this.
        '--max-semi-space-size=16',
        ...SCRIPTS[this.name](this.filled.data),
        ...this.#flags,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          ...(this.#postgres === undefined ? {} : { TURNOUT_DATABASE_URL: this.#postgres.url }),
        },
      },
    )
    this.#child = child
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text
      const port = /^listening on http:\/\/[^:]+:(\d+)\//m.exec(output)?.[1]
      if (port === undefined) continue
      this.port = Number(port)
      break
    }
    if (this.port === 0) throw new Error(`${this.name} did not start; see ${this.#log}.`)
    const [id] = this.filled.someIds
    const answer = await fetch(`http://127.0.0.1:${this.port}/v1/registrations/${id}`, {
      headers: { authorization: `Bearer ${this.filled.key}` },
    })
    if (answer.status !== 200) throw new Error(`${this.name} answered ${answer.status}.`)
    const took = performance.now() - started
    await answer.arrayBuffer()
    return took
  }

  get pid(): number {
    return this.#child?.pid as number
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const closed = once(child, 'exit')
    child.kill('SIGTERM')
    await closed
    this.#child = undefined
    this.port = 0
  }

  /** Returns how many tickets have not been checked in here. */
  get codesLeft(): number {
    return this.filled.codes.length - this.#codes
  }

  /** Returns codes of tickets that have not been checked in here. */
  takeCodes(count: number): string[] {
    if (count > this.codesLeft) throw new Error('The tickets have run out: give a larger --size.')
    const codes = this.filled.codes.slice(this.#codes, this.#codes + count)
    this.#codes += codes.length
    return codes
  }

  /** Starts the idempotency keys of a load. */
  nextLoad(): string {
    this.#loads++
    return `load-${this.#loads}`
  }

  /** Returns the resident memory, now and at its highest since the last reset, in MiB. */
  memory(): Memory {
    return memoryOf(this.pid)
  }

  /** Returns the processor time of all threads of the process, and of its PostgreSQL, in milliseconds. */
  processorTime(): number {
    return this.#timeOf('') + (this.#postgres === undefined ? 0 : timeOfFamily(this.#postgres.pid))
  }

  /** Returns the processor time of the main thread alone, where the requests of everybody stand in one line. */
  mainThreadTime(): number {
    return this.#timeOf(`task/${this.#child?.pid}/`)
  }

  #timeOf(task: string): number {
    const [user, system] = fieldsOf(`${this.#child?.pid}/${task}`.replace(/\/$/, '')).slice(11)
    return (Number(user) + Number(system)) * TICK
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#child?.pid}/clear_refs`, '5')
  }

  get databasePath(): string {
    return databasePath(this.filled.data)
  }
}

function fieldsOf(process: string): string[] {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the processor time of a process, of its children, and of those that have ended, in milliseconds. */
function timeOfFamily(pid: number): number {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const times = all.map(each => {
    try {
      const fields = fieldsOf(each)
      const isParent = Number(each) === pid
      if (!isParent && Number(fields[1]) !== pid) return 0
      const own = Number(fields[11]) + Number(fields[12])
      return (isParent ? own + Number(fields[13]) + Number(fields[14]) : own) * TICK
    } catch {
      // It has ended.
      return 0
    }
  })
  return times.reduce((sum, time) => sum + time, 0)
}
