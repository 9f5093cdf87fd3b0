import type * as v from 'valibot'
import { type FaultAt, makeFault } from '#base/faults.ts'
import { amountUpTo, closedObject, instant, label, listOf, oneOf } from '#base/fields.ts'
import { MAX_AMOUNT } from '#base/money.ts'
import { toIso } from '#base/time.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import * as ledger from '#product/selling/ledger/rules.ts'

const MAX_ID = 255
const MAX_ENTRIES = 1000

/** This lists all kinds. An export could contain a kind that is missing here, and the file could not be applied. */
const existing: Readonly<Record<ledger.LedgerKind, true>> = {
  ...{ payment: true, payment_reversal: true, fee: true, fee_reversal: true },
  ...{ refund: true, refund_reversal: true, dispute: true, dispute_reversal: true },
  ...{ dispute_fee: true, dispute_fee_reversal: true },
}
const taken: Readonly<Record<ledger.LedgerMethod, true>> = {
  ...{ test: true, stripe: true, transfer: true, door: true, recorded: true },
}

/** Describes the money of an order. */
export const ledgerSchema = listOf(
  closedObject({
    kind: oneOf(Object.keys(existing) as ledger.LedgerKind[]),
    /** The id of what has moved the money, unique by kind in the account. */
    id: label(MAX_ID),
    /** Minor units of the order's currency, 0 or more. The kind says which way the money went. */
    amount: amountUpTo(MAX_AMOUNT * MAX_QUANTITY),
    method: oneOf(Object.keys(taken) as ledger.LedgerMethod[]),
    at: instant,
  }),
  MAX_ENTRIES,
)

export type LedgerItem = v.InferOutput<typeof ledgerSchema>[number]

interface Order {
  status: string
  amount_total: number
  ledger: readonly LedgerItem[] | null
}

interface Line {
  status: string
  amount_total: number
  processor_fee: number | null
  never_confirmed: boolean | null
}

type Exported = Pick<ledger.Entry, 'kind' | 'entry_id' | 'method' | 'amount' | 'moved_at'>

/** Returns what a file has to say about an order's money. That is nothing if it follows from the order's registrations. */
export function exportLedger(entries: readonly Exported[], lines: readonly ledger.Recorded[]) {
  const derived = lines.flatMap(line => [...ledger.entriesOf(line)])
  const stated = ({ kind, entry_id, amount, moved_at }: Exported) =>
    [kind, entry_id, Math.abs(amount), moved_at].join(' ')
  const isDerived =
    entries.every(({ method }) => method === 'recorded') &&
    sameTexts(
      entries.map(stated),
      derived.map(({ kind, entryId, amount, at }) => [kind, entryId, amount, at].join(' ')),
    )
  if (isDerived) return undefined
  return entries.map(({ kind, entry_id: id, method, amount, moved_at }) => ({
    ...{ kind, id, amount: Math.abs(amount), method, at: toIso(moved_at) },
  }))
}

function sameTexts(some: string[], others: string[]): boolean {
  const sorted = others.sort()
  return some.length === others.length && some.sort().every((text, at) => text === sorted[at])
}

/**
 * Yields the entries of an order that comes from a file.
 *
 * @param paymentIdOf returns the id of the open payment that an item belongs to
 */
export function* entriesOf(
  items: readonly LedgerItem[],
  of: { orderId: string; eventId: string; currency: string },
  paymentIdOf: (item: LedgerItem) => string | null,
): Generator<ledger.NewEntry> {
  const { orderId, eventId, currency } = of
  for (const item of items) {
    const { kind, id, amount, method, at } = item
    const moved = { kind, entryId: id, amount, currency, at, method, paymentId: paymentIdOf(item) }
    yield { eventId, of: { orderId }, ...moved }
  }
}

const sumOf = (items: readonly LedgerItem[], plus: ledger.LedgerKind[], minus: ledger.LedgerKind[]) =>
  items.reduce((sum, { kind, amount }) => {
    return sum + (plus.includes(kind) ? amount : 0) - (minus.includes(kind) ? amount : 0)
  }, 0)

/** Finds what `check` would find wrong in an order with this money and its registrations. */
export function* findLedgerFaults(item: Order, lines: readonly Line[], place: string): Generator<FaultAt> {
  const items = item.ledger
  if (items === null) return
  const path = `${place}.ledger`
  const isConfirmed = item.status === 'confirmed'
  const paid = items.filter(({ kind }) => kind === 'payment')
  if (isConfirmed && item.amount_total > 0 && paid.length === 0)
    yield { path, fault: makeFault('requiredOfOrder', { status: item.status }) }
  const received = sumOf(items, ['payment'], ['payment_reversal'])
  const back = sumOf(items, ['refund', 'dispute'], ['refund_reversal', 'dispute_reversal'])
  if (back > received) yield { path, fault: makeFault('moreThan', { field: 'what was paid' }) }
  if (!isConfirmed) return
  const hasFee = (id: string) => items.some(other => other.kind === 'fee' && other.id === id)
  const unknown = paid.filter(({ id }) => !hasFee(id)).length
  const fees = sumOf(items, ['fee', 'dispute_fee'], ['fee_reversal', 'dispute_fee_reversal'])
  const confirmed = lines.filter(({ status, never_confirmed }) => status !== 'cancelled' || !never_confirmed)
  const stated = confirmed.reduce((sum, { processor_fee }) => sum + (processor_fee ?? 0), 0)
  const silent = confirmed.some(line => line.amount_total > 0 && line.processor_fee === null)
  const isTaken = paid.some(({ method }) => method !== 'recorded')
  const isWrong = unknown === 0 ? silent || stated !== fees : !silent || (!isTaken && stated !== fees)
  if (isWrong) yield { path, fault: makeFault('notTheSum', { sum: stated, of: 'registrations' }) }
}

/**
 * Finds money that a file has twice, because each item belongs to one order.
 *
 * @param seen what came earlier in the file
 */
export function* findDuplicates(
  { ledger: items }: Order,
  place: string,
  seen: Set<string>,
): Generator<FaultAt> {
  for (const [at, { kind, id }] of items?.entries() ?? []) {
    if (seen.has(`${kind} ${id}`)) yield { path: `${place}.ledger.${at}.id`, fault: makeFault('twice') }
    seen.add(`${kind} ${id}`)
  }
}
