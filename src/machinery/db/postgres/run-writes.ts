import type { InstanceWriteTx } from '../port.ts'
import { type Ended, PostgresTransaction, type Scope } from './transaction.ts'

export type WriteWork = (tx: InstanceWriteTx) => Promise<unknown>

/** How a write has ended. It may be told once the transaction is committed. */
export type WriteEnd = Ended<unknown>

/**
 * Runs guarded writes side by side, so that their statements leave together. Each of their decisions is made by a statement, so
 * they mean the same as in some order one after another.
 *
 * @returns undefined if a write failed after it may have changed something: then nobody knows what the others have seen
 */
export async function runShared(scope: Scope, works: readonly WriteWork[]): Promise<WriteEnd[] | undefined> {
  const ends = await Promise.all(works.map(work => PostgresTransaction.run(scope, work)))
  return ends.some(({ isFailed, hasTouched }) => isFailed && hasTouched) ? undefined : ends
}

/** Runs writes one after another, each in a savepoint of its own unless it is alone. */
export async function runInTurn(scope: Scope, works: readonly WriteWork[]): Promise<WriteEnd[]> {
  const { connection, instant } = scope
  const ends: WriteEnd[] = []
  for (const work of works) {
    const isAlone = works.length === 1
    // Nobody waits for the savepoints: if the transaction is gone, the next statement says so.
    if (!isAlone) void connection.query('SAVEPOINT write').catch(() => undefined)
    const end = await PostgresTransaction.run(scope, work)
    if (isAlone && end.isFailed) await connection.query('ROLLBACK AND CHAIN')
    if (!isAlone) {
      if (end.isFailed) {
        void connection.query('ROLLBACK TO write').catch(() => undefined)
        instant.forget()
      }
      void connection.query('RELEASE write').catch(() => undefined)
    }
    if (connection.isBroken) throw end.isFailed ? end.error : new Error('The connection was lost.')
    ends.push(end)
  }
  return ends
}
