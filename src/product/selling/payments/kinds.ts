import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = [
  ...(['name', 'event', 'when', 'place', 'reference', 'organizer', 'link'] as const),
  'amount',
] as const

/** It tells the buyer of an order what is to be paid, if not at once. */
export const paymentDueMail = {
  ...{ name: 'payment_due', lane: 'orders' },
  placeholders: [...placeholders, 'until'],
} as const satisfies Kind

/** It tells the buyer that the payment was begun, and that its money comes within days. */
export const paymentUnderWayMail = {
  ...{ name: 'payment_under_way', lane: 'orders' },
  placeholders: [...placeholders, 'until'],
} as const satisfies Kind

/** It goes to the buyer of an order that was not paid in time. */
export const unpaidMail = { name: 'order_unpaid', lane: 'orders', placeholders } as const satisfies Kind

/** It tells the buyer that money goes back by itself: it came too late, twice, or was too much. */
export const returnedMail = {
  ...{ name: 'payment_returned', lane: 'orders' },
  placeholders: [...placeholders, 'why'],
} as const satisfies Kind

/** It tells the buyer that the organizer gives money back. */
export const refundMail = { name: 'refund', lane: 'orders', placeholders } as const satisfies Kind
