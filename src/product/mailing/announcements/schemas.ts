import type { MailText } from '../emails/kind.ts'

/** Whom an announcement is for. */
export const groups = ['confirmed', 'checked_in', 'not_checked_in', 'waitlist'] as const

export interface Audience {
  group: (typeof groups)[number]
  /** Of tickets, by their ids; none for all of them. */
  types: readonly string[]
}

export type AnnouncementStatus = 'draft' | 'sent' | 'stopped'

/** What an organizer writes to many at once: the body in Markdown. Instants in milliseconds. */
export interface Announcement extends MailText {
  id: string
  event_id: string
  audience: Audience
  status: AnnouncementStatus
  /** The job that writes its mails, once it is no draft. */
  job_id: string | null
  sent_at: number | null
  stopped_at: number | null
  created_at: number
}

/** What it may name, each as `{name}`. */
export const placeholders = ['name', 'event', 'organizer'] as const
