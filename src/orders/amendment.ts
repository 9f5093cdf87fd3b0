import type { WriteTx } from '../db/port.ts'
import { type Amended, amend } from '../registrations/amendment.ts'
import * as checkout from '../registrations/checkout.ts'
import type { Amendment } from '../registrations/schemas.ts'
import { ERASED_EMAIL } from '../words.ts'
import { findOrderOf } from './rules.ts'
import * as store from './store.ts'

/**
 * Changes a registration, as `amend` does. The buyer of one that was ordered is that of the order and of its other lines: where
 * an e-mail was mistyped, mails go to the right one from then on.
 *
 * @throws Problem those of `amend`
 */
export async function amendRegistration(
  tx: WriteTx,
  accountId: string,
  id: string,
  changes: Amendment,
): Promise<Amended> {
  const amended = await amend(tx, accountId, id, changes)
  if (!amended.changed.some(field => field.startsWith('buyer.'))) return amended
  const { buyer } = amended.registration
  const order = await findOrderOf(tx, accountId, amended.registration)
  if (order === undefined) return amended
  for (const line of await checkout.listByOrder(tx, accountId, order.id)) {
    if (line.buyer.email !== ERASED_EMAIL) await amend(tx, accountId, line.id, { buyer })
  }
  await store.setBuyer(tx, accountId, order.id, buyer, await tx.now())
  return amended
}
