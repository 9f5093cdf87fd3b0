import type * as v from 'valibot'
import { type FaultAt, makeFault } from '../faults.ts'
import { amountUpTo, closedObject, instant, label, listOf, oneOf } from '../fields.ts'
import * as ledger from '../ledger/rules.ts'
import { MAX_AMOUNT } from '../money.ts'
import { MAX_QUANTITY } from '../registrations/schemas.ts'
import { toIso } from '../time.ts'

const MAX_ID = 255
const MAX_ENTRIES = 1000

/** All that there are: one that is missing here would be exported, and could not be applied. */
const known: Readonly<Record<ledger.LedgerKind, true>> = {
  ...{ payment: true, payment_reversal: true, fee: true, fee_reversal: true },
  ...{ refund: true, refund_reversal: true, dispute: true, dispute_reversal: true },
  ...{ dispute_fee: true, dispute_fee_reversal: true },
}
const taken: Readonly<Record<ledger.LedgerMethod, true>> = {
  ...{ test: true, stripe: true, transfer: true, door: true, recorded: true },
}

/** The money of an order. */
export const ledgerSchema = listOf(
  closedObject({
    kind: oneOf(Object.keys(known) as ledger.LedgerKind[]),
    /** Of what has moved it, unique by kind in the account. */
    id: label(MAX_ID),
    /** 0 or more minor units of the order's currency: the kind says which way it went. */
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

/** What of an order's money a file has to say: nothing, where it follows from its registrations. */
export function exportLedger(entries: readonly Exported[], lines: readonly ledger.Recorded[]) {
  const derived = lines.flatMap(line => [...ledger.entriesOf(line)])
  const said = ({ kind, entry_id, amount, moved_at }: Exported) =>
    [kind, entry_id, Math.abs(amount), moved_at].join(' ')
  const isDerived =
    entries.every(({ method }) => method === 'recorded') &&
    sameTexts(
      entries.map(said),
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

/** The entries of an order that comes from a file. @param paymentIdOf the open payment that one is of */
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

/** What `check` would find of an order with this money, with its registrations. */
export function* findLedgerFaults(item: Order, lines: readonly Line[], place: string): Generator<FaultAt> {
  const items = item.ledger
  if (items === null) return
  const path = `${place}.ledger`
  const isConfirmed = item.status === 'confirmed'
  const paid = items.filter(({ kind }) => kind === 'payment')
  if (isConfirmed && item.amount_total > 0 && paid.length === 0)
    yield { path, fault: makeFault('requiredOfOrder', { status: item.status }) }
  const came = sumOf(items, ['payment'], ['payment_reversal'])
  const back = sumOf(items, ['refund', 'dispute'], ['refund_reversal', 'dispute_reversal'])
  if (back > came) yield { path, fault: makeFault('moreThan', { field: 'what was paid' }) }
  if (!isConfirmed) return
  const isKnown = (id: string) => items.some(other => other.kind === 'fee' && other.id === id)
  const unknown = paid.filter(({ id }) => !isKnown(id)).length
  const fees = sumOf(items, ['fee', 'dispute_fee'], ['fee_reversal', 'dispute_fee_reversal'])
  const confirmed = lines.filter(({ status, never_confirmed }) => status !== 'cancelled' || !never_confirmed)
  const said = confirmed.reduce((sum, { processor_fee }) => sum + (processor_fee ?? 0), 0)
  const silent = confirmed.some(line => line.amount_total > 0 && line.processor_fee === null)
  const isTaken = paid.some(({ method }) => method !== 'recorded')
  const isWrong = unknown === 0 ? silent || said !== fees : !silent || (!isTaken && said !== fees)
  if (isWrong) yield { path, fault: makeFault('notTheSum', { sum: said, of: 'registrations' }) }
}

/** Money that a file has twice: each is of one order. @param seen what the file had before */
export function* findTwice({ ledger: items }: Order, place: string, seen: Set<string>): Generator<FaultAt> {
  for (const [at, { kind, id }] of items?.entries() ?? []) {
    if (seen.has(`${kind} ${id}`)) yield { path: `${place}.ledger.${at}.id`, fault: makeFault('twice') }
    seen.add(`${kind} ${id}`)
  }
}
