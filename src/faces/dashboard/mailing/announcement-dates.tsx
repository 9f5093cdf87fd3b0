import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { record } from '#product/administration/access-log/rules.ts'
import { mapOutlines } from '#product/catalog/events/outlines.ts'
import {
  type CountedReach,
  countReach,
  findReach,
  listSentWith,
  type Reach,
} from '#product/mailing/announcements/dates.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Announcement } from '#product/mailing/announcements/schemas.ts'
import { AnnouncementState } from './announcement-parts.tsx'

/** Those who would get a draft, on each date that it reaches. */
export interface Counted {
  reach: Reach
  counted: CountedReach
}

/** Finds the dates that a draft reaches for the member who looks at it. */
export function findOwnReach(
  tx: ReadTx,
  { event, member }: EventRequest,
  { audience }: Announcement,
): Promise<Reach> {
  return findReach(tx, event.id, audience, member.event_ids)
}

export async function countDraft(
  { db }: Services,
  request: EventRequest,
  draft: Announcement,
): Promise<Counted> {
  const reach = await db.read(request.account.id, tx => findOwnReach(tx, request, draft))
  return { reach, counted: await countReach(db, request.account.id, reach) }
}

/** Lists the dates whose guests get a draft, with how many they are. It shows nothing for one date alone. */
export function ReachedDates({ of: { reach, counted }, voice }: { of: Counted; voice: Voice }) {
  if (reach.dates.length < 2) return null
  const { texts, format } = voice
  return (
    <details open={reach.dates.length <= 10}>
      <summary>{texts.announcements.reachedDates}</summary>
      <ul>
        {reach.dates.map(({ eventId, starts_at }, at) => {
          const there = counted.each[at]
          const count = format.number(there?.recipients ?? 0)
          return (
            <li key={eventId}>
              {starts_at === null ? texts.events.noDate : format.dateTime(starts_at)}
              {': '}
              {there?.isMore ? texts.announcements.moreThan(count) : count}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** Says which dates a draft leaves out, and why. */
export function sentencesOfReach({ hidden, without, dates }: Reach, { texts }: Voice): string[] {
  const { announcements: own } = texts
  return [
    ...(hidden > 0 ? [own.hiddenDates(hidden)] : []),
    ...(without > 0 ? [own.datesWithout(without)] : []),
    ...(dates.length > 1 ? [own.noOtherDates] : []),
  ]
}

/** The announcement of another date that one was sent with. */
export interface Other {
  announcement: Announcement
  /** ISO 8601, or null if the date is open. */
  starts_at: string | null
  /** Whether mails of it are still being written or going out. */
  isMoving: boolean
  hasFailed: boolean
}

/** Lists the announcements that one was sent with, of dates that the member may see, in the order of the dates. */
export async function listOthers(tx: ReadTx, { member }: EventRequest, of: Announcement): Promise<Other[]> {
  const others: Other[] = []
  const sent = await listSentWith(tx, of, member.event_ids)
  const outlines = await mapOutlines(
    tx,
    sent.map(({ event_id }) => event_id),
  )
  for (const announcement of sent) {
    const event = outlines.get(announcement.event_id)
    if (event === undefined) continue
    const job = await announcements.findJob(tx, announcement)
    const isWriting = job?.state === 'waiting' || job?.state === 'running'
    const waiting = { subjectId: announcement.id, status: 'waiting' } as const
    const isMoving = isWriting || (await emails.countOfSubject(tx, waiting, 1)) > 0
    const hasFailed = announcement.status === 'sent' && job?.state === 'failed'
    others.push({ announcement, starts_at: event.starts_at, isMoving, hasFailed })
  }
  return others.sort((one, other) => (one.starts_at ?? '9').localeCompare(other.starts_at ?? '9'))
}

/** Shows the other dates that an announcement was sent to, each leading to its own. */
export function SentWith({ others, voice }: { others: readonly Other[]; voice: Voice }) {
  const { texts, format } = voice
  if (others.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="others">
      <h2 id="others">{texts.announcements.sentWith}</h2>
      <ul>
        {others.map(({ announcement: { id, event_id, status }, starts_at, hasFailed }) => (
          <li key={id}>
            <a href={paths.announcement(event_id, id)}>
              {starts_at === null ? texts.events.noDate : format.dateTime(starts_at)}
            </a>{' '}
            <AnnouncementState status={status} texts={texts} />
            {hasFailed && ` ${texts.announcements.hasFailed}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Stops an announcement, and those of the other dates that it was sent with as far as the member may see them. Each has its entry
 * in the access log; that of the first is left to the caller.
 *
 * @throws Problem not_found
 */
export async function stopWithOthers(tx: WriteTx, request: EventRequest, of: Announcement): Promise<void> {
  await announcements.stop(tx, of.event_id, of.id)
  for (const other of await listSentWith(tx, of, request.member.event_ids)) {
    if (other.status !== 'sent') continue
    await announcements.stop(tx, other.event_id, other.id)
    await recordOther(tx, request, 'announcement.stop', other)
  }
}

/** Writes the entry of what was done with the announcement of another date, beside that of the page itself. */
export function recordOther(
  tx: WriteTx,
  request: EventRequest,
  action: 'announcement.send' | 'announcement.stop',
  { id, event_id }: Announcement,
): Promise<void> {
  const { who, requestId, address } = actorOf(request)
  const target = { targetType: 'announcement', targetId: id, details: { event_id } }
  return record(tx, { ...{ who, requestId, address, action }, ...target })
}
