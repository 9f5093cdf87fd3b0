import { AccountTransaction, ownedBy } from '#machinery/db/account-transaction.ts'
import type { AnyWriteTx, InstanceReadTx, Value } from '#machinery/db/port.ts'
import { sqliteCatalog } from '#machinery/db/sqlite/catalog.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import type { Rows } from './rows.ts'

/** How long a statement waits for the server, in milliseconds. */
const TIMEOUT = 5_000

/** Opens the rows of the SQLite file of a data folder. */
export async function openSqliteRows(data: string): Promise<Rows> {
  const connection = new Connection(databasePath(data), TIMEOUT)
  const all: Rows['all'] = async (sql, params) => connection.all(sql, params)
  const one: Rows['one'] = async (sql, params) => connection.get(sql, params)
  const run = async (sql: string, params?: readonly Value[]) => connection.run(sql, params)
  /** Everything within this is undone unless it ends well, and `end` says how it then ends. */
  const within = async <Result>(end: 'COMMIT' | 'ROLLBACK', work: () => Promise<Result>) => {
    connection.run('BEGIN IMMEDIATE')
    try {
      const result = await work()
      connection.run(end)
      return result
    } finally {
      connection.rollBack()
    }
  }
  const tx: InstanceReadTx = {
    ...{ all, one },
    of: accountId => new AccountTransaction({ all, one } as AnyWriteTx, accountId),
  }
  let isOpen = true
  return {
    all,
    one,
    run,
    column: async <Type extends Value>(sql: string, params?: readonly Value[]) =>
      connection.all<object>(sql, params).map(row => Object.values(row)[0] as Type),
    runEach: async (sql, each) => {
      for (const params of each) connection.run(sql, params)
    },
    transaction: work => within('COMMIT', work),
    tryOut: work => within('ROLLBACK', work).catch(undefinedIfRefused),
    uncheck: async what => {
      connection.pragma('foreign_keys = OFF')
      if (what === undefined) connection.pragma('ignore_check_constraints = ON')
    },
    orphans: async () =>
      connection
        .all<{ table: string; parent: string }>('SELECT "table", parent FROM pragma_foreign_key_check')
        .map(({ table, parent }) => `a row of ${table} lacks its row of ${parent}`),
    hold: async () => {
      connection.run('BEGIN IMMEDIATE')
      return async () => connection.rollBack()
    },
    reader: {
      catalog: sqliteCatalog,
      read: (owner, work) => work(ownedBy(owner, tx) as never),
    },
    close: async () => {
      if (isOpen) connection.close()
      isOpen = false
    },
  }
}

function undefinedIfRefused(error: unknown): undefined {
  if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) throw error
}
