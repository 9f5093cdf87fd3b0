import { newUuid } from '#base/ids.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

export type { LedgerKind, LedgerMethod } from './store.ts'

/** What an entry belongs to: an order, or a registration that was imported without one. */
export type LedgerSubject = { orderId: string } | { registrationId: string }

/** Money that has moved. */
export interface NewEntry {
  eventId: string
  of: LedgerSubject
  kind: store.LedgerKind
  /** The id of what has moved the money, unique by kind. A fee has the id of its payment. */
  entryId: string
  /** Minor units of the currency, 0 or more. The kind says which way the money went. */
  amount: number
  currency: string
  /** When it moved, in milliseconds, as the processor says. */
  at: number
  method: store.LedgerMethod
  paymentId?: string | null
  refundId?: string | null
}

/** The kinds that add to the organizer's money. The others take from it. */
const COMING: readonly store.LedgerKind[] = [
  'payment',
  'fee_reversal',
  'refund_reversal',
  'dispute_reversal',
  'dispute_fee_reversal',
]

/** Records that money has moved. A second call with the same entry changes nothing. @returns whether the entry is new */
export async function record(tx: WriteTx, entry: NewEntry): Promise<boolean> {
  const row = rowOf(tx.accountId, entry, await tx.now())
  return (await store.insert(tx, row)) > 0
}

/** @param now when it is recorded, in milliseconds */
export function rowOf(accountId: string, entry: NewEntry, now: number): store.LedgerRow {
  const { of, amount, kind } = entry
  return {
    account_id: accountId,
    event_id: entry.eventId,
    kind,
    entry_id: entry.entryId,
    order_id: 'orderId' in of ? of.orderId : null,
    registration_id: 'registrationId' in of ? of.registrationId : null,
    payment_id: entry.paymentId ?? null,
    refund_id: entry.refundId ?? null,
    method: entry.method,
    // This avoids a minus zero.
    amount: COMING.includes(kind) || amount === 0 ? amount : -amount,
    currency: entry.currency,
    moved_at: entry.at,
    created_at: now,
  }
}

/** Money that has moved, as pages and commands show it. */
export interface Entry {
  kind: store.LedgerKind
  entry_id: string
  payment_id: string | null
  refund_id: string | null
  method: store.LedgerMethod
  /** Minor units, below 0 if the money left the organizer. */
  amount: number
  currency: string
  /** Milliseconds. */
  moved_at: number
}

/** Returns what has moved for an order or a registration, the oldest first. */
export function list(tx: ReadTx, of: LedgerSubject): Promise<Entry[]> {
  return store.listOf(tx, 'orderId' in of ? ['order_id', of.orderId] : ['registration_id', of.registrationId])
}

/** Subjects of one kind: orders, or registrations without one. */
export type LedgerSubjects = { orderIds: readonly string[] } | { registrationIds: readonly string[] }

