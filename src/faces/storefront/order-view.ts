import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Look } from '#product/catalog/looks/schemas.ts'
import type { BuyerMailState } from '#product/selling/orders/mail-state.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import type { Bank, PaymentMethods } from '#product/selling/payments/methods.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import type { Payment, Refund } from '#product/selling/payments/schemas.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'

/** The page of an order shows these facts about the order and its event. */
export interface OrderView {
  order: OrderDetails
  event: EventDetails
  organizer: { name: string; slug: string | null; look: Look; origins: readonly string[] }
  /** The receipts come oldest first, with their credit notes. */
  receipts: readonly Receipt[]
  /** The path of the page, below the address of the service. */
  path: string
  /** In Unix milliseconds. */
  now: number
  /** Buyers may change names until this time, in Unix milliseconds. */
  namesUntil: number
  /** It is true while the server sends no mails. */
  mailsWait: boolean
  /** The state of the mail to the buyer. It is undefined unless the mail comes later or not at all. */
  mail: BuyerMailState
  /** It is undefined for an order that costs nothing. */
  money: Money | undefined
}

/** This describes how an order is paid. */
export interface Money {
  payments: Payment[]
  refunds: Refund[]
  /** The buyer gets this back after giving the order up now, in minor units. It is undefined if the order is not confirmed. */
  back: { cancel: number; withdraw: number } | undefined
  /** The amount to pay for what stands, in minor units. If the order does not wait for payment, it is the total. */
  due: number
  methods: PaymentMethods
  /** These methods take no money just now. The list has also those that a buyer can no longer choose. */
  stopped: readonly Method[]
  /** Transfers go to this account. */
  bank: Bank | undefined
}

/** The page of an order shows one of these notices once, after a redirect back to it. */
export const ORDER_NOTICES = [
  ...(['saved', 'resent', 'resentLater', 'confirmed', 'confirmedLater', 'given', 'givenLater'] as const),
] as const
export type OrderNotice = (typeof ORDER_NOTICES)[number]
