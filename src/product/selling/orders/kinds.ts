import type { KindOfMail, MailKind } from '../emails/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'reference', 'organizer', 'link'] as const

/** To the buyer, once the order is confirmed: its tickets. */
export const confirmedMail = { name: 'order_confirmed', lane: 'orders', placeholders } as const satisfies Kind

/** To the buyer of an order that the organizer has to approve. */
export const waitingMail = { name: 'order_waiting', lane: 'orders', placeholders } as const satisfies Kind

/** To the buyer of one that was not approved. */
export const declinedMail = { name: 'order_declined', lane: 'orders', placeholders } as const satisfies Kind

/** To the buyer, of an order that is cancelled whole or in part: by them, or by the organizer. */
export const orderCancelledMail = {
  ...{ name: 'order_cancelled', lane: 'orders' },
  placeholders,
} as const satisfies Kind

/** To the buyer who has withdrawn from the contract. */
export const withdrawnMail = {
  ...{ name: 'order_withdrawn', lane: 'orders' },
  placeholders: [...placeholders, 'at'],
} as const satisfies Kind

/** To somebody on a waitlist: places are held until they answer. */
export const offeredMail = {
  ...{ name: 'place_offered', lane: 'orders' },
  placeholders: [...placeholders, 'until'],
} as const satisfies Kind

/** To a holder who is not the buyer: their own tickets, and nothing of the others, nor of the money. */
export const holderMail = {
  ...{ name: 'ticket', lane: 'orders' },
  placeholders: ['name', 'buyer', 'event', 'when', 'place', 'organizer', 'link'],
} as const satisfies Kind

/** To such a holder, once their tickets are cancelled. */
export const ticketCancelledMail = {
  ...{ name: 'ticket_cancelled', lane: 'orders' },
  placeholders: ['name', 'buyer', 'event', 'when', 'place', 'organizer', 'link'],
} as const satisfies Kind