/** Returns the same as `list` for several subjects, by their ids. It leaves out those for which nothing has moved. */
export async function listOfAll(tx: ReadTx, of: LedgerSubjects): Promise<Map<string, Entry[]>> {
  const [column, ids] =
    'orderIds' in of
      ? (['order_id', of.orderIds] as const)
      : (['registration_id', of.registrationIds] as const)
  const rows = await store.listOfAll(tx, column, ids)
  const isBefore = (a: store.LedgerRow, b: store.LedgerRow) =>
    a.moved_at - b.moved_at || compare(a.kind, b.kind) || compare(a.entry_id, b.entry_id)
  const found = new Map<string, Entry[]>()
  for (const row of rows.sort(isBefore)) {
    const id = row[column] as string
    const entries = found.get(id)
    if (entries === undefined) found.set(id, [row])
    else entries.push(row)
  }
  return found
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Tells whether the ledger has an entry. */
export async function has(tx: ReadTx, kind: store.LedgerKind, entryId: string): Promise<boolean> {
  return (await store.find(tx, kind, entryId)) !== undefined
}

/** What came in for an order, what went back, and what is left. Amounts are in minor units. */
export interface Balance {
  /** What came in. */
  paid: number
  /** What went back by refunds. */
  refunded: number
  /** What disputes took back and did not return. */
  disputed: number
  /** What can still be refunded. */
  left: number
  /** It is null if the fee of a payment is not known. */
  fee: number | null
}

/** Sums up entries of one currency. */
export function balanceOf(entries: readonly Entry[]): Balance {
  const sum = (...kinds: store.LedgerKind[]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).reduce((all, { amount }) => all + amount, 0)
  const paid = sum('payment', 'payment_reversal')
  const refunded = 0 - sum('refund', 'refund_reversal')
  const disputed = 0 - sum('dispute', 'dispute_reversal')
  const hasFee = ({ entry_id }: Entry) =>
    entries.some(other => other.kind === 'fee' && other.entry_id === entry_id)
  const haveFees = entries.filter(({ kind }) => kind === 'payment').every(hasFee)
  return {
    ...{ paid, refunded, disputed },
    left: paid - refunded - disputed,
    fee: haveFees ? 0 - sum('fee', 'fee_reversal', 'dispute_fee', 'dispute_fee_reversal') : null,
  }
}

/** What a file says of the money of a registration. Amounts are in minor units, instants in milliseconds. */
export interface Recorded {
  id: string
  event_id: string
  order_id: string | null
  currency: string
  amount_total: number
  processor_fee: number | null
  refunded_amount: number | null
  confirmed_at: number | null
  refunded_at: number | null
}

/** Returns the entries of an imported registration, whose money another system took. */
export function* entriesOf(registration: Recorded): Generator<NewEntry> {
  const { id, amount_total, processor_fee, refunded_amount, confirmed_at, refunded_at } = registration
  const base = baseOf(registration)
  if (confirmed_at !== null && amount_total > 0)
    yield { ...base, kind: 'payment', entryId: id, amount: amount_total, at: confirmed_at }
  if (confirmed_at !== null && processor_fee !== null)
    yield { ...base, kind: 'fee', entryId: id, amount: processor_fee, at: confirmed_at }
  if (refunded_at !== null && refunded_amount !== null && refunded_amount > 0)
    yield { ...base, kind: 'refund', entryId: id, amount: refunded_amount, at: refunded_at }
}

/** Returns the entries to add when a file corrects the fee or the refund of a registration. Existing entries never change. */
export function* correctionsOf(was: Recorded, current: Recorded): Generator<NewEntry> {
  const base = baseOf(current)
  const again = () => `${current.id} ${newUuid()}`
  if (
    current.confirmed_at !== null &&
    current.processor_fee !== null &&
    current.processor_fee !== was.processor_fee
  ) {
    const more = current.processor_fee - (was.processor_fee ?? 0)
    const entryId = was.processor_fee === null ? current.id : again()
    const kind = more < 0 ? 'fee_reversal' : 'fee'
    yield { ...base, kind, entryId, amount: Math.abs(more), at: current.confirmed_at }
  }
  const isSame = current.refunded_amount === was.refunded_amount && current.refunded_at === was.refunded_at
  if (isSame || current.refunded_at === null || current.refunded_amount === null) return
  const before = was.refunded_amount ?? 0
  if (before > 0)
    yield {
      ...base,
      kind: 'refund_reversal',
      entryId: again(),
      amount: before,
      at: was.refunded_at as number,
    }
  const entryId = before > 0 ? again() : current.id
  if (current.refunded_amount > 0)
    yield { ...base, kind: 'refund', entryId, amount: current.refunded_amount, at: current.refunded_at }
}

function baseOf({ id, event_id, order_id, currency }: Recorded) {
  const of = order_id === null ? { registrationId: id } : { orderId: order_id }
  return { eventId: event_id, of, currency, method: 'recorded' } as const
}
