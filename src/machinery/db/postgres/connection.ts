import type { Client, ClientConfig } from 'pg'
import { DatabaseUnavailable, type Value } from '../port.ts'
import { type Answer, type BatchClass, makeBatchClass, type Piece, type Prepared } from './batch.ts'
import { explainStatement } from './faults.ts'

/** What the sessions of a server or of a command wait for, in milliseconds. */
export interface SessionLimits {
  /** How long a statement waits for a lock. */
  lock: number
  /** How long an answer may stay away before the connection counts as lost. 0 is no limit. */
  answer: number
  /**
   * How long the plans of statements are kept. One that was made while a table was empty may go by the wrong index, and through all
   * that has come since: with 7,000 rows an import took five times as long. PostgreSQL itself plans anew only after its own count.
   */
  plans?: number
}

/** How long a connection may take to be made, in milliseconds, and how long its session may then take to answer. */
const CONNECT_TIMEOUT = 5_000
/** The message of a connection that was made and got no session. */
export const SESSION_TIMEOUT = 'no session in time'
/** How long the server keeps a transaction whose client says nothing, in milliseconds. Others wait for its locks meanwhile. */
const IDLE_IN_TRANSACTION = 4_000
/** How long bytes may stay without a receipt before the server takes the connection for lost, in milliseconds. */
const UNACKNOWLEDGED = 10_000
const WATCH = 1_000
/** To plan all statements of a session anew takes some 10 ms of processor time. */
const PLANS = 5_000

let Batch: BatchClass | undefined

/**
 * One session. Statements go out at once, one after the other, without waiting for the answers of those before. What one turn of the
 * event loop asks for in a transaction leaves as one batch.
 */
export class Connection {
  readonly #client: Client
  readonly #Batch: BatchClass
  readonly #limits: SessionLimits
  readonly #watch: NodeJS.Timeout | undefined
  /** Statements by their texts. A text that has come once is not prepared yet: that is all that some ever come. */
  readonly #prepared = new Map<string, Prepared | undefined>()
  readonly #batchOptions = {
    reader: readerOf,
    forget: (text: string) => void this.#prepared.delete(text),
  }
  #named = 0
  #isInTransaction = false
  #plannedAt = performance.now()
  #batch: Piece[] = []
  #unanswered = 0
  #answeredAt = 0
  #isBroken = false

  private constructor(client: Client, Batch: BatchClass, limits: SessionLimits) {
    this.#client = client
    this.#Batch = Batch
    this.#limits = limits
    client.on('error', () => this.#break())
    client.on('end', () => this.#break())
    if (limits.answer > 0) this.#watch = setInterval(() => this.#breakIfSilent(), WATCH).unref()
  }

  /** Connects. @throws Error of the client, as it comes */
  static async open(url: string, limits: SessionLimits): Promise<Connection> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ ...settingsOf(url), pipeline: true })
    Batch ??= makeBatchClass(pg.Query)
    const connection = new Connection(client, Batch, limits)
    try {
      await client.connect()
      await connection.#begin()
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** A pooler takes a connection before it has a session for it. */
  async #begin(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(SESSION_TIMEOUT))
        this.#destroy()
      }, CONNECT_TIMEOUT)
    })
    try {
      await Promise.race([this.#client.query(sessionOf(this.#limits)), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Tells whether the session is gone. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Sends a statement. @throws DatabaseUnavailable, DatabaseDamaged, StatementRefused or an error of its values */
  async query<Row extends object>(text: string, values: readonly Value[] = []): Promise<Answer<Row>> {
    if (this.#isBroken) throw new DatabaseUnavailable('PostgreSQL: the connection was lost')
    if (this.#unanswered++ === 0) this.#answeredAt = performance.now()
    try {
      const answered = new Promise<Answer<unknown>>((resolve, reject) => {
        this.#send({ text, values, ...this.#prepare(text), resolve, reject })
      })
      return (await answered) as Answer<Row>
    } catch (error) {
      throw explainStatement(error)
    } finally {
      this.#unanswered--
      this.#answeredAt = performance.now()
    }
  }

  /** Runs several statements. */
  async script(text: string): Promise<void> {
    this.#flush()
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

  /**
   * Outside of a transaction a batch would be one, so each statement goes alone there. A ROLLBACK begins one, as it would be skipped
   * behind what has failed.
   */
  #send(piece: Piece): void {
    const [verb] = /^\w+/.exec(piece.text) ?? []
    if (verb === 'BEGIN') {
      this.#planAnew()
      this.#isInTransaction = true
    }
    if (verb === 'ROLLBACK') this.#flush()
    if (this.#batch.push(piece) === 1) process.nextTick(() => this.#flush())
    if (/^(COMMIT|ROLLBACK)$/.test(piece.text)) this.#isInTransaction = false
    if (!this.#isInTransaction) this.#flush()
  }

  #planAnew(): void {
    const { plans = PLANS } = this.#limits
    if (performance.now() - this.#plannedAt < plans) return
    this.#plannedAt = performance.now()
    // If it fails, so does what comes after it.
    this.query('DISCARD PLANS').catch(() => undefined)
  }

  #flush(): void {
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    this.#client.query(new this.#Batch(batch, this.#batchOptions))
  }

  #prepare(text: string): { prepared: Prepared | undefined; parses: boolean } {
    const prepared = this.#prepared.get(text)
    if (prepared !== undefined) return { prepared, parses: false }
    if (!this.#prepared.has(text)) {
      this.#prepared.set(text, undefined)
      return { prepared, parses: true }
    }
    const named = { name: `s${++this.#named}` }
    this.#prepared.set(text, named)
    return { prepared: named, parses: true }
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
  }
}

/** What bytes begin with as text: https://www.postgresql.org/docs/current/datatype-binary.html */
const HEX = '\\x'

/** Numbers, booleans and bytes become what SQLite gives for them, by the ids of types in pg_type.dat. */
const parsers: Record<number, (text: string) => unknown> = {
  16: text => (text === 't' ? 1 : 0),
  17: text => Buffer.from(text.slice(HEX.length), 'hex'),
  ...Object.fromEntries([20, 21, 23, 700, 701, 1700].map(oid => [oid, Number])),
}

function readerOf(type: number): (text: string) => unknown {
  return parsers[type] ?? asText
}

function asText(text: string): string {
  return text
}

/**
 * Statements are short, so compiling them to machine code would only cost. Each has an index; a plan that was made while its table
 * was empty would go through all rows of a sale, until PostgreSQL counts again. An asynchronous commit would be answered before it is
 * on the disk, so the setting of the server is raised; a stronger one stays. Bytes have the one form that is read here.
 */
function sessionOf({ lock }: SessionLimits): string {
  return `SET jit = off; SET enable_seqscan = off; SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET lock_timeout = ${lock};
    SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION};
    SET tcp_user_timeout = ${UNACKNOWLEDGED};
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`
}
