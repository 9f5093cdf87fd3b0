import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Database, DatabaseUnavailable } from '../db/port.ts'
import { Problem } from '../problem.ts'
import type { Clock } from '../time.ts'
import { doBatch } from './batch.ts'
import * as rules from './rules.ts'
import { type JobKind, LeaseLost } from './rules.ts'
import { fail } from './run-here.ts'

/** How often an idle server looks for jobs, in milliseconds. */
const LOOK_EVERY = 200
/** How long it waits for a database that is busy or full, in milliseconds. */
const UNAVAILABLE = 1_000

export interface JobRunnerOptions {
  db: Database
  clock: Clock
  log: Logger
  kinds: readonly JobKind[]
}

interface Held {
  id: string
  lease: number
}

/**
 * Does the jobs of all accounts, a batch of each account in turn, and of one account its jobs in their order. Batches are
 * writes as any other: between two of them those of everybody else have their turn.
 */
export class JobRunner {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #kinds: ReadonlyMap<string, JobKind>
  /** By account. */
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  /** The account that had its turn. */
  #last = ''

  constructor({ db, clock, log, kinds }: JobRunnerOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#kinds = new Map(kinds.map(kind => [kind.name, kind]))
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends the batch under way, and leaves the rest to any other server. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    for (const [accountId, { id, lease }] of this.#held) {
      const released = this.#db.write(accountId, tx => rules.release(tx, accountId, id, lease))
      await released.catch(error => this.#log.warn({ err: error, job_id: id }, 'a job waits for its lease'))
    }
    this.#held.clear()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      let rest = LOOK_EVERY
      try {
        const next = await this.#next()
        if (next !== undefined) rest = await this.#do(next.accountId, next.id)
      } catch (error) {
        this.#log.warn({ err: error }, 'the jobs wait for the database')
        rest = UNAVAILABLE
      }
      await pause(rest, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  /** A job of the account whose turn it is: the one that this server is at, or the oldest that is free. */
  async #next(): Promise<{ accountId: string; id: string } | undefined> {
    for (const after of new Set([this.#last, ''])) {
      const free = await this.#db.read(tx => rules.findFree(tx, after, this.#clock()))
      const accountId = [...this.#held.keys(), ...(free === undefined ? [] : [free.accountId])]
        .filter(id => id > after)
        .sort()[0]
      if (accountId === undefined) continue
      this.#last = accountId
      return { accountId, id: this.#held.get(accountId)?.id ?? (free?.id as string) }
    }
    return undefined
  }

  /** Does a batch. @returns how long to rest, in milliseconds: as long as it took, so that others have half of the time */
  async #do(accountId: string, id: string): Promise<number> {
    const held = this.#held.get(accountId)?.lease ?? null
    let took = 0
    try {
      const lease = await this.#db.write(accountId, async tx => {
        const began = performance.now()
        const lease = await doBatch(tx, accountId, { id, held }, kind => this.#kindOf(kind))
        took = performance.now() - began
        return lease
      })
      if (lease === undefined) this.#held.delete(accountId)
      else this.#held.set(accountId, { id, lease })
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      this.#held.delete(accountId)
      if (!(error instanceof LeaseLost)) await this.#fail(accountId, id, held, error)
    }
    return Math.max(1, took)
  }

  #kindOf(name: string): JobKind {
    const kind = this.#kinds.get(name)
    if (kind === undefined) throw new Error(`There is no kind of job ${name}.`)
    return kind
  }

  async #fail(accountId: string, id: string, held: number | null, error: unknown): Promise<void> {
    if (!(error instanceof Problem)) this.#log.error({ err: error, job_id: id }, 'a job has failed')
    await fail(this.#db, accountId, { id, held }, error)
  }
}
