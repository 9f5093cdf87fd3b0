import type { ReadTx } from '../db/port.ts'
import { toIso } from '../time.ts'
import { parseFigures } from './rules.ts'
import * as store from './store.ts'

/** The most registrations, and the most check-ins, that are looked at for a page of events. */
const MOST_AT_ONCE = 20_000

/** What a list says of an event. */
export interface Summary {
  check_ins: number
  /** What was charged, in minor units by currency; a currency without any is left out. */
  amounts: Record<string, number>
  /** The instant that it is of, in ISO 8601; null for this moment. */
  counted_at: string | null
}

/**
 * What is counted of events, by their ids: of large ones as it was counted in the background. Those for which too much would have
 * to be looked at are left out.
 */
export async function summarize(
  tx: ReadTx,
  accountId: string,
  eventIds: readonly string[],
): Promise<Map<string, Summary>> {
  const summaries = new Map<string, Summary>()
  let [registrationsLeft, checkInsLeft] = [MOST_AT_ONCE, MOST_AT_ONCE]
  for (const id of eventIds) {
    const kept = await store.find(tx, accountId, id)
    if (kept !== undefined) {
      summaries.set(id, summaryOf(kept))
      continue
    }
    const checkIns = await store.countCheckIns(tx, accountId, id, checkInsLeft + 1)
    const sum = await store.sumAmounts(tx, accountId, id, registrationsLeft + 1)
    const { count, amount, currency, other_currency: other } = sum as store.AmountRow
    const isWhole = checkIns <= checkInsLeft && count <= registrationsLeft
    checkInsLeft = Math.max(0, checkInsLeft - checkIns)
    registrationsLeft = Math.max(0, registrationsLeft - count)
    // Two currencies, which an event of an earlier version may have, are not added up.
    if (!isWhole || currency !== other) continue
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

/** What was charged on these days, in minor units by currency; a currency without any is left out. */
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
