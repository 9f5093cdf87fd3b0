import { Problem } from '#base/problem.ts'
import { wordsOf } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { allCounted, type Counted, countUpTo, type Hindering, listHindering } from './count-store.ts'
import * as store from './store.ts'

/**
 * The most rows of an event that is deleted. All other writes wait while it is, so it takes a tenth of a second at most.
 */
export const MOST_ROWS = 4_000

/** Why an event is not deleted. */
export type Refusal = Hindering | 'event_live' | 'event_too_large'

/** What goes with an event. */
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
  const gone = await countGone(tx, eventId)
  if (sumOf(gone) > MOST_ROWS) refusals.push('event_too_large')
  return { gone, refusals }
}

/** Counts up to one more than is deleted, so that a large event takes no longer. */
async function countGone(tx: ReadTx, eventId: string): Promise<Gone> {
  const gone: Partial<Gone> = {}
  for (const what of allCounted) gone[what] = await countUpTo(tx, eventId, what, MOST_ROWS + 1)
  return gone as Gone
}

/** Mails that wait are among the mails. */
function sumOf({ waiting_mails, ...gone }: Gone): number {
  return Object.values(gone).reduce((sum, count) => sum + count, 0)
}

/**
 * Deletes an event with everything that it has, in one transaction. Webhooks that were sent or wait, answers kept for a retry and
 * the access log stay until their time is over, since they tell what was done.
 *
 * @param typed the name of the event, as its owner has typed it
 * @returns the event as it was, and what went with it
 * @throws Problem not_found; in_use with `details.reason`, the first of `refusals`; invalid_parameter for `title` if it is not
 *   the name
 */
export async function deleteEvent(
  tx: WriteTx,
  eventId: string,
  typed: string,
): Promise<{ event: EventDetails; gone: Gone }> {
  const event = await events.getDetails(tx, eventId)
  const {
    gone,
    refusals: [reason],
  } = await forecastDeletion(tx, eventId)
  if (reason !== undefined) throw new Problem('in_use', { details: { reason } })
  if (plain(typed) !== plain(event.title))
    throw new Problem('invalid_parameter', { param: 'title', details: { reason: 'other_title' } })
  await forgetWords(tx, eventId)
  await closeInvitations(tx, eventId)
  await store.deleteRows(tx, eventId)
  return { event, gone }
}

/** Makes names equal that look the same. */
function plain(title: string): string {
  return title.normalize('NFC').replace(/\s+/g, ' ').trim()
}

async function forgetWords(tx: WriteTx, eventId: string): Promise<void> {
  const holders = new Map<string, store.HolderRow[]>()
  for (const row of await store.listHolders(tx, eventId)) {
    const some = holders.get(row.registration_id)
    if (some === undefined) holders.set(row.registration_id, [row])
    else some.push(row)
  }
  for (const row of await store.listRegistrations(tx, eventId))
    await store.deleteWords(tx, row, wordsOf([row, ...(holders.get(row.id) ?? [])]))
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
