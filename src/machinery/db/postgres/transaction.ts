import { randomUUID } from 'node:crypto'
import { AccountTransaction } from '../account-transaction.ts'
import { readInstance } from '../instance.ts'
import {
  DatabaseUnavailable,
  type InstanceWriteTx,
  type StagedRows,
  type Value,
  type WriteTx,
} from '../port.ts'
import type { Connection } from './connection.ts'
import { insertingStaged } from './staged-rows.ts'
import type { WriteInstant } from './write-instant.ts'

/** What the pieces of work on one open transaction have in common. */
export interface Scope {
  connection: Connection
  instant: WriteInstant
  /** True if they run side by side, so that no savepoint of one could spare the changes of another. */
  isShared: boolean
}

/** One piece of work on an open transaction. It ends with the work, and refuses every use after that. */
export class PostgresTransaction implements InstanceWriteTx {
  /** Each statement goes to another process and back, and only writes wait. */
  readonly batchTime = 20
  readonly #scope: Scope
  /** The statements whose answers nobody has waited for. */
  readonly #sent = new Set<Promise<unknown>>()
  #changes = 0
  #ended = false
  #failure: { error: unknown } | undefined

  private constructor(scope: Scope) {
    this.#scope = scope
  }

  /**
   * Runs `work` and waits for the answers to all that it has sent. It leaves the transaction open.
   *
   * @returns how the work has ended, and whether it may have changed anything or has ended the transaction by a failed statement
   */
  static async run<T>(scope: Scope, work: (tx: PostgresTransaction) => Promise<T>): Promise<Ended<T>> {
    const tx = new PostgresTransaction(scope)
    try {
      const result = await work(tx)
      await tx.#arrived()
      return { result, hasTouched: tx.#changes > 0 }
    } catch (error) {
      await tx.#arrived().catch(() => undefined)
      const hasTouched = tx.#changes > 0 || tx.#failure !== undefined
      return { error: tx.#failure?.error ?? error, isFailed: true, hasTouched }
    } finally {
      tx.#ended = true
    }
  }

  of(accountId: string): WriteTx {
    return new AccountTransaction(this, accountId)
  }

  async one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0]
  }

  async all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]> {
    const { rows } = await this.#send(sql, params)
    return rows as Row[]
  }

  async run(sql: string, params?: readonly Value[]): Promise<number> {
    const sent = this.#send(sql, params)
    if (kindOf(sql).setsLatest) this.#scope.instant.forgetLatest()
    if (!isPlainInsert(sql)) return (await sent).rowCount ?? 0
    this.#leave(sent)
    return 1
  }

  async insertStaged(
    staged: StagedRows,
    table: string,
    added: Readonly<Record<string, number>> = {},
  ): Promise<number> {
    const sql = insertingStaged(staged, table, await this.now(), added)
    return sql === undefined ? 0 : this.run(sql)
  }

  async now(): Promise<number> {
    this.#refuseUse()
    return this.#scope.instant.take(
      async () => (await readInstance(this)).latest_write_at,
      // The instant is that of the transaction, so it is no change of this work.
      (sql, instant) => this.#leave(this.#watch(this.#scope.connection.query(sql, [instant]), true)),
    )
  }

  clock(): number {
    return this.#scope.instant.clock()
  }

  /** Each statement has given it away. */
  async giveTurn(): Promise<void> {}

  async alone(): Promise<void> {
    if (!this.#scope.isShared) return
    this.#failure ??= { error: new NotAlone() }
    throw this.#failure.error
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#scope.isShared) return this.#attemptShared(work)
    this.#leave(this.#send('SAVEPOINT attempt'))
    try {
      const result = await work()
      await this.#arrived()
      this.#leave(this.#send('RELEASE attempt'))
      return result
    } catch (error) {
      await this.#arrived().catch(() => undefined)
      // A lost connection or a full disk has undone the whole transaction.
      if (this.#failure?.error instanceof DatabaseUnavailable) throw error
      this.#failure = undefined
      this.#leave(this.#send('ROLLBACK TO attempt'))
      this.#leave(this.#send('RELEASE attempt'))
      this.#scope.instant.forget()
      throw error
    }
  }

  /** Goes on after an attempt that has changed nothing. Any other ends the transaction, and each of its works runs again alone. */
  async #attemptShared<T>(work: () => Promise<T>): Promise<T> {
    const changes = this.#changes
    try {
      return await work()
    } catch (error) {
      await this.#arrived()
      if (this.#changes > changes) this.#failure ??= { error }
      throw error
    }
  }

  #send(sql: string, params?: readonly Value[]) {
    this.#refuseUse()
    const isReading = isRead(sql)
    const values = params?.map(value => withoutNul(value, isReading ? NUL : REPLACEMENT))
    return this.#watch(this.#scope.connection.query(sql, values), isReading)
  }

  async #watch<T extends { rowCount: number | null }>(answer: Promise<T>, isRead: boolean): Promise<T> {
    try {
      const result = await answer
      if (!isRead && result.rowCount !== 0) this.#changes++
      return result
    } catch (error) {
      this.#failure ??= { error }
      throw error
    }
  }

  /** Does not wait for an answer before the end of the work, or of its attempt. */
  #leave(answer: Promise<unknown>): void {
    this.#sent.add(answer)
    answer.then(
      () => this.#sent.delete(answer),
      () => undefined,
    )
  }

  /** Waits for the answers to everything that was sent. @throws the first failure */
  async #arrived(): Promise<void> {
    const sent = [...this.#sent]
    this.#sent.clear()
    await Promise.allSettled(sent)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #refuseUse(): void {
    if (this.#ended) throw new Error('A transaction was used after its end: await every use of tx.')
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

/** A write that runs side by side with others comes to a decision that no statement makes. */
class NotAlone extends Error {
  override name = 'NotAlone'
}

export type Ended<T> =
  | { result: T; isFailed?: false; hasTouched: boolean }
  | { error: unknown; isFailed: true; hasTouched: boolean }

/**
 * Stands for the character NUL, which PostgreSQL keeps in no text, where something is looked for. Nobody knows it, so no row has it
 * either: the look finds nothing, as on an engine that could keep one.
 */
const NUL = randomUUID()

/** Stands for it in what is written, as UTF-8 has it for half a pair. What checks its input keeps neither. */
const REPLACEMENT = '\ufffd'

function withoutNul(value: Value, instead: string): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', instead) : value
}

const kinds = new Map<string, { isRead: boolean; isPlainInsert: boolean; setsLatest: boolean }>()

function kindOf(sql: string) {
  let kind = kinds.get(sql)
  if (kind === undefined) {
    const isRead = !/\b(INSERT|UPDATE|DELETE|SAVEPOINT|RELEASE|ROLLBACK)\b/.test(sql)
    // Its answer is known before it comes: one row, or a failure.
    const isPlainInsert = /^\s*INSERT INTO \w+\s*\([^()]*\)\s*VALUES\s*\([^()]*\)\s*$/.test(sql)
    const setsLatest = /^\s*UPDATE instance\b.*\blatest_write_at =/s.test(sql)
    kind = { isRead, isPlainInsert, setsLatest }
    kinds.set(sql, kind)
  }
  return kind
}

function isRead(sql: string): boolean {
  return kindOf(sql).isRead
}

function isPlainInsert(sql: string): boolean {
  return kindOf(sql).isPlainInsert
}
