import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#base/time.ts'
import { ownedBy } from '../account-transaction.ts'
import { DatabaseClosed, type InstanceReadTx, type Owner, type ReadTxOf } from '../port.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'
import { PostgresTransaction } from './transaction.ts'
import { WriteInstant } from './write-instant.ts'

/** The most reads of a group. A large page would hold up more of them. */
const MOST = 64

interface QueuedRead {
  work: (tx: InstanceReadTx) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** The time at which the read stops waiting for the server, on the clock of `performance`. */
  deadline: number
  /** True if it stood with others whose snapshot was lost, and runs alone now. */
  isAlone?: boolean
}

/**
 * Reads in groups on a few sessions. Reads that queued up share one snapshot, which begins after all of them were asked for, and
 * their statements leave together.
 */
export class GroupRead {
  readonly #free: Session[]
  readonly #clock: Clock
  readonly #patience: number
  readonly #ahead: QueuedRead[] = []
  readonly #queue: QueuedRead[] = []
  readonly #reading = new Set<Promise<void>>()
  #waking: Promise<void> | undefined
  #closed = false

  /** Makes the groups. @param patience how long a read waits for a server that is away, in milliseconds */
  constructor(sessions: readonly Session[], clock: Clock, patience: number) {
    this.#free = [...sessions]
    this.#clock = clock
    this.#patience = patience
  }

  /** Queues a read. @throws DatabaseClosed */
  read<O extends Owner, T>(
    owner: O,
    work: (tx: ReadTxOf<O>) => Promise<T>,
    { ahead = false } = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosed())
    return new Promise((resolve, reject) => {
      const queue = ahead ? this.#ahead : this.#queue
      queue.push({
        work: tx => work(ownedBy(owner, tx) as ReadTxOf<O>),
        resolve: resolve as (result: unknown) => void,
        reject,
        deadline: performance.now() + this.#patience,
      })
      this.#wake()
    })
  }

  /** Waits for every read that came before. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#waking !== undefined || this.#reading.size > 0) {
      await Promise.all([this.#waking, ...this.#reading])
    }
  }

  /** Begins a group on a free session, with everything that this turn asks for. */
  #wake(): void {
    if (this.#waking !== undefined || this.#free.length === 0) return
    this.#waking = nextTurn().then(() => {
      this.#waking = undefined
      const session = this.#free.pop()
      const group = this.#takeGroup()
      if (session === undefined) return
      const reading = this.#readGroup(session, group).finally(() => {
        this.#reading.delete(reading)
        this.#free.push(session)
        if (this.#ahead.length + this.#queue.length > 0) this.#wake()
      })
      this.#reading.add(reading)
      if (this.#ahead.length + this.#queue.length > 0) this.#wake()
    })
  }

  #takeGroup(): QueuedRead[] {
    const first = this.#ahead[0] ?? this.#queue[0]
    if (first?.isAlone) return [(this.#ahead.length > 0 ? this.#ahead : this.#queue).shift() as QueuedRead]
    const group: QueuedRead[] = []
    for (const queue of [this.#ahead, this.#queue]) {
      while (queue.length > 0 && group.length < MOST && queue[0]?.isAlone !== true) {
        group.push(queue.shift() as QueuedRead)
      }
    }
    return group
  }

  async #readGroup(session: Session, group: readonly QueuedRead[]): Promise<void> {
    let connection: Connection
    try {
      connection = await session.get()
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    const instant = new WriteInstant(this.#clock, 0)
    const begun = connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    begun.catch(() => undefined)
    const ends = await Promise.all(
      group.map(({ work }) => PostgresTransaction.run({ connection, instant, isShared: true }, work)),
    )
    // Answers come only now. Whoever has an answer must not meet a snapshot of this process that is still open.
    await connection.query('COMMIT').catch(() => undefined)
    const isLost = ends.some(({ isFailed, hasTouched }) => isFailed && hasTouched)
    const now = performance.now()
    for (const [at, read] of group.entries()) {
      const end = ends[at]
      if (end === undefined) continue
      if (!end.isFailed) read.resolve(end.result)
      // One failed statement ends the snapshot for all that come after it. A network that was silent has taken the time already.
      else if (isLost && read.isAlone !== true && !(connection.isBroken && read.deadline < now))
        this.#queue.push({ ...read, isAlone: true })
      else read.reject(end.error)
    }
  }
}
