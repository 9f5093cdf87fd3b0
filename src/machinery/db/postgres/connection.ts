import type { Client, ClientConfig, QueryResult } from 'pg'
import { DatabaseUnavailable, type Value } from '../port.ts'
import { explainStatement } from './faults.ts'

/** What the sessions of a server or of a command wait for, in milliseconds. */
export interface SessionLimits {
  /** How long a statement waits for a lock. */
  lock: number
  /** How long an answer may stay away before the connection counts as lost. 0 is no limit. */
  answer: number
}

/** How long a connection may take to be made, in milliseconds. */
const CONNECT_TIMEOUT = 5_000
/** How long the server keeps a transaction whose client says nothing, in milliseconds. Others wait for its locks meanwhile. */
const IDLE_IN_TRANSACTION = 4_000
/** How long bytes may stay without a receipt before the server takes the connection for lost, in milliseconds. */
const UNACKNOWLEDGED = 10_000
const WATCH = 1_000

/** One session. Statements go out at once, one after the other, without waiting for the answers of those before. */
export class Connection {
  readonly #client: Client
  readonly #limits: SessionLimits
  readonly #watch: NodeJS.Timeout | undefined
  /** The names of statements by their texts. A text that has come once has none yet, which is all that some ever come. */
  readonly #names = new Map<string, string>()
  #named = 0
  #unanswered = 0
  #answeredAt = 0
  #isCorked = false
  #isBroken = false

  private constructor(client: Client, limits: SessionLimits) {
    this.#client = client
    this.#limits = limits
    client.on('error', () => this.#break())
    client.on('end', () => this.#break())
    if (limits.answer > 0) this.#watch = setInterval(() => this.#breakIfSilent(), WATCH).unref()
  }

  /** Connects. @throws Error of the client, as it comes */
  static async open(url: string, limits: SessionLimits): Promise<Connection> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ ...settingsOf(url), pipeline: true })
    const connection = new Connection(client, limits)
    try {
      await client.connect()
      await client.query(sessionOf(limits))
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Tells whether the session is gone. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Sends a statement. @throws DatabaseUnavailable, DatabaseDamaged, StatementRefused or an error of its values */
  async query<Row extends object>(text: string, params: readonly Value[] = []): Promise<QueryResult<Row>> {
    if (this.#isBroken) throw new DatabaseUnavailable('PostgreSQL: the connection was lost')
    if (this.#unanswered++ === 0) this.#answeredAt = performance.now()
    this.#cork()
    try {
      return await this.#client.query<Row>({ name: this.#nameOf(text), text, values: params as Value[] })
    } catch (error) {
      throw explainStatement(error)
    } finally {
      this.#unanswered--
      this.#answeredAt = performance.now()
    }
  }

  /** Runs several statements. */
  async script(text: string): Promise<void> {
    await this.#client.query(text).catch(error => {
      throw explainStatement(error)
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#watch)
    if (this.#isBroken) return this.#destroy()
    this.#isBroken = true
    await this.#client.end().catch(() => undefined)
  }

  /** What one turn of the event loop asks for leaves in one packet. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = connectionOf(this.#client)
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known === undefined) this.#names.set(text, '')
    if (known !== '') return known
    const name = `s${++this.#named}`
    this.#names.set(text, name)
    return name
  }

  #breakIfSilent(): void {
    if (this.#unanswered > 0 && performance.now() - this.#answeredAt > this.#limits.answer) this.#destroy()
  }

  #break(): void {
    this.#isBroken = true
    clearInterval(this.#watch)
  }

  #destroy(): void {
    this.#break()
    connectionOf(this.#client).stream.destroy()
  }
}

/** The parts of the client that its types leave out. */
function connectionOf(client: Client): { stream: import('node:net').Socket } {
  return (client as unknown as { connection: { stream: import('node:net').Socket } }).connection
}

function settingsOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'turnout',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: oid => parsers[oid] ?? asText },
  }
}

/** Numbers and booleans become what SQLite gives for them, by the ids of types in pg_type.dat. */
const parsers: Record<number, (text: string) => unknown> = {
  16: text => (text === 't' ? 1 : 0),
  ...Object.fromEntries([20, 21, 23, 700, 701, 1700].map(oid => [oid, Number])),
}

function asText(text: string): string {
  return text
}

/**
 * Statements are short, so compiling them to machine code would only cost. Each has an index; a plan that was made while its table
 * was empty would go through all rows of a sale, until PostgreSQL counts again. An asynchronous commit would be answered before it is
 * on the disk, so the setting of the server is raised; a stronger one stays.
 */
function sessionOf({ lock }: SessionLimits): string {
  return `SET jit = off; SET enable_seqscan = off; SET TimeZone = 'UTC'; SET lock_timeout = ${lock};
    SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION};
    SET tcp_user_timeout = ${UNACKNOWLEDGED};
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`
}
