import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from './rules.ts'
import { MAX_DATES, presentSeries, type Series, type SeriesDate } from './series-schemas.ts'
import * as store from './series-store.ts'
import { makeFreeSlug, refuseTakenSlug } from './slugs.ts'
import * as eventStore from './store.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Series> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentSeries(row)
}

/** Returns the series that an event belongs to. @throws Problem not_found if there is no such event */
export async function findOfEvent(tx: ReadTx, eventId: string): Promise<Series | undefined> {
  const { series_id: id } = await events.getDetails(tx, eventId)
  return id === null ? undefined : get(tx, id)
}

/** Returns the series of the account with this slug, if there is one. */
export async function findBySlug(tx: ReadTx, slug: string): Promise<Series | undefined> {
  const row = await store.findBySlug(tx, slug)
  return row && presentSeries(row)
}

/** Lists all series of the account, oldest first. */
export async function listAll(tx: ReadTx): Promise<Series[]> {
  return (await store.list(tx)).map(presentSeries)
}

/** Lists the dates of a series in their order. Those that are open come last. */
export function listDates(tx: ReadTx, id: string): Promise<SeriesDate[]> {
  return store.listDates(tx, id, MAX_DATES)
}

/**
 * Makes a series without dates. Without a slug it gets one from its name.
 *
 * @throws Problem already_taken for `slug`, also if an event has it
 */
export async function create(tx: WriteTx, { name, slug }: { name: string; slug?: string }): Promise<Series> {
  const row = {
    ...{ id: newUuid(), name },
    slug: slug ?? (await makeFreeSlug(tx, name)),
    created_at: await tx.now(),
  }
  await refuseTakenSlug(tx, row.slug, row.id)
  await store.insert(tx, row)
  return presentSeries(row)
}

/** Changes the given fields. @throws Problem not_found; already_taken for `slug`, also if an event has it */
export async function update(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<Series, 'name' | 'slug'>>,
): Promise<Series> {
  const was = await store.find(tx, id)
  if (was === undefined) throw new Problem('not_found')
  const row = { ...was, ...changes }
  await refuseTakenSlug(tx, row.slug, id)
  await store.update(tx, row, await tx.now())
  return presentSeries(row)
}

/**
 * Makes an event a date of a series, or of none. A series that nothing belongs to any more is gone.
 *
 * @throws Problem not_found; series_full
 */
export async function setSeries(tx: WriteTx, eventId: string, id: string | null): Promise<void> {
  const { series_id: was } = await events.getDetails(tx, eventId)
  if (was === id) return
  if (id !== null) {
    await get(tx, id)
    if ((await store.countDates(tx, id)) >= MAX_DATES) {
      throw new Problem('series_full', { details: { max: MAX_DATES } })
    }
  }
  await eventStore.setSeries(tx, eventId, id, await tx.now())
  if (was !== null) await store.removeEmpty(tx, was)
}
