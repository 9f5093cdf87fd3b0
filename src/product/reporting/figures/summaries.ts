import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { parseFigures } from './rules.ts'
import * as store from './store.ts'

/** A page of events looks at this many registrations and this many check-ins at most. */
const MOST_AT_ONCE = 20_000

/** Holds the figures that a list shows of an event. */
export interface Summary {
  check_ins: number
  /** The amounts that were charged, in minor units by currency. It leaves out a currency without any. */
  amounts: Record<string, number>
  /** The instant of the figures, in ISO 8601. It is null if they are of this moment. */
  counted_at: string | null
}

/**
 * Returns the summaries of events by their ids. Those of large events were counted in the background. It leaves out events that
 * would need too many rows.
 */
export async function summarize(tx: ReadTx, eventIds: readonly string[]): Promise<Map<string, Summary>> {
  const summaries = new Map<string, Summary>()
  let [registrationsLeft, checkInsLeft] = [MOST_AT_ONCE, MOST_AT_ONCE]
  for (const id of eventIds) {
    const kept = await store.find(tx, id)
    if (kept !== undefined) {
      summaries.set(id, summaryOf(kept))
      continue
    }
    const checkIns = await store.countCheckIns(tx, id, checkInsLeft + 1)
    const sum = await store.sumAmounts(tx, id, registrationsLeft + 1)
    const { count, amount, currency, other_currency: other } = sum as store.AmountRow
    const isComplete = checkIns <= checkInsLeft && count <= registrationsLeft
    checkInsLeft = Math.max(0, checkInsLeft - checkIns)
    registrationsLeft = Math.max(0, registrationsLeft - count)
    // An event of an earlier version may have two currencies, which are not added up.
    if (!isComplete || currency !== other) continue
    const amounts = currency === null ? {} : withoutNothing({ [currency]: amount ?? 0 })
    summaries.set(id, { check_ins: checkIns, amounts, counted_at: null })
  }
  return summaries
}

function summaryOf(kept: store.KeptRow): Summary {
  const { counted } = parseFigures(kept)
  return {
    check_ins: counted.check_ins,
    amounts: sumSales(counted.sales),
    counted_at: toIso(kept.counted_at),
  }
}

/** Sums what was charged on these days, in minor units by currency. It leaves out a currency without any. */
export function sumSales(sales: readonly { amounts: Record<string, number> }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { amounts } of sales) {
    for (const [currency, amount] of Object.entries(amounts)) sums[currency] = (sums[currency] ?? 0) + amount
  }
  return withoutNothing(sums)
}

function withoutNothing(amounts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0))
}
