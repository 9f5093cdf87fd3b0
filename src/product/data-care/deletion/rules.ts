import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { markDeleting } from '#product/catalog/events/deleting.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { allCounted, type Counted, countUpTo, type Hindering, listHindering } from './count-store.ts'
import { startDeletion } from './delete-in-batches.ts'
import { deleteAllRows } from './delete-rows.ts'
import * as store from './store.ts'

/**
 * An event with more rows is deleted in batches. One with fewer goes in one write, for which all other writes wait a tenth of a
 * second at most.
 */
export const MOST_ROWS = 4_000
/** The pieces of a file take as long as so many rows. */
const ROWS_OF_FILE = 200
/** What goes is counted exactly below this number. */
export const MOST_COUNTED = 10_000

/** Why an event is not deleted. */
export type Refusal = Hindering | 'event_live'

/** What goes with an event, each up to `MOST_COUNTED`. */
export type Gone = Record<Counted, number>

export interface DeletionForecast {
  gone: Gone
  /** None if the event can be deleted. */
  refusals: readonly Refusal[]
}

/** Only an event that nobody can come to is deleted. */
export function isDeletable(status: EventDetails['status']): boolean {
  return status === 'draft' || status === 'cancelled'
}

/** Counts what would go with an event, and lists what stands in the way. @throws Problem not_found */
export async function forecastDeletion(tx: ReadTx, eventId: string): Promise<DeletionForecast> {
  const { status } = await events.get(tx, eventId)
  const refusals: Refusal[] = isDeletable(status) ? [] : ['event_live']
  refusals.push(...(await listHindering(tx, eventId)))
  const gone: Partial<Gone> = {}
  for (const what of allCounted) gone[what] = await countUpTo(tx, eventId, what, MOST_COUNTED)
  return { gone: gone as Gone, refusals }
}

/** Returns about how many rows go. Mails that wait are among the mails. */
function sumOf({ waiting_mails, files, ...gone }: Gone): number {
  return Object.values(gone).reduce((sum, count) => sum + count, files * ROWS_OF_FILE)
}

/** An event that is deleted. */
export interface Deletion {
  /** The event as it was. */
  event: EventDetails
  gone: Gone
  /** Whether a job goes on with it. Nobody sees anything of the event even so. */
  isUnderWay: boolean
}

/**
 * Deletes an event with everything that it has: in one transaction, or if it is large by a job, from whose beginning on nobody
 * sees anything of it. Webhooks that were sent or wait, answers kept for a retry and the access log stay until their time is
 * over, since they tell what was done.
 *
 * @param typed the name of the event, as its owner has typed it
 * @param by the `who` of the actor
 * @throws Problem not_found; in_use with `details.reason`, the first of `refusals`; invalid_parameter for `title` if it is not
 *   the name
 */
export async function deleteEvent(
  tx: WriteTx,
  eventId: string,
  { typed, by }: { typed: string; by: string },
): Promise<Deletion> {
  const event = await events.getDetails(tx, eventId)
  const {
    gone,
    refusals: [reason],
  } = await forecastDeletion(tx, eventId)
  if (reason !== undefined) throw new Problem('in_use', { details: { reason } })
  if (plain(typed) !== plain(event.title))
    throw new Problem('invalid_parameter', { param: 'title', details: { reason: 'other_title' } })
  await closeInvitations(tx, eventId)
  await store.deleteMembers(tx, eventId)
  const isLarge = sumOf(gone) > MOST_ROWS
  if (isLarge) {
    await markDeleting(tx, eventId)
    await startDeletion(tx, event, by)
  } else await deleteAllRows(tx, eventId)
  return { event, gone, isUnderWay: isLarge }
}

/** Makes names equal that look the same. */
function plain(title: string): string {
  return title.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Whoever is invited to this event and others is still invited to the others. */
async function closeInvitations(tx: WriteTx, eventId: string): Promise<void> {
  for (const { id, event_ids } of await store.listInvitations(tx)) {
    const ids = JSON.parse(event_ids) as string[]
    if (!ids.includes(eventId)) continue
    const left = ids.filter(each => each !== eventId)
    await store.setInvitedTo(tx, id, JSON.stringify(left), await tx.now())
  }
}
