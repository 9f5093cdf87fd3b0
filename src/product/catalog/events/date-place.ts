import { isDeepStrictEqual } from 'node:util'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { DatePlace, EventDetails } from './schemas.ts'
import * as store from './store.ts'

/** Returns when and where an event is. */
export function datePlaceOf(event: EventDetails): DatePlace {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { timezone, venue, address, city, online_url } = event
  return {
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    ...{ timezone, venue, address, city, online_url },
  }
}

/** Tells whether an event has no place but a link. */
export function isOnlineOnly({ venue, address, city, online_url }: EventDetails): boolean {
  return online_url !== null && [venue, address, city].every(place => (place ?? '').trim() === '')
}

/**
 * Stores the date and place that ticket holders know, after these have changed, until they are notified or the old values are
 * back. It stores nothing for a draft or an event without registrations, because nobody plans by them. A cancelled event is
 * included, because it may take place after all.
 */
export async function noteChange(
  tx: WriteTx,
  id: string,
  { was, is }: { was: EventDetails; is: EventDetails },
): Promise<void> {
  const [old, current] = [datePlaceOf(was), datePlaceOf(is)]
  if (isDeepStrictEqual(old, current)) return
  const notified = await findUnnotified(tx, id)
  if (notified !== undefined) {
    if (isDeepStrictEqual(notified, current)) await clearUnnotified(tx, id)
    return
  }
  if (is.status === 'draft' || !(await store.hasRegistrations(tx, id))) return
  await store.setUnnotified(tx, id, JSON.stringify(old), await tx.now())
}

/**
 * Returns the date and place that ticket holders know.
 *
 * @returns undefined if they know of every change
 * @throws Problem not_found
 */
export async function findUnnotified(tx: ReadTx, id: string): Promise<DatePlace | undefined> {
  const row = await store.findUnnotified(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.untold === null ? undefined : (JSON.parse(row.untold) as DatePlace)
}

/** Forgets the old date and place, because ticket holders were notified or need not be. */
export async function clearUnnotified(tx: WriteTx, id: string): Promise<void> {
  await store.setUnnotified(tx, id, null, await tx.now())
}
