import type { Logger } from 'pino'
import { Problem } from '#base/problem.ts'
import type { Clock } from '#base/time.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { doBatch } from './batch.ts'
import * as rules from './rules.ts'
import { type JobKind, LeaseLost } from './rules.ts'
import { fail } from './run-here.ts'

/** A server without a job waits at least this long between two looks for one, in milliseconds. */
const LOOK_EVERY = 200
/** How long a server waits if the database is busy or full, in milliseconds. */
const UNAVAILABLE = 1_000

export interface JobRunnerOptions {
  db: Database
  clock: Clock
  log: Logger
  kinds: readonly JobKind[]
  /** The only kind that this server does. It leaves all others to the servers that do them. */
  onlyKind?: string
}

interface OwnLease {
  id: string
  lease: number
}

/**
 * Does the jobs of all accounts. The accounts take turns, a batch each, and the jobs of one account run in their order. Batches
 * are writes like any other, so other writes have their turn between two of them.
 */
export class JobRunner {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #onlyKind: string | undefined
  /** The key is the id of the account. */
  readonly #ownLeases = new Map<string, OwnLease>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  /** The id of the account whose turn it was last. */
  #last = ''
  /** Whether somebody may have started a job since the last look. */
  #isWoken = false
  #endIdling: () => void = () => undefined
  #endRest: () => void = () => undefined
  /** Each resolves a caller that waits until there is nothing to do. */
  #settling: (() => void)[] = []

  constructor({ db, clock, log, kinds, onlyKind }: JobRunnerOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#onlyKind = onlyKind
    this.#kinds = new Map(kinds.map(kind => [kind.name, kind]))
  }

  /** Starts to look for jobs, after every commit and whenever it is woken. */
  start(): void {
    this.#db.onCommit(() => this.wake())
    this.#running ??= this.#run()
  }

  /** Makes an idle runner look for jobs. */
  wake(): void {
    this.#isWoken = true
    this.#endIdling()
  }

  /** Waits until there is no job left that this server could do. */
  async settled(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await new Promise<void>(resolve => {
      this.#settling.push(resolve)
      this.#endRest()
      this.wake()
    })
  }

  /** Finishes the batch under way, and leaves the rest to any other server. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#endIdling()
    this.#endRest()
    await this.#running
    for (const [accountId, { id, lease }] of this.#ownLeases) {
      const released = this.#db.write(accountId, tx => rules.release(tx, id, lease))
      await released.catch(error => this.#log.warn({ err: error, job_id: id }, 'a job waits for its lease'))
    }
    this.#ownLeases.clear()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const lookedAt = performance.now()
      // A caller that comes during this look waits for the next one.
      const settling = this.#settling.length
      this.#isWoken = false
      let rest = UNAVAILABLE
      try {
        const next = await this.#next()
        if (next === undefined) {
          for (const tell of this.#settling.splice(0, settling)) tell()
          await this.#idle()
          rest = Math.max(0, lookedAt + LOOK_EVERY - performance.now())
        } else rest = await this.#do(next.accountId, next.id)
      } catch (error) {
        this.#log.warn({ err: error }, 'the jobs wait for the database')
      }
      await this.#rest(rest)
    }
    for (const tell of this.#settling.splice(0)) tell()
  }

  async #idle(): Promise<void> {
    if (this.#isWoken || this.#stopping.signal.aborted) return
    await new Promise<void>(resolve => {
      this.#endIdling = resolve
    })
  }

  /** Rests, so that other writes have their turn. It rests only for a moment while somebody waits for all jobs to end. */
  async #rest(milliseconds: number): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await new Promise<void>(resolve => {
      const isAwaited = this.#settling.length > 0
      const timer = setTimeout(resolve, isAwaited ? 1 : milliseconds)
      // A process that ends does not wait for the next look, unless somebody awaits it.
      if (!isAwaited) timer.unref()
      this.#endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Returns a job of the account whose turn it is: the job that this server has, or the oldest free one. */
  async #next(): Promise<{ accountId: string; id: string } | undefined> {
    for (const after of new Set([this.#last, ''])) {
      const free = await this.#db.read(INSTANCE, tx =>
        rules.findFree(tx, after, this.#clock(), this.#onlyKind),
      )
      const accountId = [...this.#ownLeases.keys(), ...(free === undefined ? [] : [free.accountId])]
        .filter(id => id > after)
        .sort()[0]
      if (accountId === undefined) continue
      this.#last = accountId
      return { accountId, id: this.#ownLeases.get(accountId)?.id ?? (free?.id as string) }
    }
    return undefined
  }

  /**
   * Does a batch.
   *
   * @returns how long to rest, in milliseconds. It rests as long as the batch took, so that others have half of the time
   */
  async #do(accountId: string, id: string): Promise<number> {
    const ownLease = this.#ownLeases.get(accountId)?.lease ?? null
    let took = 0
    try {
      const lease = await this.#db.write(accountId, async tx => {
        const began = performance.now()
        const lease = await doBatch(tx, { id, ownLease }, kind => this.#kindOf(kind))
        took = performance.now() - began
        return lease
      })
      if (lease === undefined) this.#ownLeases.delete(accountId)
      else this.#ownLeases.set(accountId, { id, lease })
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      this.#ownLeases.delete(accountId)
      if (!(error instanceof LeaseLost)) await this.#fail(accountId, id, ownLease, error)
    }
    return Math.max(1, took)
  }

  #kindOf(name: string): JobKind {
    const kind = this.#kinds.get(name)
    if (kind === undefined) throw new Error(`There is no kind of job ${name}.`)
    return kind
  }

  async #fail(accountId: string, id: string, ownLease: number | null, error: unknown): Promise<void> {
    if (!(error instanceof Problem)) this.#log.error({ err: error, job_id: id }, 'a job has failed')
    await fail(this.#db, accountId, { id, ownLease }, error)
  }
}
