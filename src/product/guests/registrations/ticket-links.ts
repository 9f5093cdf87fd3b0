import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { type Details, getDetails } from './details.ts'
import * as store from './store.ts'

/**
 * Gives the links to the tickets of a registration new secrets, so that links in earlier mails lead nowhere. An ordered one has
 * the links of its order, which are renewed with it.
 *
 * @throws Problem not_found, also for an ordered registration
 */
export async function renewLinks(tx: WriteTx, id: string): Promise<Details> {
  if ((await store.renewSecret(tx, id, await tx.now())) === 0) throw new Problem('not_found')
  return getDetails(tx, id)
}
