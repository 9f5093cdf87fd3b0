import type { Query } from 'pg'
import type { Value } from '../port.ts'

/** What a statement has answered. */
export interface Answer<Row> {
  rows: Row[]
  /** `INSERT`, `COMMIT` and so on. */
  command: string
  /** The rows that it has found or changed; null if its kind counts none. */
  rowCount: number | null
}

/** How the values of a column are named and read. */
interface Column {
  name: string
  read: (text: string) => unknown
}

/** A statement that a session has prepared under a name of its own. */
export interface Prepared {
  name: string
  /** Its columns, once they were described. */
  columns?: readonly Column[]
}

/** One statement of a batch, with its promise. */
export interface Piece {
  text: string
  values: readonly Value[]
  /** Undefined for a text that is sent for the first time: some never come again. */
  prepared: Prepared | undefined
  /** True if the server has to read the text: it is the first that goes out by its name. */
  parses: boolean
  resolve: (answer: Answer<unknown>) => void
  reject: (error: unknown) => void
}

/** The messages of the protocol that a batch sends, as the client's connection writes them. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: (string | Buffer | null)[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: object): void
  sync(): void
}

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[]
}

export interface BatchOptions {
  /** Returns how values of a type are read, by its id in pg_type.dat. */
  reader: (type: number) => (text: string) => unknown
  /** Forgets a statement that was not prepared after all. */
  forget: (text: string) => void
}

/** Why a statement behind one that has failed was skipped, as PostgreSQL would say it. */
const SKIPPED = { code: '25P02' }

/** A query of the client that carries several statements. */
export type BatchClass = new (pieces: readonly Piece[], options: BatchOptions) => Query

/**
 * Makes the class of queries that carry statements of one transaction with one Sync at their end. With a Sync of its own, each
 * statement costs the server a packet and the client a turn: an import is ten statements, and a group of them some 250. If one
 * fails, the server skips all behind it until the Sync, which the failed transaction would refuse anyway:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 *
 * @param BaseQuery that of the client, which is loaded only with this engine
 */
export function makeBatchClass(BaseQuery: typeof Query): BatchClass {
  return class Batch extends BaseQuery {
    readonly #pieces: readonly Piece[]
    readonly #options: BatchOptions
    #connection: Wire | undefined
    #at = 0
    #columns: readonly Column[] = []
    #rows: Record<string, unknown>[] = []
    /** By these the client notes what the server has prepared. */
    declare name: string | undefined
    declare text: string | undefined

    constructor(pieces: readonly Piece[], options: BatchOptions) {
      super('')
      this.#pieces = pieces
      this.#options = options
      this.#goTo(0)
    }

    override submit = (wire: unknown) => {
      const connection = wire as Wire
      this.#connection = connection
      connection.stream.cork()
      for (const piece of this.#pieces) send(connection, piece)
      connection.sync()
      connection.stream.uncork()
    }

    handleRowDescription({ fields }: RowDescription) {
      const { reader } = this.#options
      this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: reader(dataTypeID) }))
      const prepared = this.#pieces[this.#at]?.prepared
      if (prepared !== undefined) prepared.columns = this.#columns
    }

    handleDataRow({ fields }: { fields: readonly (string | null)[] }) {
      this.#rows.push(readRow(this.#columns, fields))
    }

    handleCommandComplete({ text }: { text: string }) {
      const [, command = '', rowCount] = COMMAND.exec(text) ?? []
      const { prepared, resolve } = this.#pieces[this.#at] as Piece
      // What has no columns is described by silence.
      if (prepared !== undefined) prepared.columns ??= []
      resolve({ rows: this.#rows, command, rowCount: rowCount === undefined ? null : Number(rowCount) })
      this.#goTo(this.#at + 1)
    }

    handleReadyForQuery() {
      // Each has its answer.
    }

    handleError(error: unknown) {
      const failed = this.#at
      this.#goTo(this.#pieces.length)
      for (const [at, { text, prepared, parses, reject }] of this.#pieces.entries()) {
        if (at < failed) continue
        if (parses && this.#connection?.parsedStatements[prepared?.name ?? ''] === undefined)
          this.#options.forget(text)
        reject(at === failed ? error : Object.assign(new Error('An earlier statement failed.'), SKIPPED))
      }
    }

    #goTo(at: number): void {
      const piece = this.#pieces[at]
      this.#at = at
      this.#rows = []
      this.#columns = piece?.prepared?.columns ?? []
      this.name = piece?.prepared?.name
      this.text = piece?.text
    }
  }
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: INSERT has the number of rows behind a 0. */
const COMMAND = /^([A-Z]+).*?(?: (\d+))?$/

function send(connection: Wire, { text, values, prepared, parses }: Piece): void {
  const name = prepared?.name ?? ''
  if (parses) connection.parse({ name, text })
  connection.bind({ statement: name, values: values.map(asParameter) })
  if (prepared?.columns === undefined) connection.describe({ type: 'P', name: '' })
  connection.execute({})
}

/** Returns a value as the client sends it. It sends a Buffer as the bytes that it has, and everything else as text. */
function asParameter(value: Value): string | Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value == null ? null : String(value)
}

function readRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const { name, read } = columns[at] as Column
    const text = fields[at] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}
