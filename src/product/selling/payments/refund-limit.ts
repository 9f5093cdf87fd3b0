import type { ReadTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { hasProcessor } from './processor.ts'
import * as store from './refund-store.ts'

/**
 * Money that came in, with the part that can go back. That part excludes what went back, is on its way or owed, or was taken by a
 * dispute.
 */
export interface RefundSource {
  /** The ledger's id of what brought the money. If it came in parts, it is the id of the last one. */
  entryId: string
  paymentId: string | null
  method: ledger.LedgerMethod
  currency: string
  left: number
}

/** Returns the sources of an order, or of a registration without one, that have something left, the newest first. */
export async function listRefundSources(tx: ReadTx, of: ledger.LedgerSubject): Promise<RefundSource[]> {
  return (await readRefundSources(tx, of)).sources
}

/** Returns the same, with what goes back already: the parts of each refund, by ticket id. */
export async function readRefundSources(
  tx: ReadTx,
  of: ledger.LedgerSubject,
): Promise<{ sources: RefundSource[]; back: Readonly<Record<string, number>>[] }> {
  const refunds = (await store.listBySubject(tx, of)).filter(isStanding)
  const back = refunds.map(({ tickets }) => JSON.parse(tickets ?? '{}') as Record<string, number>)
  return { sources: refundSourcesIn(await ledger.list(tx, of), refunds), back }
}

/** Returns what is left of several subjects together, in minor units. It takes few statements. */
export async function sumRefundable(tx: ReadTx, of: ledger.LedgerSubjects): Promise<number> {
  const moved = await ledger.listOfAll(tx, of)
  const refunds = new Map<string, store.RefundRow[]>()
  for (const row of (await store.listOfAll(tx, of)).filter(isStanding)) {
    const id = row.order_id ?? (row.registration_id as string)
    refunds.set(id, [...(refunds.get(id) ?? []), row])
  }
  let sum = 0
  for (const [id, entries] of moved)
    for (const { left } of refundSourcesIn(entries, refunds.get(id) ?? [])) sum += left
  return sum
}

function refundSourcesIn(
  entries: readonly ledger.Entry[],
  refunds: readonly store.RefundRow[],
): RefundSource[] {
  const paid = joined(entries.filter(({ kind }) => kind === 'payment'))
  const isOnly = paid.length === 1
  const sources = paid.map(
    ({ entry_id: entryId, payment_id: paymentId, method, currency, amount }): RefundSource => {
      const taken = entries
        .filter(entry => isTaken(entry) && (isOnly || entry.payment_id === paymentId))
        .reduce((sum, entry) => sum - entry.amount, 0)
      // A failed refund is still owed: it is tried again, or paid by hand.
      const back = refunds
        .filter(refund => isOnly || refund.charge_id === entryId || refund.payment_id === paymentId)
        .reduce((sum, refund) => sum + refund.amount, 0)
      return { entryId, paymentId, method, currency, left: Math.max(0, amount - taken - back) }
    },
  )
  return sources.filter(({ left }) => left > 0).reverse()
}

/** Tells whether a refund takes from what can go back. */
function isStanding({ status }: store.RefundRow): boolean {
  return status !== 'dropped'
}

/** Tells whether an entry took money back other than by a refund here: by a dispute, or before a file brought it. */
function isTaken({ kind, refund_id: refundId }: ledger.Entry): boolean {
  if (kind === 'refund' || kind === 'refund_reversal') return refundId === null
  return kind === 'payment_reversal' || kind === 'dispute' || kind === 'dispute_reversal'
}

/** Joins entries that go back as one: parts of one payment that came by hand, or what a file brought for several lines. */
function joined(paid: readonly ledger.Entry[]): ledger.Entry[] {
  const all: ledger.Entry[] = []
  for (const entry of paid) {
    const at = all.findIndex(
      other =>
        other.payment_id === entry.payment_id && other.method === entry.method && !hasProcessor(entry.method),
    )
    const before = all[at]
    if (before === undefined) all.push(entry)
    else all[at] = { ...entry, amount: before.amount + entry.amount }
  }
  return all
}
