import type { AnyWriteTx } from '#machinery/db/port.ts'
import { clusterUrl, spoilAll } from './postgres-cluster.ts'

/** What the database does by itself at each change of a row. */
export interface Trigger {
  /** It begins with the name of the table that the trigger fills. */
  name: string
  /** Such as `AFTER INSERT ON events`. */
  on: string
  when?: string
  /** One statement, which knows the row as NEW or OLD. */
  body: string
}

/**
 * Has the database of a write note what is done to its rows in a table that only tests have, from this write on. The write may
 * already have it.
 */
export function setTriggers(
  tx: AnyWriteTx,
  table: { name: string; columns: string },
  triggers: readonly Trigger[],
): Promise<void> {
  return (clusterUrl() === undefined ? setOnSqlite : setOnPostgres)(tx, table, triggers)
}

const setOnSqlite: typeof setTriggers = async (tx, table, triggers) => {
  await tx.run(`CREATE TEMP TABLE IF NOT EXISTS ${table.name} (${table.columns})`)
  for (const { name, on, when = 'true', body } of triggers) {
    await tx.run(`CREATE TEMP TRIGGER IF NOT EXISTS ${name} ${on} WHEN (${when}) BEGIN ${body}; END`)
  }
}

/** PostgreSQL has no triggers of a session, so the database keeps them, and no other test gets it. */
const setOnPostgres: typeof setTriggers = async (tx, table, triggers) => {
  const found = await tx.one<{ oid: string | null }>(`SELECT to_regclass('${table.name}') AS oid`)
  if (found?.oid != null) return
  spoilAll()
  await tx.run(`CREATE TABLE ${table.name} (${table.columns})`)
  for (const { name, on, when = 'true', body } of triggers) {
    await tx.run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${body}; RETURN coalesce(NEW, OLD); END $$`)
    await tx.run(`CREATE TRIGGER ${name} ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`)
  }
}
