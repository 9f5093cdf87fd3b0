import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { parseFigures } from './rules.ts'
import * as store from './store.ts'

/** A page of events looks at this many registrations and this many check-ins at most. */
const MOST_AT_ONCE = 20_000
/** It looks at this many events at most, since a row may stand for all dates of a series. */
const MOST_EVENTS = 2_000
/** It reads the kept figures of this many events at most, which are some kilobytes each. */
const MOST_KEPT = 50

/** Holds the figures that a list shows of an event, or of the dates of a series together. */
export interface Summary {
  check_ins: number
  /** The amounts that were charged, in minor units by currency. It leaves out a currency without any. */
  amounts: Record<string, number>
  /** The instant of the figures, in ISO 8601: that of the oldest of them. It is null if all are of this moment. */
  counted_at: string | null
}

/**
 * Returns the summary of each row of a list, which stands for one event or for several. Large events were counted in the
 * background.
 *
 * @param rows the ids of the events of each row
 * @returns undefined for a row that would need too many events or too many of their registrations and check-ins
 */
export async function summarize(
  tx: ReadTx,
  rows: readonly (readonly string[])[],
): Promise<(Summary | undefined)[]> {
  let eventsLeft = MOST_EVENTS
  const fit = rows.map(ids => {
    const isFit = ids.length <= eventsLeft
    if (isFit) eventsLeft -= ids.length
    return isFit
  })
  const ids = [...new Set(rows.flatMap((row, at) => (fit[at] ? row : [])))]
  const kept = await readKept(tx, ids)
  const left = { registrations: MOST_AT_ONCE, checkIns: MOST_AT_ONCE }
  const toCount = (of: readonly string[]) => of.filter(id => !kept.has(id))
  const all = await count(tx, toCount(ids), left)
  const summaries: (Summary | undefined)[] = []
  for (const [at, row] of rows.entries()) {
    if (!fit[at] || row.some(id => kept.get(id) === null)) summaries.push(undefined)
    else summaries.push(sumOf(row, kept, all ?? (await count(tx, toCount(row), left, left))))
  }
  return summaries
}

/** Reads the kept figures of those events that have some. @returns null for those that are too many to read */
async function readKept(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Summary | null>> {
  const kept = new Map<string, Summary | null>()
  const found = new Set(await store.listKept(tx, ids))
  for (const id of ids) {
    if (!found.has(id)) continue
    const row = kept.size < MOST_KEPT ? await store.find(tx, id) : undefined
    kept.set(id, row === undefined ? null : summaryOf(row))
  }
  return kept
}

interface Counts {
  checkIns: ReadonlyMap<string, number>
  amounts: ReadonlyMap<string, readonly store.EventAmountRow[]>
}

interface Left {
  registrations: number
  checkIns: number
}

/**
 * Counts what events have.
 *
 * @param spent what is taken from for the rows that were looked at
 * @returns undefined if there is more than may be looked at
 */
async function count(
  tx: ReadTx,
  ids: readonly string[],
  most: Readonly<Left>,
  spent?: Left,
): Promise<Counts | undefined> {
  const checkIns = await store.countCheckInsOfEach(tx, ids, most.checkIns + 1)
  const amounts = await store.sumAmountsOfEach(tx, ids, most.registrations + 1)
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, row) => all + row.count, 0)
  const [people, registrations] = [sum(checkIns), sum(amounts)]
  const isComplete = people <= most.checkIns && registrations <= most.registrations
  if (spent !== undefined) {
    spent.checkIns = Math.max(0, spent.checkIns - people)
    spent.registrations = Math.max(0, spent.registrations - registrations)
  }
  if (!isComplete) return undefined
  return {
    checkIns: new Map(checkIns.map(row => [row.event_id, row.count])),
    amounts: Map.groupBy(amounts, row => row.event_id),
  }
}

function sumOf(
  ids: readonly string[],
  kept: ReadonlyMap<string, Summary | null>,
  counts: Counts | undefined,
): Summary | undefined {
  if (counts === undefined) return undefined
  const parts = ids.map((id): Summary => {
    const sales = (counts.amounts.get(id) ?? []).map(({ currency, amount }) => ({
      amounts: { [currency]: amount },
    }))
    const counted = {
      check_ins: counts.checkIns.get(id) ?? 0,
      amounts: sumSales(sales),
      counted_at: null,
    }
    return kept.get(id) ?? counted
  })
  return {
    check_ins: parts.reduce((all, { check_ins }) => all + check_ins, 0),
    amounts: sumSales(parts),
    counted_at: parts.flatMap(({ counted_at }) => counted_at ?? []).sort()[0] ?? null,
  }
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
