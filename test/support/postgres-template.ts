import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { resetPool, TEMPLATE, urlOf } from './postgres-cluster.ts'

/** Makes the database of which the tests' databases are copies, as the program makes it. */
export async function makeTemplate(): Promise<void> {
  resetPool()
  const db = await engineOf({ data: '.', databaseUrl: urlOf(TEMPLATE) }).openForCommand(() => 0)
  await db.write(INSTANCE, tx => tx.run('DELETE FROM instance'))
  await db.close()
}
