import { engineOf } from '#machinery/db/open.ts'
import { psql, TEMPLATE, urlOf } from './postgres-cluster.ts'

/** Makes the database of which the tests' databases are copies, as the program makes it. */
export async function makeTemplate(): Promise<void> {
  psql([
    `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`,
    `CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
  ])
  const db = await engineOf({ data: '.', databaseUrl: urlOf(TEMPLATE) }).openForCommand(() => 0)
  await db.close()
  psql(['DELETE FROM instance'], TEMPLATE)
}
