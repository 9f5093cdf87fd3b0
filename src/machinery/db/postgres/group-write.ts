import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#base/time.ts'
import { DatabaseClosed, DatabaseUnavailable } from '../port.ts'
import type { Connection } from './connection.ts'
import { runInTurn, runShared, type WriteEnd, type WriteWork } from './run-writes.ts'
import type { Session } from './session.ts'
import { WriteInstant } from './write-instant.ts'

/** The most writes of a group, each in a savepoint of its own. PostgreSQL keeps 64 of a transaction at hand. */
const MOST = 30
/** The most writes that run side by side. */
const MOST_SHARED = 128

interface QueuedWrite {
  work: WriteWork
  /** Each decision of the write is made by a statement, so it may run side by side with others of its kind. */
  isGuarded: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** The time at which the write stops waiting for the server, on the clock of `performance`. */
  deadline: number
}

export interface GroupWriteOptions {
  clock: Clock
  session: Session
  /** How long a write waits for a server that is away, in milliseconds. */
  patience: number
  /** Runs after each commit. @param number the write number of the commit */
  onCommit: (number: number) => void
  /** Receives how many writes were committed together. */
  onGroup?: ((writes: number) => void) | undefined
}

interface Begun {
  latest_write_at: number
  write_number: number
}

/**
 * Takes the lock that makes the writes of all nodes come one after another, and notes the number of the write as this writer's
 * newest. By that row its fate can be asked for later: a crash or a standby that takes over gives the id of a lost transaction to
 * another one, so PostgreSQL's own answer may be about that.
 */
const BEGIN = `WITH begun AS (
    UPDATE instance SET write_number = write_number + 1 WHERE id = 1 RETURNING latest_write_at, write_number
  ), noted AS (
    INSERT INTO turnout_commits (writer, write_number) SELECT $1, write_number FROM begun
    ON CONFLICT (writer) DO UPDATE SET write_number = excluded.write_number
  )
  SELECT latest_write_at, write_number FROM begun`

/** Returns the number of this writer's newest commit. It waits for a transaction that is under way. */
const NEWEST = `INSERT INTO turnout_commits (writer, write_number) VALUES ($1, 0)
  ON CONFLICT (writer) DO UPDATE SET write_number = turnout_commits.write_number
  RETURNING write_number`

/**
 * Commits writes in groups, each one transaction that holds the row of the instance. A write is answered once the commit is
 * durable. That includes a refusal, because it may reveal what another write of its group has done.
 */
export class GroupWrite {
  readonly #options: GroupWriteOptions
  /** Stands for this object in the database. */
  readonly #writer = randomUUID()
  #queue: QueuedWrite[] = []
  /** The number of writes whose transaction waits for the lock. */
  #beginning = 0
  #running: Promise<void> | undefined
  #group: Promise<void> | undefined
  #pause: Promise<unknown> | undefined
  #closed = false

  constructor(options: GroupWriteOptions) {
    this.#options = options
  }

