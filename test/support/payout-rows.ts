import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { PayoutFacts, PayoutLineFacts, PayoutLineKind } from '#product/selling/payouts/facts.ts'
import * as payouts from '#product/selling/payouts/rules.ts'

/** Describes a payout whose list is complete. */
export interface AddedPayout extends Partial<PayoutFacts> {
  id: string
  amount: number
  arrivesOn: string
  /** The lines. Without them, one of each kind comes to the amount. */
  lines?: readonly Partial<PayoutLineFacts>[]
}

const KINDS: readonly PayoutLineKind[] = [
  'payment',
  'refund',
  'dispute',
  'fee',
  'adjustment',
  'payout_return',
]

/** Adds a payout with its lines. */
export async function addPayout(tx: WriteTx, { id, lines, ...facts }: AddedPayout): Promise<void> {
  const { amount, arrivesOn } = facts
  const madeAt = Math.min(Date.parse(arrivesOn) - 2 * DAY, tx.clock())
  await payouts.note(tx, [
    { id, currency: 'EUR', status: 'in_transit', madeAt, isManual: false, ...facts, amount, arrivesOn },
  ])
  if (facts.isManual) return
  // The first line makes up for what the others take.
  const usual = KINDS.map((kind, at) => ({
    kind,
    amount: at === 0 ? amount + 10 * (KINDS.length - 1) + 1 : -10,
    fee: at === 0 ? 1 : 0,
  }))
  const all = (lines ?? usual).map(
    (line, at): PayoutLineFacts => ({
      ...{ id: `txn_${id}_${at}`, kind: 'payment', type: 'charge', amount: 0, fee: 0, sourceId: `ch_${at}` },
      ...{ movedAt: madeAt, ...line },
    }),
  )
  await payouts.addLines(tx, id, all)
  await payouts.complete(tx, id)
}
