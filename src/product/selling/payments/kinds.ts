import type { KindOfMail, MailKind } from '../emails/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = [
  ...(['name', 'event', 'when', 'place', 'reference', 'organizer', 'link'] as const),
  'amount',
] as const

/** To the buyer of an order that is to be paid, and not at once. */
export const paymentDueMail = {
  ...{ name: 'payment_due', lane: 'orders' },
  placeholders: [...placeholders, 'until'],
} as const satisfies Kind

/** To the buyer of one that was not paid in time. */
export const unpaidMail = { name: 'order_unpaid', lane: 'orders', placeholders } as const satisfies Kind

/** To the buyer, of money that goes back by itself: it came too late, twice, or was too much. */
export const returnedMail = {
  ...{ name: 'payment_returned', lane: 'orders' },
  placeholders: [...placeholders, 'why'],
} as const satisfies Kind

/** To the buyer, of money that the organizer gives back. */
export const refundMail = { name: 'refund', lane: 'orders', placeholders } as const satisfies Kind
