import { Session, type SessionOptions } from './session.ts'

/** How often a node looks for commits of others, in milliseconds. */
const FOREIGN_CHECK = 200

/** The lock that each server holds as long as it runs. Others may hold it too, and whoever wants it alone does not get it. */
const SERVED = '7472, 2'

/** Returns the statement that tells whether a server runs on the database. */
export const isServedStatement = `SELECT NOT pg_try_advisory_xact_lock(${SERVED}) AS served`

/** The session that a server keeps for itself: it shows that the server runs, and sees what others commit. */
export class NodeSession {
  readonly #session: Session
  readonly #onForeignCommit: () => void
  #seen = 0
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isClosed = false

  constructor(options: SessionOptions, onForeignCommit: () => void) {
    const { inspect } = options
    this.#session = new Session({
      ...options,
      inspect: async connection => {
        await inspect(connection)
        await connection.query(`SELECT pg_advisory_lock_shared(${SERVED})`)
      },
    })
    this.#onForeignCommit = onForeignCommit
  }

  /** Takes the lock and begins to look. @throws DatabaseUnavailable */
  async start(): Promise<void> {
    await this.#look()
    this.#next()
  }

  /** Notes the write number of a commit of this process, which is no news. */
  note(number: number): void {
    this.#seen = Math.max(this.#seen, number)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.#session.close()
  }

  #next(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      // While the server is away, there is nothing to see.
      this.#looking = this.#look()
        .catch(() => undefined)
        .finally(() => this.#next())
    }, FOREIGN_CHECK).unref()
  }

  async #look(): Promise<void> {
    const connection = await this.#session.get()
    const { rows } = await connection.query<{ write_number: number }>('SELECT write_number FROM instance')
    const number = rows[0]?.write_number ?? 0
    if (number <= this.#seen) return
    this.#seen = number
    this.#onForeignCommit()
  }
}
