import type { KindOfMail } from '../emails/kind.ts'

/** To the buyer, once the order is confirmed: its tickets. */
export const confirmedMail = { name: 'order_confirmed', lane: 'orders' } as const satisfies KindOfMail

/** To the buyer of an order that the organizer has to approve. */
export const waitingMail = { name: 'order_waiting', lane: 'orders' } as const satisfies KindOfMail

/** To the buyer of one that was not approved. */
export const declinedMail = { name: 'order_declined', lane: 'orders' } as const satisfies KindOfMail

/** To a holder who is not the buyer: their own tickets. */
export const holderMail = { name: 'ticket', lane: 'orders' } as const satisfies KindOfMail
