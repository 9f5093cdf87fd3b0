import type { Leader, ServerOptions } from '../engine.ts'
import type { Connection } from './connection.ts'
import { Session, type SessionOptions } from './session.ts'

/** How often a node looks for commits of others, in milliseconds. */
const FOREIGN_CHECK = 200

/**
 * After this time without a look, the server takes the session of a node for dead and gives its locks to others, in milliseconds. A
 * machine that stands still would lead for ever.
 */
const SILENT = 10_000

/** The lock that each server holds as long as it runs. Others may hold it too, and whoever wants it alone does not get it. */
const SERVED = '7472, 2'

/** The lock of the server that does what only one does. */
const LEADER = '7472, 3'

/** The statement that tells whether a server runs on the database. */
export const isServedStatement = `SELECT NOT pg_try_advisory_xact_lock(${SERVED}) AS served`

/** The statement that counts the servers that run on the database. */
const SERVERS = `SELECT count(*) AS servers FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 7472 AND l.objid = 2
    AND l.mode = 'ShareLock' AND l.granted`

interface Seen {
  write_number: number
  /** The database's clock, in milliseconds. */
  now: number
}

const LOOK = `SELECT write_number, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now FROM instance`

export interface NodeOptions {
  /** Whether the session holds the lock of servers. */
  isServer: boolean
  follow: ServerOptions['follow']
  onForeignCommit: () => void
}

/** The session that a node keeps for itself: it shows that a server runs, and sees what others commit. */
export class NodeSession {
  readonly #session: Session
  readonly #options: NodeOptions
  /** The write number of the newest commit that is no news. */
  #seen: number | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isClosed = false
  #leader: Leader | undefined
  /** The connection that has the lock of the leader. */
  #leads: Connection | undefined

  /** Makes the session, which connects when it is first used. */
  constructor(session: SessionOptions, options: NodeOptions) {
    this.#options = options
    this.#session = new Session({
      ...session,
      inspect: async connection => {
        await session.inspect(connection)
        if (!options.isServer) return
        await connection.query(`SET idle_session_timeout = ${SILENT}`)
        await connection.query(`SELECT pg_advisory_lock_shared(${SERVED})`)
      },
    })
  }

  /** Connects, and takes the lock of servers. @throws DatabaseUnavailable */
  async connect(): Promise<void> {
    await this.#session.get()
  }

  /** Returns whether other servers run on the database. @throws DatabaseUnavailable */
  async hasOthers(): Promise<boolean> {
    const connection = await this.#session.get()
    const { rows } = await connection.query<{ servers: number }>(SERVERS)
    return (rows[0]?.servers ?? 0) > 1
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

  /** Has the work begin when this session gets the lock of the leader, and end when the session is lost. */
  lead(leader: Leader): void {
    this.#leader = leader
    this.watch()
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
    if (this.#leads?.isBroken === true) {
      this.#leads = undefined
      await this.#leader?.end()
    }
    const connection = await this.#session.get()
    if (this.#leader !== undefined && this.#leads === undefined) {
      const { rows } = await connection.query<{ leads: number }>(
        `SELECT pg_try_advisory_lock(${LEADER}) AS leads`,
      )
      if (rows[0]?.leads === 1 && !this.#isClosed) {
        this.#leads = connection
        this.#leader.begin()
      }
    }
    const onInstant = this.#options.follow?.ask()
    const { rows } = await connection.query<Seen>(LOOK)
    const { write_number: number = 0, now = 0 } = rows[0] ?? {}
    onInstant?.(now)
    const before = this.#seen ?? number
    this.#seen = Math.max(before, number)
    if (number > before) this.#options.onForeignCommit()
  }
}
