import type SqliteConnection from 'better-sqlite3'
import type { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'

/** How long a group takes in more writes, in milliseconds: as in the program. */
const GROUP_TIME = 10

/** Carries a write out, and gives its result when it is durable. */
export interface Commits {
  write<T>(work: (takeInstant: () => number) => T): Promise<T>
}

interface QueuedWrite {
  work: (takeInstant: () => number) => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** The group commit of the program, and nothing around it. */
export class GroupedCommits implements Commits {
  readonly #sqlite: SqliteConnection.Database
  readonly #log: WriteAheadLog
  readonly #takeInstant: SqliteConnection.Statement
  readonly #onCommit: () => void
  readonly #begin: SqliteConnection.Statement
  readonly #commit: SqliteConnection.Statement
  readonly #savepoint: SqliteConnection.Statement
  readonly #release: SqliteConnection.Statement
  #queue: QueuedWrite[] = []
  #unsynced: (() => void)[] = []
  #waiting = false
  #syncing = false
  #pause: Promise<void> | undefined

  constructor(
    sqlite: SqliteConnection.Database,
    takeInstant: string,
    log: WriteAheadLog,
    onCommit: () => void,
  ) {
    this.#sqlite = sqlite
    this.#log = log
    this.#takeInstant = sqlite.prepare(takeInstant).pluck()
    this.#onCommit = onCommit
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE')
    this.#commit = sqlite.prepare('COMMIT')
    this.#savepoint = sqlite.prepare('SAVEPOINT write')
    this.#release = sqlite.prepare('RELEASE write')
  }

  write<T>(work: (takeInstant: () => number) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject })
      this.#wait()
    })
  }

  async pauseFor(work: () => Promise<void>): Promise<void> {
    while (this.#pause !== undefined) await this.#pause
    this.#pause = work().finally(() => {
      this.#pause = undefined
      this.#wait()
    })
    await this.#pause
  }

  #wait(): void {
    if (this.#waiting || this.#pause !== undefined || this.#queue.length === 0) return
    this.#waiting = true
    setImmediate(() => {
      this.#waiting = false
      if (this.#pause === undefined) this.#commitGroup()
      this.#wait()
    })
  }

  #commitGroup(): void {
    let instant: number | undefined
    const takeInstant = () => {
      instant ??= this.#takeInstant.get({ 1: Date.now() }) as number
      return instant
    }
    const until = performance.now() + GROUP_TIME
    this.#begin.run()
    let taken = 0
    for (const { work, resolve, reject } of this.#queue) {
      taken++
      this.#savepoint.run()
      try {
        const result = work(takeInstant)
        this.#unsynced.push(() => resolve(result))
      } catch (error) {
        this.#sqlite.exec('ROLLBACK TO write')
        instant = undefined
        this.#unsynced.push(() => reject(error))
      }
      this.#release.run()
      if (performance.now() >= until) break
    }
    this.#queue = this.#queue.slice(taken)
    this.#commit.run()
    if (!this.#syncing) void this.#sync()
    this.#onCommit()
  }

  async #sync(): Promise<void> {
    this.#syncing = true
    while (this.#unsynced.length > 0) {
      const covered = this.#unsynced
      this.#unsynced = []
      await this.#log.sync()
      for (const end of covered) end()
    }
    this.#syncing = false
  }
}

/** A commit a request, which waits for the disk while the event loop stands still. */
export class SingleCommits implements Commits {
  readonly #transaction: SqliteConnection.Transaction<
    (work: (takeInstant: () => number) => unknown) => unknown
  >

  constructor(sqlite: SqliteConnection.Database, takeInstant: string) {
    const statement = sqlite.prepare(takeInstant).pluck()
    this.#transaction = sqlite.transaction(work => {
      let instant: number | undefined
      return work(() => {
        instant ??= statement.get({ 1: Date.now() }) as number
        return instant
      })
    })
  }

  async write<T>(work: (takeInstant: () => number) => T): Promise<T> {
    return this.#transaction.immediate(work) as T
  }
}
