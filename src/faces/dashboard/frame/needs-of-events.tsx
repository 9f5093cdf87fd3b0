import type { VNode } from 'preact'
import type { ReadTx } from '#machinery/db/port.ts'
import { mapOutlines } from '#product/catalog/events/outlines.ts'
import * as series from '#product/catalog/events/series.ts'
import type { Texts } from '#texts/texts.ts'

/** Mails, orders and payments are counted exactly below this number. */
export const MOST_COUNTED = 1000
/** The most events and series that one kind of need names. They are those with the highest counts. */
const MOST_NAMED = 5

/** An event that has some of something, or the dates of a series that have. */
export interface Named {
  /** The id of the event: of several dates the one that has the most. */
  id: string
  /** The title of the event, or the name of the series if several dates have some. */
  title: string
  dates: number
  /** What all of them have. */
  count: number
}

/** The events and series that have the most of something, and the number of other events that have some. */
export interface OfEvents {
  most: readonly Named[]
  others: number
}

export const NONE: OfEvents = { most: [], others: 0 }

/** Names the events with the highest counts, and once a series of which several dates have some. @param counts by event */
export async function nameMost(tx: ReadTx, counts: ReadonlyMap<string, number>): Promise<OfEvents> {
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const outlines = await mapOutlines(tx, [...counts.keys()])
  const grouped = Map.groupBy(sorted, ([id]) => outlines.get(id)?.series_id ?? id)
  const summed = [...grouped].map(([key, dates]) => ({
    ...{ key, id: dates[0]?.[0] as string, dates: dates.length },
    count: dates.reduce((sum, [, count]) => sum + count, 0),
  }))
  const most: Named[] = []
  for (const { key, ...named } of summed.sort((one, other) => other.count - one.count).slice(0, MOST_NAMED)) {
    const title = named.dates > 1 ? (await series.get(tx, key)).name : outlines.get(named.id)?.title
    most.push({ ...named, title: title ?? '' })
  }
  return { most, others: counts.size - most.reduce((sum, { dates }) => sum + dates, 0) }
}

/** Says of which event a need is, or of how many dates of which series. */
export function Whose({ of: { title, dates }, texts }: { of: Named; texts: Texts }): VNode {
  if (dates === 1) return <bdi>{title}</bdi>
  return (
    <>
      <bdi>{title}</bdi>: {texts.needs.onDates(dates)}
    </>
  )
}
