import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { fill } from '#machinery/web/components/markdown.tsx'
import { Pill } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { CountedAudience } from '#product/mailing/announcements/audience.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import {
  type Announcement,
  type AnnouncementStatus,
  type Audience,
  isOfTickets,
} from '#product/mailing/announcements/schemas.ts'
import type { Texts } from '#texts/texts.ts'

export const ANNOUNCEMENT_PATH = '/e/{event}/messages/announcements/{announcement}'

/** @throws Problem not_found, also for an announcement of another event */
export function findAnnouncement(tx: ReadTx, { event, params }: EventRequest): Promise<Announcement> {
  return announcements.get(tx, event.id, params.announcement ?? '')
}

/** @throws Problem not_found; announcement_sent */
export function findDraft(tx: ReadTx, { event, params }: EventRequest): Promise<Announcement> {
  return announcements.getDraft(tx, event.id, params.announcement ?? '')
}

const tones: Readonly<Record<AnnouncementStatus, Tone | 'off'>> = {
  draft: 'warn',
  sent: 'good',
  stopped: 'off',
}

export function AnnouncementState({ status, texts }: { status: AnnouncementStatus; texts: Texts }) {
  return <Pill tone={tones[status]}>{texts.announcements.status[status]}</Pill>
}

type Names = readonly Pick<TypeDetails, 'id' | 'name'>[]

/** Returns in words whom an announcement is for, and of which dates of a series. */
export function describeAudience(
  { audience, origin_id }: Pick<Announcement, 'audience' | 'origin_id'>,
  names: Names,
  voice: Voice,
): string {
  const { announcements } = voice.texts
  const people = describePeople(audience, names, voice)
  if (origin_id !== null) return `${people} · ${announcements.withOthers}`
  const { dates = 'this' } = audience
  return dates === 'this' ? people : `${people} · ${announcements.dates[dates]}`
}

function describePeople({ group, types }: Audience, names: Names, { texts, format }: Voice): string {
  const { announcements } = texts
  if (!isOfTickets(group)) return announcements.groups[group]
  const chosen = names.filter(({ id }) => types.includes(id)).map(({ name }) => name)
  const which = types.length === 0 ? announcements.allTypes : format.list(chosen)
  return `${announcements.groups[group]}: ${which}`
}

/** Returns the subject of an announcement with what is the same for everybody filled in. */
export function fillTitle(subject: string, { account, event }: EventRequest): string {
  return fill(subject, { event: event.title, organizer: account.name })
}

/** Says how many people get an announcement, or how many mails go to those of several dates. */
export function tellCounted(
  counted: CountedAudience | undefined,
  { texts, format }: Voice,
  isOfDates = false,
): string {
  const { recipients = 0, isMore = false } = counted ?? {}
  const count = format.number(recipients)
  const { announcements: own } = texts
  if (recipients === 0 && !isMore) return own.nobody
  if (isMore) return own.atLeast(count)
  return isOfDates ? own.mails(count, recipients) : own.recipients(count, recipients)
}

export function ToAnnouncement({
  request,
  announcement,
}: {
  request: EventRequest
  announcement: Announcement
}) {
  return (
    <a href={paths.announcement(request.event.id, announcement.id)}>
      <bdi>{fillTitle(announcement.subject, request)}</bdi>
    </a>
  )
}
