import { emailKey } from '#base/fields.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { Order } from './schemas.ts'

type Line = Pick<Registration, 'status' | 'attendees'>

/** Notes that the buyer has a mail with the tickets of the order that name no other e-mail. */
export function noteMailedToBuyer(
  tx: WriteTx,
  { buyer }: Pick<Order, 'buyer'>,
  lines: readonly Line[],
): Promise<void> {
  const key = emailKey(buyer.email)
  return noteMailed(tx, lines, email => email === null || emailKey(email) === key)
}

/** Notes that the other holders have mails with their tickets of the order. */
export function noteMailedToOthers(
  tx: WriteTx,
  { buyer }: Pick<Order, 'buyer'>,
  lines: readonly Line[],
): Promise<void> {
  const key = emailKey(buyer.email)
  return noteMailed(tx, lines, email => email !== null && emailKey(email) !== key)
}

function noteMailed(
  tx: WriteTx,
  lines: readonly Line[],
  isTo: (email: string | null) => boolean,
): Promise<void> {
  const tickets = lines.filter(({ status }) => status === 'confirmed').flatMap(line => line.attendees)
  const mailed = tickets.filter(({ email, voided }) => !voided && isTo(email))
  return attendees.noteMailed(
    tx,
    mailed.map(({ id }) => id),
  )
}
