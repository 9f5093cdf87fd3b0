import { findUrlFault } from '#product/administration/webhooks/delivery/address-guard.ts'
import type { Refusals } from './refusals.ts'

/**
 * Finds the webhooks whose address nothing may be sent to. It asks the network, so it comes before the write.
 *
 * @param urls the URLs by the path that each has in the file
 */
export async function findUnsafeWebhooks(
  urls: ReadonlyMap<string, string>,
  allowInsecure: boolean,
  refusals: Refusals,
): Promise<void> {
  const found = [...urls].map(async ([path, url]) => ({
    path,
    fault: await findUrlFault(url, allowInsecure),
  }))
  for (const { path, fault } of await Promise.all(found)) {
    if (fault !== undefined) refusals.add(path, fault)
  }
}
