import { findUrlFault } from '../webhooks/delivery/address-guard.ts'
import { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'

/**
 * Refuses a file with a webhook to an address that may not be sent to. Asks the network, so it comes before the write.
 *
 * @throws Problem invalid_parameter
 */
export async function refuseUnsafeWebhooks(file: Organization, allowInsecure: boolean): Promise<void> {
  const faults = await Promise.all(file.webhooks.map(({ url }) => findUrlFault(url, allowInsecure)))
  const refusals = new Refusals()
  for (const [index, fault] of faults.entries()) {
    if (fault !== undefined) refusals.add(`webhooks.${index}.url`, fault)
  }
  refusals.throwAny()
}
