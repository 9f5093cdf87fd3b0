import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as endpointStore from './endpoint-store.ts'
import { newEndpointSecret } from './endpoints.ts'

/**
 * Gives new secrets to the endpoints of all accounts that a copy without secrets has left without one. They are disabled until
 * somebody has told the new secrets to the receivers.
 *
 * @returns how many endpoints got one
 */
export async function renewSecrets(db: Pick<Database, 'read' | 'write'>): Promise<number> {
  const bare = await db.read(INSTANCE, endpointStore.listWithoutSecret)
  for (const { id, account_id: accountId } of bare) {
    await db.write(accountId, async tx => {
      await endpointStore.setSecret(tx, id, newEndpointSecret(), await tx.now())
    })
  }
  return bare.length
}