  /** Queues a write. @throws DatabaseClosed */
  write<T>(work: WriteWork, isGuarded = false): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosed())
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.#options.patience
      this.#queue.push({ work, isGuarded, resolve: resolve as (result: unknown) => void, reject, deadline })
      this.#running ??= this.#run()
    })
  }

  /** The number of writes that wait for their transaction, of which some may wait for the lock. */
  get queued(): number {
    return this.#queue.length + this.#beginning
  }

  /** Runs `work` on the writing session between two transactions. */
  async pauseFor<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const turn = Promise.all([this.#pause, this.#group]).then(async () =>
      work(await this.#options.session.get()),
    )
    const paused = turn.catch(() => undefined)
    this.#pause = paused
    try {
      return await turn
    } finally {
      if (this.#pause === paused) this.#pause = undefined
    }
  }

  /** Waits for every write that came before. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#pause
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      // This turn reads all requests that have arrived, so their writes make one group.
      await nextTurn()
      while (this.#pause !== undefined) await this.#pause
      this.#group = this.#commitGroup(this.#takeGroup())
      await this.#group
      this.#group = undefined
    }
    this.#running = undefined
  }

  /** Takes writes of one kind, in the order in which they came. */
  #takeGroup(): QueuedWrite[] {
    const isGuarded = this.#queue[0]?.isGuarded ?? false
    const most = isGuarded ? MOST_SHARED : MOST
    const group: QueuedWrite[] = []
    const others: QueuedWrite[] = []
    for (const write of this.#queue) {
      const fits = write.isGuarded === isGuarded && group.length < most
      ;(fits ? group : others).push(write)
    }
    this.#queue = others
    return group
  }

  /** Commits a group. If its guarded writes stood in each other's way, each is committed alone. */
  async #commitGroup(group: QueuedWrite[]): Promise<void> {
    if (await this.#commit(group)) return
    for (const write of group) await this.#commit([write])
  }

  /** Commits writes in one transaction and answers them. @returns false if nothing was done and each has to run alone */
  async #commit(group: QueuedWrite[]): Promise<boolean> {
    let connection: Connection | undefined
    let ran: Ran | undefined
    this.#beginning = group.length
    try {
      connection = await this.#options.session.get()
      ran = await this.#runIn(connection, group)
      if (ran === undefined) {
        await connection.query('ROLLBACK')
        return false
      }
      const { command } = await connection.query('COMMIT')
      // A transaction that has failed answers a COMMIT with ROLLBACK.
      if (command !== 'COMMIT') throw new DatabaseUnavailable('PostgreSQL: the transaction is gone')
      this.#answer(group, ran)
    } catch (error) {
      this.#beginning = 0
      if (connection?.isBroken === true) await this.#goOnAfterLoss(group, ran, error)
      else {
        await connection?.query('ROLLBACK').catch(() => undefined)
        for (const { reject } of group) reject(error)
      }
    }
    return true
  }

  async #runIn(connection: Connection, group: readonly QueuedWrite[]): Promise<Ran | undefined> {
    const begun = await begin(connection, this.#writer)
    this.#beginning = 0
    const instant = new WriteInstant(this.#options.clock, begun.latest_write_at)
    const isShared = group.length > 1 && group.every(({ isGuarded }) => isGuarded)
    const works = group.map(({ work }) => work)
    const ends = await (isShared ? runShared : runInTurn)({ connection, instant, isShared }, works)
    return ends && { begun, ends }
  }

  #answer(group: readonly QueuedWrite[], { begun, ends }: Ran): void {
    this.#options.onCommit(begun.write_number)
    this.#options.onGroup?.(group.length)
    for (const [at, { resolve, reject }] of group.entries()) {
      const end = ends[at] as WriteEnd
      if (end.isFailed) reject(end.error)
      else resolve(end.result)
    }
  }

  /**
   * Goes on after the session was lost. Without a commit nothing was done, so the writes queue up again. If the answer to the
   * commit was lost, the database knows how it ended.
   *
   * @param ran is undefined if no commit was asked for
   */
  async #goOnAfterLoss(group: readonly QueuedWrite[], ran: Ran | undefined, error: unknown): Promise<void> {
    if (ran !== undefined) {
      const newest = await this.#findNewest().catch(() => undefined)
      if (newest === ran.begun.write_number) return this.#answer(group, ran)
      if (newest === undefined) {
        for (const { reject } of group) reject(error)
        return
      }
    }
    const now = performance.now()
    const waiting = group.filter(({ deadline, reject }) => {
      if (deadline < now) reject(error)
      return deadline >= now
    })
    this.#queue.unshift(...waiting)
  }

  async #findNewest(): Promise<number | undefined> {
    const connection = await this.#options.session.get()
    const { rows } = await connection.query<Pick<Begun, 'write_number'>>(NEWEST, [this.#writer])
    return rows[0]?.write_number
  }
}

/** A group that ran and is to be committed. */
interface Ran {
  begun: Begun
  ends: WriteEnd[]
}

async function begin(connection: Connection, writer: string): Promise<Begun> {
  const begun = connection.query('BEGIN')
  const [, { rows }] = await Promise.all([begun, connection.query<Begun>(BEGIN, [writer])])
  if (rows[0] === undefined) throw new DatabaseUnavailable('PostgreSQL: the row of the instance is missing')
  return rows[0]
}
