import { type CountedAudience, countPeople } from '../announcements/audience.ts'
import type { Reader } from '../db/batches.ts'
import type { WriteTx } from '../db/port.ts'
import * as datePlace from '../events/date-place.ts'
import * as reminders from '../events/reminders.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { Problem } from '../problem.ts'
import { listRecipients } from './recipients.ts'
import type { Notice } from './schemas.ts'
import { SEND } from './send.ts'

/** Of a job that nobody has started. */
const BY_ITSELF = 'server'

interface Telling {
  /** How many people were counted; null where not all were. */
  total: number | null
  /** As the access log names an actor. */
  by: string
}

/** How many people a notice of an event goes to: also those who want no announcements. */
export async function countTold(
  reader: Reader,
  accountId: string,
  eventId: string,
): Promise<Pick<CountedAudience, 'recipients' | 'isMore'>> {
  const notice = { kind: 'event_changed', until: Number.POSITIVE_INFINITY, isForAll: true } as const
  const { recipients, unsubscribed, isMore } = await countPeople(reader, accountId, (tx, page, mostTickets) =>
    listRecipients(tx, accountId, eventId, notice, page, mostTickets),
  )
  return { recipients: recipients + unsubscribed, isMore }
}

/**
 * Has those who have tickets told of another date or place, by a job.
 *
 * @throws Problem not_found, also where they know what is so, or the event is not published
 */
export async function tellChange(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  telling: Telling,
): Promise<Job> {
  const { status } = await events.get(tx, accountId, eventId)
  const was = await datePlace.findUntold(tx, accountId, eventId)
  if (was === undefined || status !== 'published') throw new Problem('not_found')
  await datePlace.forgetUntold(tx, accountId, eventId)
  return start(tx, accountId, eventId, { kind: 'event_changed', was }, telling)
}

/** Has them told that the event is cancelled. @throws Problem not_found, also where it is not */
export async function tellCancelled(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  telling: Telling,
): Promise<Job> {
  const { status } = await events.get(tx, accountId, eventId)
  if (status !== 'cancelled') throw new Problem('not_found')
  return start(tx, accountId, eventId, { kind: 'event_cancelled', was: null }, telling)
}

async function start(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  notice: Pick<Notice, 'kind' | 'was'>,
  telling: Telling,
): Promise<Job> {
  const input: Notice = { ...notice, cause: newUuid(), until: await tx.now(), isForAll: true }
  return jobs.start(tx, accountId, { kind: SEND, eventId, input, ...telling })
}

/**
 * Has the people of an event reminded of it, by a job, where it is time for that and they were not: once for each day on which it
 * begins, as it may be moved. Whoever was confirmed after the time of the reminder has just read of it.
 *
 * @returns undefined where nothing was to be done
 * @throws Problem not_found
 */
export async function remind(tx: WriteTx, accountId: string, eventId: string): Promise<Job | undefined> {
  const event = await events.getDetails(tx, accountId, eventId)
  const { timezone, status, reminder } = event
  if (event.starts_at === null || status !== 'published' || reminder === 'off') return undefined
  const startsAt = Date.parse(event.starts_at)
  const until = reminders.remindAt(startsAt, timezone)
  const now = tx.clock()
  const before = await reminders.findReminded(tx, accountId, eventId)
  if (now < until || now >= startsAt || before === startsAt) return undefined
  await reminders.markReminded(tx, accountId, eventId, startsAt)
  const day = reminders.dayOf(startsAt, timezone)
  if (before !== null && reminders.dayOf(before, timezone) === day) return undefined
  const cause = `${eventId} ${day}`
  const input: Notice = { kind: 'reminder', cause, until, isForAll: reminder === 'all', was: null }
  return jobs.start(tx, accountId, { kind: SEND, eventId, input, total: null, by: BY_ITSELF })
}
