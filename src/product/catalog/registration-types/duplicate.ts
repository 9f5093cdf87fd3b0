import { newUuid } from '#base/ids.ts'
import { shiftOnCalendar } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { createPool, listPools } from './pools.ts'
import * as store from './store.ts'

export interface Copy {
  title: string
  slug?: string
  /** Milliseconds. Null leaves every date open. */
  starts_at: number | null
  /** Whether the copy gets no picture. */
  isWithoutPicture?: boolean
}

/** The result of a copy, for parts of an event that depend on its types. */
export interface Copied {
  event: EventDetails
  /** The type of the copy, by the id of the original type. */
  typeOf: ReadonlyMap<string, string>
  /** Moves an instant by the time between the two events. It returns null if their dates are open. */
  shift: Shift
}

type Shift = (instant: number | null) => number | null

/**
 * Makes a draft with the types and the shared capacity of an event, and none of its registrations. Every date moves as far as the
 * start does, on the calendar of the event's time zone. If a start is open, so are the dates of the copy.
 *
 * @throws Problem not_found; already_taken for `slug`
 */
export async function duplicateEvent(
  tx: WriteTx,
  id: string,
  { starts_at, isWithoutPicture = false, ...named }: Copy,
): Promise<Copied> {
  const original = await events.getDetails(tx, id)
  const from = millisecondsOf(original.starts_at)
  const shift: Shift = instant =>
    instant === null || from === null || starts_at === null
      ? null
      : shiftOnCalendar(instant, original.timezone, from, starts_at)
  const { id: _, object, status, created_at, slug, title, archived_at, series_id, ...copied } = original
  const [, ends_at] = shiftRange(shift, from, millisecondsOf(original.ends_at))
  const ends = ends_at === null || starts_at === null ? null : Math.max(starts_at, ends_at)
  const dates = {
    starts_at,
    ends_at: ends,
    names_locked_at: shift(millisecondsOf(original.names_locked_at)),
    cancel_until: shift(millisecondsOf(original.cancel_until)),
  }
  const copy = await events.create(tx, { ...copied, ...named, ...dates })
  if (!isWithoutPicture) await pictures.copy(tx, original.id, copy.id)
  await looks.copy(tx, original.id, copy.id)
  const idOfCopy = new Map<string, string>()
  const now = await tx.now()
  for (const type of await store.listByEventOldestFirst(tx, original.id)) {
    const [sales_start, sales_end] = shiftRange(shift, type.sales_start, type.sales_end)
    const [valid_from, valid_until] = shiftRange(shift, type.valid_from, type.valid_until)
    const dates = { sales_start, sales_end, valid_from, valid_until }
    const row = { ...type, ...dates, id: newUuid(), event_id: copy.id, sold: 0 }
    await store.insert(tx, row, now)
    idOfCopy.set(type.id, row.id)
  }
  for (const { name, capacity, registration_type_ids: ids } of await listPools(tx, original.id)) {
    const registration_type_ids = ids.map(each => idOfCopy.get(each) as string)
    await createPool(tx, copy.id, { name, capacity, registration_type_ids })
  }
  return { event: copy, typeOf: idOfCopy, shift }
}

/** A change of the clocks could put the end before the start. The end is then the start. */
function shiftRange(
  shift: Shift,
  from: number | null,
  until: number | null,
): [from: number | null, until: number | null] {
  const [start, end] = [shift(from), shift(until)]
  return [start, start === null || end === null ? end : Math.max(start, end)]
}

function millisecondsOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso)
}
