import type { WriteTx } from '../db/port.ts'
import * as pictures from '../events/pictures.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { newUuid } from '../ids.ts'
import { shiftOnCalendar } from '../time.ts'
import { createPool, listPools } from './pools.ts'
import * as store from './store.ts'

export interface Copy {
  title: string
  slug?: string
  /** Milliseconds; null leaves every date open. */
  starts_at: number | null
}

/** What a copy was made by, for what stands on the types of an event. */
export interface Copied {
  event: EventDetails
  /** The type of the copy, by the id of that of the original. */
  typeOf: ReadonlyMap<string, string>
  /** Moves an instant as far as the events are apart; null where their dates are open. */
  shift: Shift
}

type Shift = (instant: number | null) => number | null

/**
 * Makes a draft with the types and the shared capacity of an event, and none of its registrations. Every date is moved as far as
 * the start, on the calendar of the event's time zone; where a start is open, so are the dates of the copy.
 *
 * @throws Problem not_found; already_taken for `slug`
 */
export async function duplicateEvent(
  tx: WriteTx,
  accountId: string,
  id: string,
  { starts_at, ...named }: Copy,
): Promise<Copied> {
  const original = await events.getDetails(tx, accountId, id)
  const from = millisecondsOf(original.starts_at)
  const shift: Shift = instant =>
    instant === null || from === null || starts_at === null
      ? null
      : shiftOnCalendar(instant, original.timezone, from, starts_at)
  const { id: _, object, status, created_at, slug, title, ...copied } = original
  const [, ends_at] = shiftRange(shift, from, millisecondsOf(original.ends_at))
  const ends = ends_at === null || starts_at === null ? null : Math.max(starts_at, ends_at)
  const dates = {
    starts_at,
    ends_at: ends,
    names_locked_at: shift(millisecondsOf(original.names_locked_at)),
    cancel_until: shift(millisecondsOf(original.cancel_until)),
  }
  const copy = await events.create(tx, accountId, { ...copied, ...named, ...dates })
  await pictures.copy(tx, accountId, original.id, copy.id)
  const idOfCopy = new Map<string, string>()
  const now = await tx.now()
  for (const type of await store.listByEventOldestFirst(tx, accountId, original.id)) {
    const [sales_start, sales_end] = shiftRange(shift, type.sales_start, type.sales_end)
    const [valid_from, valid_until] = shiftRange(shift, type.valid_from, type.valid_until)
    const dates = { sales_start, sales_end, valid_from, valid_until }
    const row = { ...type, ...dates, id: newUuid(), event_id: copy.id, sold: 0 }
    await store.insert(tx, accountId, row, now)
    idOfCopy.set(type.id, row.id)
  }
  for (const { name, capacity, registration_type_ids: ids } of await listPools(tx, accountId, original.id)) {
    const registration_type_ids = ids.map(each => idOfCopy.get(each) as string)
    await createPool(tx, accountId, copy.id, { name, capacity, registration_type_ids })
  }
  return { event: copy, typeOf: idOfCopy, shift }
}

/** Where a change of the clocks would turn the two around, the end is the beginning. */
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
