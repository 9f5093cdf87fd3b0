import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as datePlace from '#product/catalog/events/date-place.ts'
import * as reminders from '#product/catalog/events/reminders.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type CountedAudience, countPeople } from '#product/mailing/announcements/audience.ts'
import { listRecipients } from './recipients.ts'
import type { Notice } from './schemas.ts'
import { SEND } from './send.ts'

/** Names the actor of a job that nobody has started. */
const BY_ITSELF = 'server'

interface NotifyRequest {
  /** How many people were counted. It is null if not all were. */
  total: number | null
  /** The actor's name in the access log. */
  by: string
}

/** Counts the people whom a notice of an event goes to, including those who have unsubscribed from announcements. */
export async function countRecipients(
  reader: Reader,
  accountId: string,
  eventId: string,
): Promise<Pick<CountedAudience, 'recipients' | 'isMore'>> {
  const notice = { kind: 'event_changed', until: Number.POSITIVE_INFINITY, isForAll: true } as const
  const { recipients, unsubscribed, isMore } = await countPeople(reader, accountId, (tx, page, mostTickets) =>
    listRecipients(tx, eventId, notice, page, mostTickets),
  )
  return { recipients: recipients + unsubscribed, isMore }
}

/**
 * Starts a job that notifies those who have tickets of another date or place.
 *
 * @throws Problem not_found, also if they know the current ones or the event is not published
 */
export async function notifyChange(tx: WriteTx, eventId: string, request: NotifyRequest): Promise<Job> {
  const { status } = await events.get(tx, eventId)
  const was = await datePlace.findUnnotified(tx, eventId)
  if (was === undefined || status !== 'published') throw new Problem('not_found')
  await datePlace.clearUnnotified(tx, eventId)
  return start(tx, eventId, { kind: 'event_changed', was }, request)
}

/**
 * Starts a job that notifies them that the event is cancelled.
 *
 * @throws Problem not_found, also if it is not cancelled
 */
export async function notifyCancelled(tx: WriteTx, eventId: string, request: NotifyRequest): Promise<Job> {
  const { status } = await events.get(tx, eventId)
  if (status !== 'cancelled') throw new Problem('not_found')
  return start(tx, eventId, { kind: 'event_cancelled', was: null }, request)
}

async function start(
  tx: WriteTx,
  eventId: string,
  notice: Pick<Notice, 'kind' | 'was'>,
  request: NotifyRequest,
): Promise<Job> {
  const input: Notice = { ...notice, cause: newUuid(), until: await tx.now(), isForAll: true }
  return jobs.start(tx, { kind: SEND, eventId, input, ...request })
}

/**
 * Starts a job that reminds the people of an event, if it is time for that and they were not reminded. It does so once for each
 * day on which the event begins, because the event may be moved. Somebody who was confirmed after the time of the reminder has
 * just read about the event.
 *
 * @returns undefined if there was nothing to do
 */
export async function remind(tx: WriteTx, eventId: string): Promise<Job | undefined> {
  // It was deleted after somebody saw that it is time.
  if ((await events.findId(tx, eventId)) === undefined) return undefined
  const event = await events.getDetails(tx, eventId)
  const { timezone, status, reminder } = event
  if (event.starts_at === null || status !== 'published' || reminder === 'off') return undefined
  const startsAt = Date.parse(event.starts_at)
  const until = reminders.remindAt(startsAt, timezone)
  const now = tx.clock()
  const before = await reminders.findReminded(tx, eventId)
  if (now < until || now >= startsAt || before === startsAt) return undefined
  await reminders.markReminded(tx, eventId, startsAt)
  const day = reminders.dayOf(startsAt, timezone)
  if (before !== null && reminders.dayOf(before, timezone) === day) return undefined
  const cause = `${eventId} ${day}`
  const input: Notice = { kind: 'reminder', cause, until, isForAll: reminder === 'all', was: null }
  return jobs.start(tx, { kind: SEND, eventId, input, total: null, by: BY_ITSELF })
}
