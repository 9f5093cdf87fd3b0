import { renewSecret } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { renewSecrets } from '#product/administration/webhooks/new-secrets.ts'
import { renewCodes } from '#product/guests/attendees/new-codes.ts'
import * as store from './store.ts'

/** Says what is new in a copy that was made without secrets, and what people have to set again. */
export interface Renewed {
  /** Tickets with new codes. Those that were printed or sent before admit nobody here. */
  tickets: number
  /** People, each of whom needs a new password. Nobody has a second factor any more. */
  users: number
  /** API keys, which are revoked. */
  api_keys: number
  /** Devices, which are revoked. */
  devices: number
  /** Webhook endpoints, which are disabled and have new secrets. */
  webhooks: number
  /** Accounts whose Stripe key is missing. */
  stripe: number
}

/**
 * Makes new secrets for a copy that was made without them. The secret of the instance comes last, as nothing opens the database
 * without it.
 */
export async function renew(db: Database): Promise<Renewed> {
  const tickets = await renewCodes(db)
  const webhooks = await renewSecrets(db)
  const missing = await db.read(INSTANCE, store.countMissing)
  await db.write(INSTANCE, renewSecret)
  return { ...missing, tickets, webhooks }
}
