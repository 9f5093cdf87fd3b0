import { findTitles } from '#faces/dashboard/catalog/event-titles.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Mails, orders and payments are counted exactly below this number. */
export const MOST_COUNTED = 1000
/** The most events that one kind of need names. They are those with the highest counts. */
const MOST_EVENTS = 5

/** The events that have the most of something, and the number of other events that have some. */
export interface OfEvents {
  most: readonly { id: string; title: string; count: number }[]
  others: number
}

export const NONE: OfEvents = { most: [], others: 0 }

/** Names the events with the highest counts. @param counts by event */
export async function nameMost(tx: ReadTx, counts: ReadonlyMap<string, number>): Promise<OfEvents> {
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const some = sorted.slice(0, MOST_EVENTS)
  const ids = some.map(([id]) => id)
  const titles = await findTitles(tx, ids)
  return {
    most: some.map(([id, count]) => ({ id, count, title: titles.get(id) ?? '' })),
    others: sorted.length - some.length,
  }
}
