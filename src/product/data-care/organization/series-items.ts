import { newUuid } from '#base/ids.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { MAX_DATES } from '#product/catalog/events/series-schemas.ts'
import * as store from '#product/catalog/events/series-store.ts'
import * as events from '#product/catalog/events/store.ts'
import { type Planned, planRow } from './plan-row.ts'
import type { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'

/** This file brings the series of an organization file. Events name theirs by its slug. */

type WithSeries = Pick<Organization, 'series' | 'events'>

/** What the database has of the slugs that a file names. */
export interface CurrentSeries {
  /** The series that the file has too, by slug. */
  rows: ReadonlyMap<string, store.SeriesRow>
  /** The slugs of the events of each of these. */
  dates: ReadonlyMap<string, readonly string[]>
  /** The slugs of all series of the account. */
  slugs: ReadonlySet<string>
  /** The slugs of series in the file that are those of events in the database. */
  ofEvents: ReadonlySet<string>
}

export const NO_SERIES: CurrentSeries = {
  ...{ rows: new Map(), dates: new Map() },
  ...{ slugs: new Set<string>(), ofEvents: new Set<string>() },
}

/** @returns the list as a file has it, or nothing if the account has none; a series whose events are all being deleted is none */
export async function exportSeries(tx: ReadTx): Promise<{ series?: { name: string; slug: string }[] }> {
  const dated = new Set((await events.listByAccount(tx)).map(({ series_id }) => series_id))
  const series = (await store.list(tx)).filter(({ id }) => dated.has(id))
  return series.length === 0 ? {} : { series: series.map(({ name, slug }) => ({ name, slug })) }
}

/** @returns the field of an event as a file has it, which leaves it out where there is none */
export async function exportSeriesOf(
  tx: ReadTx,
  { series_id: id }: events.EventRow,
): Promise<{ series?: string }> {
  const row = id === null ? undefined : await store.find(tx, id)
  return row === undefined ? {} : { series: row.slug }
}

export async function readSeries(tx: ReadTx, file: WithSeries): Promise<CurrentSeries> {
  const all = await store.list(tx)
  const wanted = new Set(file.series.map(({ slug }) => slug))
  const rows = new Map(all.filter(({ slug }) => wanted.has(slug)).map(row => [row.slug, row]))
  const dates = new Map<string, string[]>()
  for (const { id, slug } of rows.values()) {
    const of = await store.listDates(tx, id, MAX_DATES)
    dates.set(
      slug,
      of.map(date => date.slug),
    )
  }
  const ofEvents = new Set<string>()
  for (const slug of wanted) if ((await events.findBySlug(tx, slug)) !== undefined) ofEvents.add(slug)
  return { rows, dates, slugs: new Set(all.map(({ slug }) => slug)), ofEvents }
}

export type PlannedSeries = Planned<store.SeriesRow>

/** Compares the series of a file with those of the database. @param now milliseconds */
export function planSeries(
  { rows, dates, ofEvents }: CurrentSeries,
  file: WithSeries,
  now: number,
  refusals: Refusals,
): PlannedSeries[] {
  const staying = new Map(file.events.map(event => [event.slug, event.series === undefined]))
  return file.series.map(({ name, slug }, index) => {
    const path = `series.${index}.slug`
    const row = rows.get(slug)
    if (ofEvents.has(slug) && row === undefined) refusals.add(path, 'is that of an event of the account')
    const others = (dates.get(slug) ?? []).filter(of => staying.get(of) ?? true).length
    const count = others + file.events.filter(({ series }) => series === slug).length
    if (others > 0 && count > MAX_DATES)
      refusals.add(path, `is of more than ${MAX_DATES} dates, with those that the account has already`)
    return planRow(row, { id: row?.id ?? newUuid(), name, slug, created_at: row?.created_at ?? now })
  })
}

/** Returns the id of the series that an event will have, or null. What the file leaves out stays as it is. */
export function seriesIdOf(
  was: string | null | undefined,
  slug: string | null | undefined,
  planned: readonly PlannedSeries[],
): string | null {
  if (slug === undefined) return was ?? null
  return planned.find(({ row }) => row.slug === slug)?.row.id ?? null
}

export async function applySeries(
  tx: WriteTx,
  planned: readonly PlannedSeries[],
  now: number,
): Promise<void> {
  for (const { change, row } of planned) {
    if (change === 'created') await store.insert(tx, { ...row, created_at: now })
    if (change === 'updated') await store.update(tx, row, now)
  }
}

/** Makes events dates of their series, each with the series that it had. A series that nothing belongs to any more is gone. */
export async function applyDates(
  tx: WriteTx,
  dates: readonly { id: string; was: string | null; wanted: string | null }[],
  now: number,
): Promise<void> {
  const changed = dates.filter(({ was, wanted }) => was !== wanted)
  for (const { id, wanted } of changed) await events.setSeries(tx, id, wanted, now)
  for (const left of new Set(changed.map(({ was }) => was)))
    if (left !== null) await store.removeEmpty(tx, left)
}
