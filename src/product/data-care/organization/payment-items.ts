import * as v from 'valibot'
import { type FaultAt, makeFault } from '../faults.ts'
import { amountUpTo, closedObject, instant, label, listOf, oneOf } from '../fields.ts'
import { MAX_AMOUNT } from '../money.ts'
import { hasProcessor, methods } from '../payments/processor.ts'
import type { PaymentRow } from '../payments/store.ts'
import { MAX_QUANTITY } from '../registrations/schemas.ts'
import { toIso } from '../time.ts'
import type { LedgerItem } from './ledger-items.ts'

const MAX_ID = 255
const MAX_PARTS = 1000
const MAX_REFERENCE = 25

/** The open payment of an order that was paid in part, or with another amount than was asked for. */
export const paymentSchema = closedObject({
  method: oneOf(methods),
  /** What whoever pays without a processor names it by (ISO 11649). */
  reference: v.nullish(label(MAX_REFERENCE), null),
  /** Minor units that are asked for. */
  amount: amountUpTo(MAX_AMOUNT * MAX_QUANTITY),
  /** What came for it, by its ids in the ledger of the order. */
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

/** A payment as an export reads it, with the ids of what came for it. */
export type PartPaid = Pick<PaymentRow, 'method' | 'reference' | 'amount' | 'created_at'> & {
  came: readonly string[]
}

export function exportPayment({ method, reference, amount, came, created_at }: PartPaid) {
  const named = reference === null ? {} : { reference }
  return { method, ...named, amount, came: [...came], created_at: toIso(created_at) }
}

/** Of what a payment is, among the money of its order. */
export function isOf(payment: PaymentItem, { kind, id }: LedgerItem): boolean {
  // Whoever was to pay at the door may have sent a transfer: each kind and id is there once.
  return (kind === 'payment' || kind === 'fee') && payment.came.includes(id)
}

/** What came for it, in minor units. */
export function receivedOf(payment: PaymentItem, ledger: readonly LedgerItem[] | null): number {
  const own = (ledger ?? []).filter(item => item.kind === 'payment' && isOf(payment, item))
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

/** In what the payment of an order contradicts it. @param seen the references that the file had before */
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

/** It waits for the rest, or for somebody to decide, as it did. @param now milliseconds of its write */
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
    ...{ next_method: null, created_at, updated_at: now },
  }
}
