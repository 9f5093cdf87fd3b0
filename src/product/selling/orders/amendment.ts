import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { type Amended, amend } from '#product/guests/registrations/amendment.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import type { Amendment } from '#product/guests/registrations/schemas.ts'
import { findOrderOf } from './rules.ts'
import * as store from './store.ts'

/**
 * Changes a registration, as `amend` does. An ordered registration shares its buyer with its order and with the order's other
 * lines, so all of them change. Once a mistyped e-mail is corrected, mails go to the right address.
 *
 * @throws Problem those of `amend`
 */
export async function amendRegistration(tx: WriteTx, id: string, changes: Amendment): Promise<Amended> {
  const amended = await amend(tx, id, changes)
  if (!amended.changed.some(field => field.startsWith('buyer.'))) return amended
  const { buyer } = amended.registration
  const order = await findOrderOf(tx, amended.registration)
  if (order === undefined) return amended
  for (const line of await checkout.listByOrder(tx, order.id)) {
    if (line.buyer.email !== ERASED_EMAIL) await amend(tx, line.id, { buyer })
  }
  await store.setBuyer(tx, order.id, buyer, await tx.now())
  return amended
}
