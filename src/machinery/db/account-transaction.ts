import type { AnyWriteTx, InstanceReadTx, Owner, StagedRows, Value, WriteTx } from './port.ts'

/** The part of a transaction that belongs to one account. */
export class AccountTransaction implements WriteTx {
  readonly accountId: string
  readonly #tx: AnyWriteTx

  constructor(tx: AnyWriteTx, accountId: string) {
    this.#tx = tx
    this.accountId = accountId
  }

  one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return this.#tx.one(sql, params)
  }

  all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]> {
    return this.#tx.all(sql, params)
  }

  run(sql: string, params?: readonly Value[]): Promise<number> {
    return this.#tx.run(sql, params)
  }

  insertStaged(staged: StagedRows, table: string, added?: Readonly<Record<string, number>>): Promise<number> {
    return this.#tx.insertStaged(staged, table, added)
  }

  now(): Promise<number> {
    return this.#tx.now()
  }

  clock(): number {
    return this.#tx.clock()
  }

  get batchTime(): number {
    return this.#tx.batchTime
  }

  giveTurn(): Promise<void> {
    return this.#tx.giveTurn()
  }

  alone(): Promise<void> {
    return this.#tx.alone()
  }

  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.#tx.attempt(work)
  }
}

/** Returns what an owner gets of a transaction. `Database` tells its type. */
export function ownedBy(owner: Owner, tx: InstanceReadTx): unknown {
  return typeof owner === 'string' ? tx.of(owner) : tx
}
