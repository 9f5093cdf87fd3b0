import { toIso, toIsoOrNull } from '#base/time.ts'
import type { LedgerMethod } from '#product/selling/ledger/rules.ts'
import type { Method } from './processor.ts'
import type { RefundReason, RefundRow } from './refund-store.ts'
import type { PaymentRow } from './store.ts'

/** An attempt to pay an order. Amounts are in minor units. */
export interface Payment {
  id: string
  event_id: string
  order_id: string
  method: Method
  /** `created`: the buyer can pay. `pending`: the money is still to come. */
  status: PaymentRow['status']
  currency: string
  amount: number
  /** What came. It is null until something does. */
  received: number | null
  /** The reference that the payer states when there is no processor. */
  reference: string | null
  /** The processor's ids of the session, and of the charge that paid it. */
  session_id: string | null
  charge_id: string | null
  /** Where the buyer pays. It is null before the processor has answered, and once the session cannot be paid any more. */
  url: string | null
  /** The code of what stands in its way. */
  trouble: string | null
  /** The method that the buyer pays with instead, once the processor has ended this payment. */
  next_method: Method | null
  ended_at: string | null
  created_at: string
}

export function presentPayment(row: PaymentRow): Payment {
  const { id, event_id, order_id, method, status, currency, amount, received, reference } = row
  const { session_id, charge_id, trouble, next_method } = row
  return {
    ...{
      id,
      event_id,
      order_id,
      method,
      status,
      currency,
      amount,
      received,
      reference,
      session_id,
      charge_id,
    },
    url: row.ended_at === null ? row.url : null,
    ...{ trouble, next_method },
    ended_at: toIsoOrNull(row.ended_at),
    created_at: toIso(row.created_at),
  }
}

/** Money that goes back, or is owed. Amounts are in minor units. */
export interface Refund {
  id: string
  event_id: string
  order_id: string | null
  registration_id: string | null
  payment_id: string | null
  method: LedgerMethod
  /** Whether somebody has to pay it back by hand. */
  is_by_hand: boolean
  status: RefundRow['status']
  currency: string
  amount: number
  reason: RefundReason
  note: string | null
  /** The part of each ticket that it is for, by ticket id. It is null for money that belongs to no ticket. */
  tickets: Readonly<Record<string, number>> | null
  processor_id: string | null
  /** The code of what stands in its way. */
  trouble: string | null
  ended_at: string | null
  created_at: string
}

/** Tells whether the money of a refund is on its way, or still owed. */
export function isOwed({ status }: Pick<Refund, 'status'>): boolean {
  return status !== 'done' && status !== 'dropped'
}

export function presentRefund(row: RefundRow): Refund {
  const { id, event_id, order_id, registration_id, payment_id, method, status, currency, amount } = row
  const { reason, note, processor_id, trouble } = row
  return {
    ...{ id, event_id, order_id, registration_id, payment_id, method, status, currency, amount },
    is_by_hand: row.charge_id === null,
    ...{ reason, note, processor_id, trouble },
    tickets: row.tickets === null ? null : (JSON.parse(row.tickets) as Record<string, number>),
    ended_at: toIsoOrNull(row.ended_at),
    created_at: toIso(row.created_at),
  }
}
