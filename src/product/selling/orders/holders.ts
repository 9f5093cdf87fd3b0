import { emailKey } from '#base/fields.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { Order, OrderDetails } from './schemas.ts'

/** Returns the distinct e-mails of those who hold tickets of these lines, without the buyer's. */
export function holdersOf(
  { buyer }: Pick<Order, 'buyer'>,
  lines: readonly Pick<Registration, 'attendees'>[],
): string[] {
  const holders = new Map<string, string>()
  for (const { email } of lines.flatMap(line => line.attendees)) {
    if (email !== null && emailKey(email) !== emailKey(buyer.email)) holders.set(emailKey(email), email)
  }
  return [...holders.values()]
}

/**
 * Returns the e-mails of holders who have not got their tickets yet, because the order is not verified. Nobody gets tickets of an
 * event that is cancelled.
 */
export function unnotifiedOf(order: OrderDetails): string[] {
  if (order.verified_at !== null || order.status !== 'confirmed' || order.event.status === 'cancelled')
    return []
  const confirmed = order.registrations
    .filter(({ status }) => status === 'confirmed')
    .map(line => ({ attendees: line.attendees.filter(({ voided }) => !voided) }))
  return holdersOf(order, confirmed)
}
