import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'reference', 'organizer', 'link'] as const

/** It brings the buyer their tickets, once the order is confirmed. */
export const confirmedMail = { name: 'order_confirmed', lane: 'orders', placeholders } as const satisfies Kind

/** It goes to the buyer of an order that the organizer has to approve. */
export const waitingMail = { name: 'order_waiting', lane: 'orders', placeholders } as const satisfies Kind

/** It goes to the buyer of an order that was not approved. */
export const declinedMail = { name: 'order_declined', lane: 'orders', placeholders } as const satisfies Kind

/** It goes to the buyer of an order that the buyer or the organizer has cancelled, whole or in part. */
export const orderCancelledMail = {
  ...{ name: 'order_cancelled', lane: 'orders' },
  placeholders,
} as const satisfies Kind

/** It goes to a buyer who has withdrawn from the contract. */
export const withdrawnMail = {
  ...{ name: 'order_withdrawn', lane: 'orders' },
  placeholders: [...placeholders, 'at'],
} as const satisfies Kind

/** It tells somebody on a waitlist that places are held until they answer. */
export const offeredMail = {
  ...{ name: 'place_offered', lane: 'orders' },
  placeholders: [...placeholders, 'until'],
} as const satisfies Kind

/** It goes to a holder who is not the buyer. It has their own tickets, and nothing of other tickets or the money. */
export const holderMail = {
  ...{ name: 'ticket', lane: 'orders' },
  placeholders: ['name', 'buyer', 'event', 'when', 'place', 'organizer', 'link'],
} as const satisfies Kind

/** It tells such a holder that their tickets are cancelled. */
export const ticketCancelledMail = {
  ...{ name: 'ticket_cancelled', lane: 'orders' },
  placeholders: ['name', 'buyer', 'event', 'when', 'place', 'organizer', 'link'],
} as const satisfies Kind

/** It brings somebody who has lost their mails all that they ordered or hold for an event. It goes only to who asked for it. */
export const againMail = {
  name: 'tickets_again',
  lane: 'orders',
  placeholders: ['name', 'event', 'when', 'place', 'organizer'],
} as const satisfies Kind
