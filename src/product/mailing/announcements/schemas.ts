import type { MailText } from '#machinery/mail/kind.ts'

/** Lists the groups that an announcement can be for. */
export const groups = ['confirmed', 'checked_in', 'not_checked_in', 'waitlist'] as const

export interface Audience {
  group: (typeof groups)[number]
  /** The ids of ticket types. An empty list means all of them. */
  types: readonly string[]
}

export type AnnouncementStatus = 'draft' | 'sent' | 'stopped'

/** Holds what an organizer writes to many people at once. The body is Markdown. Instants are in milliseconds. */
export interface Announcement extends MailText {
  id: string
  event_id: string
  audience: Audience
  status: AnnouncementStatus
  /** The job that writes its mails, once it is no longer a draft. */
  job_id: string | null
  sent_at: number | null
  stopped_at: number | null
  created_at: number
}

/** Lists the values that an announcement may name, each as `{name}`. */
export const placeholders = ['name', 'event', 'organizer', 'ticket'] as const

/** Lists those that it may name for an audience. Who waits has no ticket. */
export function placeholdersFor({ group }: Pick<Audience, 'group'>): readonly string[] {
  return group === 'waitlist' ? placeholders.filter(name => name !== 'ticket') : placeholders
}
