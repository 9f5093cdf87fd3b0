import type { TestContext } from 'node:test'
import { DAY } from '#base/time.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { openDatabase } from './engine.ts'
import { diskFolder } from './folder.ts'
import { organization } from './organization.ts'
import { subscribeToAll } from './subscriber.ts'

const TODAY = Date.now()

/**
 * Prepares a data folder with an organization whose event is today and each of whose webhook events is written, and a key without a
 * limit, for servers on the real clock.
 */
export async function prepareDataFolder(t: Pick<TestContext, 'after'>) {
  const data = diskFolder(t)
  const clock = Date.now
  const db = await openDatabase(data, clock)
  try {
    const applied = await applyOrganization(db, organizationToday(), { clock })
    const event = applied.events['spring-meeting']
    const typeId = event?.registration_types.Standard
    if (event === undefined || typeId === undefined) throw new Error('The organization lacks its event.')
    await subscribeToAll(db, applied.account_id)
    const input = { name: 'load', scopes: allScopes, expiresAt: null, rateLimit: 0 }
    const { key } = await db.write(applied.account_id, tx => keys.create(tx, input))
    return { data, accountId: applied.account_id, eventId: event.id, typeId, key }
  } finally {
    await db.close()
  }
}

/** Returns the organization of `prepareDataFolder`, for a file that brings more registrations to it. */
export function organizationToday(registrations: object[] = []) {
  return organization({
    event: {
      starts_at: new Date(TODAY).toISOString(),
      ends_at: new Date(TODAY + DAY).toISOString(),
      registration_types: [{ name: 'Standard', price: 5000, capacity: 1_000_000 }],
      ...(registrations.length === 0 ? {} : { registrations }),
    },
  })
}
