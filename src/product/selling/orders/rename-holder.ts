import { Problem } from '#base/problem.ts'
import { ERASED_NAME } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { type Amended, amend } from '#product/guests/registrations/amendment.ts'
import { type Details, getDetails } from '#product/guests/registrations/details.ts'
import { withSameNames } from '#product/guests/registrations/same-names.ts'
import { namesLockedAt } from './names.ts'

type Ticket = Details['attendees'][number]

/**
 * Tells whether whoever holds a ticket may ever change the name on it: it was not ordered here, so that no buyer can do so on the
 * page of an order, and it admits somebody who is not anonymous.
 */
export function isHoldersName(
  { order_id, status, erased_at }: Pick<Details, 'order_id' | 'status' | 'erased_at'>,
  { voided, name }: Pick<Ticket, 'voided' | 'name'>,
): boolean {
  return order_id === null && status === 'confirmed' && erased_at === null && !voided && name !== ERASED_NAME
}

/**
 * Changes the name on a ticket that was not ordered here, at the request of whoever has its link, until names are locked. The
 * e-mail stays, so that nobody has somebody else mailed. Where buyer and holder were equal, the buyer's name follows.
 *
 * @throws Problem not_found for a ticket whose name is not its holder's to change; too_late
 */
export async function renameHolder(
  tx: WriteTx,
  event: EventDetails,
  { registrationId, ticketId }: { registrationId: string; ticketId: string },
  name: string,
): Promise<Amended> {
  const registration = await getDetails(tx, registrationId)
  const ticket = registration.attendees.find(({ id }) => id === ticketId)
  if (ticket === undefined || !isHoldersName(registration, ticket) || event.status === 'cancelled')
    throw new Problem('not_found')
  if (tx.clock() >= namesLockedAt(event)) throw new Problem('too_late')
  const changes = withSameNames(registration, { attendees: [{ id: ticketId, name }] })
  return amend(tx, registrationId, changes)
}
