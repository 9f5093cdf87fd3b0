import { Problem } from '#base/problem.ts'
import { toLocalTime } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as series from '#product/catalog/events/series.ts'
import { MAX_REPEATED, type Series } from '#product/catalog/events/series-schemas.ts'
import { duplicateEvent } from './rules.ts'

/** What an event becomes when it is repeated. */
export interface Repetition {
  /** The name and the slug of the series, if the event belongs to none yet. Without a slug, it gets one from the name. */
  name: string
  slug?: string
  /** When each of the new events begins, in milliseconds: from 1 to 200, each once. */
  starts: readonly number[]
}

/** Returns the starts that dates of the series of an event have already, in milliseconds. @throws Problem not_found */
export async function listTaken(tx: ReadTx, event: EventDetails): Promise<Set<number>> {
  const dates = event.series_id === null ? [] : await series.listDates(tx, event.series_id)
  const starts = dates.flatMap(({ starts_at }) => (starts_at === null ? [] : [starts_at]))
  return new Set(event.starts_at === null ? starts : [...starts, Date.parse(event.starts_at)])
}

/** All copies of a picture are made in one write, and take this many bytes at most: a larger one would hold up everybody else's. */
const MOST_PICTURE_BYTES = 64 * 1024 * 1024

/** Returns whether so many dates get no picture, as all of them together would take too much. */
export async function lacksPicture(tx: ReadTx, id: string, dates: number): Promise<boolean> {
  return (await pictures.weigh(tx, id)) * dates > MOST_PICTURE_BYTES
}

/**
 * Makes a draft for each date, as `duplicateEvent` makes one, and a series of them and the event itself if it belongs to none.
 * All of them are made, or none. Where `lacksPicture` says so, none has the picture.
 *
 * @throws Problem not_found; no_start; already_taken for `slug`; series_full; seen_changed if a date is past, is taken, comes
 *   twice, or there are none or too many
 */
export async function repeatEvent(
  tx: WriteTx,
  id: string,
  { name, slug, starts }: Repetition,
): Promise<{ series: Series; made: EventDetails[] }> {
  const event = await events.getDetails(tx, id)
  if (event.starts_at === null) throw new Problem('no_start')
  await refuseStarts(tx, event, starts)
  const of = event.series_id === null ? await series.create(tx, named(name, slug)) : undefined
  if (of !== undefined) await series.setSeries(tx, id, of.id)
  const into = of ?? (await series.get(tx, event.series_id as string))
  const sorted = [...starts]
    .sort((one, other) => one - other)
    .map(start => ({ start, local: toLocalTime(start, event.timezone) }))
  const days = Map.groupBy(sorted, ({ local }) => local.slice(0, 10))
  const isWithoutPicture = await lacksPicture(tx, id, starts.length)
  const made: EventDetails[] = []
  for (const { start, local } of sorted) {
    const isAlone = days.get(local.slice(0, 10))?.length === 1
    const copy = await duplicateEvent(tx, id, {
      title: event.title,
      slug: await events.makeFreeSlug(tx, slugOf(into, local, isAlone)),
      starts_at: start,
      isWithoutPicture,
    })
    await series.setSeries(tx, copy.id, into.id)
    made.push(copy)
    await tx.giveTurn()
  }
  return { series: into, made }
}

const named = (name: string, slug: string | undefined) => (slug === undefined ? { name } : { name, slug })

async function refuseStarts(tx: WriteTx, event: EventDetails, starts: readonly number[]): Promise<void> {
  const now = await tx.now()
  const taken = await listTaken(tx, event)
  const areFit =
    starts.every(start => start > now && !taken.has(start)) && new Set(starts).size === starts.length
  if (!areFit || starts.length === 0 || starts.length > MAX_REPEATED) throw new Problem('seen_changed')
}

/** Returns the slug of a date: the day behind that of the series, and the time where the day has several. */
function slugOf({ slug }: Series, local: string, isAlone: boolean): string {
  const when = isAlone ? local.slice(0, 10) : local.replace('T', '-').replace(':', '')
  return `${slug.slice(0, 80 - when.length - 1).replace(/-+$/, '')}-${when}`
}
