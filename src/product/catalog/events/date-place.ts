import { isDeepStrictEqual } from 'node:util'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import type { DatePlace, EventDetails } from './schemas.ts'
import * as store from './store.ts'

/** When and where an event is. */
export function datePlaceOf(event: EventDetails): DatePlace {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { timezone, venue, address, city, online_url } = event
  return {
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    ...{ timezone, venue, address, city, online_url },
  }
}

/**
 * Keeps what those who have tickets know of date and place, once that has changed, until they are told or it is as they know it. Of
 * an event without registrations, or a draft, nobody plans by it. One that was cancelled may take place after all.
 */
export async function noteChange(
  tx: WriteTx,
  accountId: string,
  id: string,
  { was, is }: { was: EventDetails; is: EventDetails },
): Promise<void> {
  const [old, now] = [datePlaceOf(was), datePlaceOf(is)]
  if (isDeepStrictEqual(old, now)) return
  const known = await findUntold(tx, accountId, id)
  if (known !== undefined) {
    if (isDeepStrictEqual(known, now)) await forgetUntold(tx, accountId, id)
    return
  }
  if (is.status === 'draft' || !(await store.hasRegistrations(tx, accountId, id))) return
  await store.setUntold(tx, accountId, id, JSON.stringify(old), await tx.now())
}

/** Date and place as those who have tickets know them. @returns undefined where nobody was left untold of a change @throws Problem not_found */
export async function findUntold(tx: ReadTx, accountId: string, id: string): Promise<DatePlace | undefined> {
  const row = await store.findUntold(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row.untold === null ? undefined : (JSON.parse(row.untold) as DatePlace)
}

/** They were told, or need not be. */
export async function forgetUntold(tx: WriteTx, accountId: string, id: string): Promise<void> {
  await store.setUntold(tx, accountId, id, null, await tx.now())
}
