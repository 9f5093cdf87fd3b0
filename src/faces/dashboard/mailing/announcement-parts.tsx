import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Announcement, AnnouncementStatus, Audience } from '#product/mailing/announcements/schemas.ts'
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

/** Returns the audience of an announcement in words. */
export function describeAudience({ group, types }: Audience, names: Names, { texts, format }: Voice): string {
  const { announcements } = texts
  const chosen = names.filter(({ id }) => types.includes(id)).map(({ name }) => name)
  const which = types.length === 0 ? announcements.allTypes : format.list(chosen)
  return `${announcements.groups[group]}: ${which}`
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
      <bdi>{announcement.subject}</bdi>
    </a>
  )
}
