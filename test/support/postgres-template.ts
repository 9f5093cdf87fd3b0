import { engineOf } from '#machinery/db/open.ts'
import { psql, resetPool, TEMPLATE, urlOf } from './postgres-cluster.ts'

/** Makes the database of which the tests' databases are copies, as the program makes it. */
export async function makeTemplate(): Promise<void> {
  resetPool()
  const db = await engineOf({ data: '.', databaseUrl: urlOf(TEMPLATE) }).openForCommand(() => 0)
  await db.close()
  psql(['DELETE FROM instance'], TEMPLATE)
}
