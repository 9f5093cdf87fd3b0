import type { ReadTx } from '../db/port.ts'
import * as ledger from '../ledger/rules.ts'
import { hasProcessor } from './processor.ts'
import * as store from './refund-store.ts'

/** Money that came, and what of it has not gone back, nor is on its way or owed, nor was taken by a dispute. */
export interface Source {
  /** Of what it came by, as the ledger names it: the last, where it came in parts. */
  entryId: string
  paymentId: string | null
  method: ledger.LedgerMethod
  currency: string
  left: number
}

/** What of an order, or of a registration without one, has something left, the newest first. */
export async function sourcesOf(tx: ReadTx, accountId: string, of: ledger.LedgerSubject): Promise<Source[]> {
  return sourcesIn(await ledger.list(tx, accountId, of), await store.listBySubject(tx, accountId, of))
}

/** What is left of several together, in minor units, by few statements. */
export async function sumLeft(tx: ReadTx, accountId: string, of: ledger.LedgerSubjects): Promise<number> {
  const moved = await ledger.listOfAll(tx, accountId, of)
  const refunds = new Map<string, store.RefundRow[]>()
  for (const row of await store.listOfAll(tx, accountId, of)) {
    const id = row.order_id ?? (row.registration_id as string)
    refunds.set(id, [...(refunds.get(id) ?? []), row])
  }
  let sum = 0
  for (const [id, entries] of moved)
    for (const { left } of sourcesIn(entries, refunds.get(id) ?? [])) sum += left
  return sum
}

function sourcesIn(entries: readonly ledger.Entry[], refunds: readonly store.RefundRow[]): Source[] {
  const paid = joined(entries.filter(({ kind }) => kind === 'payment'))
  const isOnly = paid.length === 1
  const sources = paid.map(
    ({ entry_id: entryId, payment_id: paymentId, method, currency, amount }): Source => {
      const taken = entries
        .filter(entry => isTaken(entry) && (isOnly || entry.payment_id === paymentId))
        .reduce((sum, entry) => sum - entry.amount, 0)
      // One that failed is owed still: it is tried again, or paid by hand.
      const back = refunds
        .filter(refund => isOnly || refund.charge_id === entryId || refund.payment_id === paymentId)
        .reduce((sum, refund) => sum + refund.amount, 0)
      return { entryId, paymentId, method, currency, left: Math.max(0, amount - taken - back) }
    },
  )
  return sources.filter(({ left }) => left > 0).reverse()
}

/** What was taken back otherwise than by a refund of ours: by a dispute, or before a file brought it. */
function isTaken({ kind, refund_id: refundId }: ledger.Entry): boolean {
  if (kind === 'refund' || kind === 'refund_reversal') return refundId === null
  return kind === 'payment_reversal' || kind === 'dispute' || kind === 'dispute_reversal'
}

/** What came in parts by hand for one payment, or was brought by a file for several lines, goes back as one. */
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
