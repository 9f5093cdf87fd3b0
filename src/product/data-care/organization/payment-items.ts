import * as v from 'valibot'
import { type FaultAt, makeFault } from '#base/faults.ts'
import { amountUpTo, closedObject, instant, label, listOf, oneOf } from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { toIso } from '#base/time.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import { hasProcessor, methods } from '#product/selling/payments/processor.ts'
import type { PaymentRow } from '#product/selling/payments/store.ts'
import type { LedgerItem } from './ledger-items.ts'

const MAX_ID = 255
const MAX_PARTS = 1000
const MAX_REFERENCE = 25

/** Describes the open payment of an order that was paid in part or with another amount than was due. */
export const paymentSchema = closedObject({
  method: oneOf(methods),
  /** The reference that somebody who pays without a processor gives (ISO 11649). */
  reference: v.nullish(label(MAX_REFERENCE), null),
  /** The amount due, in minor units. */
  amount: amountUpTo(MAX_AMOUNT * MAX_QUANTITY),
  /** The payments that came for it, by their ids in the ledger of the order. */
  came: listOf(label(MAX_ID), MAX_PARTS),
  created_at: instant,
})

export type PaymentItem = v.InferOutput<typeof paymentSchema>

interface Order {
  status: string
  waits_for: string | null
  ledger: readonly LedgerItem[] | null
  payment: PaymentItem | null
}

/** Holds a payment as an export reads it, with the ids of what came for it. */
export type PartPaid = Pick<PaymentRow, 'method' | 'reference' | 'amount' | 'created_at'> & {
  came: readonly string[]
}

export function exportPayment({ method, reference, amount, came, created_at }: PartPaid) {
  const named = reference === null ? {} : { reference }
  return { method, ...named, amount, came: [...came], created_at: toIso(created_at) }
}

/** Returns whether an item of the order's money belongs to a payment. */
export function isOf(payment: PaymentItem, { kind, id }: LedgerItem): boolean {
  // Somebody who was to pay at the door may have sent a transfer. Each kind and id exists only once.
  return (kind === 'payment' || kind === 'fee') && payment.came.includes(id)
}

/** Returns what came for the payment, in minor units. */
export function receivedOf(payment: PaymentItem, ledger: readonly LedgerItem[] | null): number {
  const own = (ledger ?? []).filter(item => item.kind === 'payment' && isOf(payment, item))
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Finds where the payment of an order contradicts the order.
 *
 * @param seen the references that came earlier in the file
 */
export function* findPaymentFaults(item: Order, place: string, seen: Set<string>): Generator<FaultAt> {
  const { status, waits_for, ledger, payment } = item
  if (payment === null) return
  const path = `${place}.payment`
  if (status !== 'pending' || waits_for !== 'payment')
    yield { path, fault: makeFault('notOfOrder', { status: waits_for ?? status }) }
  const { reference, came, method, amount } = payment
  const areThere = came.every(id => ledger?.some(each => each.kind === 'payment' && each.id === id))
  if (!areThere || new Set(came).size < came.length || receivedOf(payment, ledger) === 0)
    yield { path: `${path}.came`, fault: makeFault('contradicts', { field: 'ledger' }) }
  if (amount === 0) yield { path: `${path}.amount`, fault: makeFault('contradicts', { field: 'came' }) }
  if ((reference === null) !== hasProcessor(method))
    yield { path: `${path}.reference`, fault: makeFault('contradicts', { field: 'method' }) }
  if (reference === null) return
  if (seen.has(`reference ${reference}`)) yield { path: `${path}.reference`, fault: makeFault('twice') }
  seen.add(`reference ${reference}`)
}

/**
 * Returns the row of a payment. It waits for the rest, or for somebody to decide, as it did before.
 *
 * @param now milliseconds of its write
 */
export function paymentRow(
  payment: PaymentItem,
  of: Pick<PaymentRow, 'id' | 'account_id' | 'event_id' | 'order_id' | 'currency'>,
  received: number,
  now: number,
): PaymentRow & { updated_at: number } {
  const { method, reference, amount, created_at } = payment
  return {
    ...{ ...of, method, status: 'pending', amount, received, reference },
    ...{ session_id: null, charge_id: null, call: null, url: null, expires_at: null, next_look_at: null },
    ...{ looks: 0, trouble: hasProcessor(method) ? 'other_amount' : 'partly_paid', ended_at: null },
    ...{ next_method: null, back: null, created_at, updated_at: now },
  }
}
