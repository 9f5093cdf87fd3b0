import * as announcements from '../announcements/rules.ts'
import type { Announcement, AnnouncementStatus, Audience } from '../announcements/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import type { TypeDetails } from '../registration-types/schemas.ts'
import { Pill } from '../web/components/parts.tsx'
import type { Tone } from '../web/flash.ts'
import type { Texts } from '../web/texts/texts.ts'
import type { Voice } from '../web/voice.ts'
import type { OfEvent } from './asked.ts'
import { paths } from './paths.ts'

export const ANNOUNCEMENT_PATH = '/e/{event}/messages/announcements/{announcement}'

/** @throws Problem not_found, also for one of another event */
export function findAnnouncement(tx: ReadTx, { account, event, params }: OfEvent): Promise<Announcement> {
  return announcements.get(tx, account.id, event.id, params.announcement ?? '')
}

/** @throws Problem not_found; announcement_sent */
export function findDraft(tx: ReadTx, { account, event, params }: OfEvent): Promise<Announcement> {
  return announcements.getDraft(tx, account.id, event.id, params.announcement ?? '')
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

/** Whom an announcement is for, in words. */
export function tellAudience({ group, types }: Audience, names: Names, { texts, format }: Voice): string {
  const { announcements } = texts
  const chosen = names.filter(({ id }) => types.includes(id)).map(({ name }) => name)
  const which = types.length === 0 ? announcements.allTypes : format.list(chosen)
  return `${announcements.groups[group]}: ${which}`
}

export function ToAnnouncement({ asked, announcement }: { asked: OfEvent; announcement: Announcement }) {
  return (
    <a href={paths.announcement(asked.event.id, announcement.id)}>
      <bdi>{announcement.subject}</bdi>
    </a>
  )
}
