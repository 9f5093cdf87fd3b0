import { AccountTransaction, ownedBy } from '#machinery/db/account-transaction.ts'
import type { AnyWriteTx, InstanceReadTx } from '#machinery/db/port.ts'
import { postgresCatalog } from '#machinery/db/postgres/catalog.ts'
import { Connection } from '#machinery/db/postgres/connection.ts'
import { databaseUrlOf, spoil } from './postgres-cluster.ts'
import type { Rows } from './rows.ts'

/** How long a statement waits for the server, in milliseconds. */
const TIMEOUT = 5_000

/** Opens the rows of the PostgreSQL database that stands for a data folder. */
export async function openPostgresRows(data: string): Promise<Rows> {
  const connection = await Connection.open(databaseUrlOf(data), { lock: TIMEOUT, answer: 0 })
  const all: Rows['all'] = async <Row>(sql: string, params = [] as never) =>
    (await connection.query(sql, params)).rows as Row[]
  const one: Rows['one'] = async <Row>(sql: string, params = [] as never) => (await all<Row>(sql, params))[0]
  const run: Rows['run'] = async (sql, params) => (await connection.query(sql, params)).rowCount ?? 0
  const within = async <Result>(end: 'COMMIT' | 'ROLLBACK', work: () => Promise<Result>) => {
    await hold(connection)
    let isEnded = false
    try {
      const result = await work()
      await connection.query(end)
      isEnded = true
      return result
    } finally {
      if (!isEnded) await connection.query('ROLLBACK')
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
    column: async (sql, params) =>
      (await all<object>(sql, params)).map(row => Object.values(row)[0] as never),
    runEach: async (sql, each) => {
      for (const params of each) await connection.query(sql, params)
    },
    transaction: work => within('COMMIT', work),
    tryOut: work => within('ROLLBACK', work).catch(undefinedIfRefused),
    uncheck: async what => {
      await connection.query('SET session_replication_role = replica')
      if (what !== undefined) return
      spoil(data)
      await connection.query(WITHOUT_CHECKS)
    },
    orphans: () => findOrphans(all),
    hold: async () => {
      await hold(connection)
      return async () => {
        await connection.query('ROLLBACK')
      }
    },
    reader: {
      catalog: postgresCatalog,
      read: (owner, work) => work(ownedBy(owner, tx) as never),
    },
    close: async () => {
      if (isOpen) await connection.close()
      isOpen = false
    },
  }
}

/** Copies all rows of the database of a data folder, as they are at one instant, into that of another, which has none. */
export async function copyRows(from: string, to: string): Promise<void> {
  const limits = { lock: TIMEOUT, answer: 0 }
  const source = await Connection.open(databaseUrlOf(from), limits)
  const target = await Connection.open(databaseUrlOf(to), limits)
  try {
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await target.query('SET session_replication_role = replica')
    const { rows: tables } = await source.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'turnout%'",
    )
    for (const { name } of tables) {
      const { rows } = await source.query<{ all: string | null }>(
        `SELECT CAST(json_agg(t) AS TEXT) AS all FROM ${name} t`,
      )
      const all = rows[0]?.all
      if (all != null) {
        await target.query(
          `INSERT INTO ${name} SELECT * FROM json_populate_recordset(CAST(NULL AS ${name}), $1)`,
          [all],
        )
      }
    }
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

/** Takes the lock with which every write begins. */
async function hold(connection: Connection): Promise<void> {
  await connection.query('BEGIN')
  await connection.query('SELECT 1 FROM instance FOR UPDATE')
}

/** PostgreSQL cannot leave its checks out for a session. */
const WITHOUT_CHECKS = `DO $$
  DECLARE each RECORD;
  BEGIN
    FOR each IN SELECT conname, conrelid::regclass AS name FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname);
    END LOOP;
  END $$`

async function findOrphans(all: Rows['all']): Promise<string[]> {
  const references = await all<{ table: string; parent: string; pairs: string; filled: string }>(
    `SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS parent,
       string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' AND ') AS pairs,
       string_agg(format('c.%I IS NOT NULL', ca.attname), ' AND ') AS filled
     FROM pg_constraint c CROSS JOIN unnest(c.conkey, c.confkey) AS k (child, parent)
       JOIN pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child
       JOIN pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent
     WHERE c.contype = 'f' GROUP BY c.oid, c.conrelid, c.confrelid ORDER BY 1, 2`,
  )
  const found: string[] = []
  for (const { table, parent, pairs, filled } of references) {
    const rows = await all(
      `SELECT 1 FROM ${table} c WHERE ${filled} AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE ${pairs})`,
    )
    for (const _ of rows) found.push(`a row of ${table} lacks its row of ${parent}`)
  }
  return found
}

function undefinedIfRefused(error: unknown): undefined {
  if (!String((error as { code?: unknown }).code).startsWith('23')) throw error
}
