import type { EventDetails } from '../events/schemas.ts'
import type { OrderDetails } from '../orders/schemas.ts'
import type { Method } from '../payments/processor.ts'
import type { Payment, Refund } from '../payments/schemas.ts'
import type { Bank } from '../payments/ways.ts'
import type { Receipt } from '../receipts/schemas.ts'

/** An order with what its page tells of its event. */
export interface SeenOrder {
  order: OrderDetails
  event: EventDetails
  organizer: { name: string; slug: string | null }
  /** Oldest first, with its credit notes. */
  receipts: readonly Receipt[]
  /** Of the page, below the address of the service. */
  path: string
  /** Milliseconds. */
  now: number
  /** Buyers may change names until then, in milliseconds. */
  namesUntil: number
  /** Of an order that costs something. */
  money: Money | undefined
}

/** How an order is paid. */
export interface Money {
  payments: Payment[]
  refunds: Refund[]
  /** What the buyer gets back who gives it up now, in minor units: undefined of one that is not confirmed. */
  back: { cancel: number; withdraw: number } | undefined
  /** That is to be paid, in minor units: of what stands. */
  due: number
  /** In which it can be paid now. */
  ways: Method[]
  /** Where transfers go. */
  bank: Bank | undefined
}

/** What is said once above the page of an order, where it leads back to. */
export const SAID = ['saved', 'resent'] as const
export type Said = (typeof SAID)[number]
