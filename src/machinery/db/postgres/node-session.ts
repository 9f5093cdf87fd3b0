import { Session, type SessionOptions } from './session.ts'

/** How often a node looks for commits of others, in milliseconds. */
const FOREIGN_CHECK = 200

/** The lock that each server holds as long as it runs. Others may hold it too, and whoever wants it alone does not get it. */
const SERVED = '7472, 2'

/** Returns the statement that tells whether a server runs on the database. */
export const isServedStatement = `SELECT NOT pg_try_advisory_xact_lock(${SERVED}) AS served`

/** The session that a node keeps for itself: it shows that a server runs, and sees what others commit. */
export class NodeSession {
  readonly #session: Session
  readonly #onForeignCommit: () => void
  /** The write number of the newest commit that is no news. */
  #seen: number | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isClosed = false

  /** Makes the session, which connects when it is first used. @param isServer whether it holds the lock of servers */
  constructor(options: SessionOptions, isServer: boolean, onForeignCommit: () => void) {
    const { inspect } = options
    this.#session = new Session({
      ...options,
      inspect: async connection => {
        await inspect(connection)
        if (isServer) await connection.query(`SELECT pg_advisory_lock_shared(${SERVED})`)
      },
    })
    this.#onForeignCommit = onForeignCommit
  }

  /** Connects, and takes the lock of servers. @throws DatabaseUnavailable */
  async connect(): Promise<void> {
    await this.#session.get()
  }

  /** Begins to look for commits of others. */
  watch(): void {
    if (this.#looking !== undefined || this.#isClosed) return
    // While the server is away, there is nothing to see.
    this.#looking = this.#look().catch(() => undefined)
    this.#looking.finally(() => {
      this.#looking = undefined
      if (!this.#isClosed) this.#timer = setTimeout(() => this.watch(), FOREIGN_CHECK).unref()
    })
  }

  /** Notes the write number of a commit of this process, which is no news. */
  note(number: number): void {
    if (this.#seen !== undefined) this.#seen = Math.max(this.#seen, number)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.#session.close()
  }

  async #look(): Promise<void> {
    const connection = await this.#session.get()
    const { rows } = await connection.query<{ write_number: number }>('SELECT write_number FROM instance')
    const number = rows[0]?.write_number ?? 0
    const before = this.#seen ?? number
    this.#seen = Math.max(before, number)
    if (number > before) this.#onForeignCommit()
  }
}
