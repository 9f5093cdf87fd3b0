import type { MailText } from '#machinery/mail/kind.ts'

/** Groups of people with tickets, or who wait for one. */
export const ticketGroups = ['confirmed', 'checked_in', 'not_checked_in', 'waitlist'] as const
/** Groups of the contacts of abstracts that stand. */
export const abstractGroups = ['submitted', 'accepted', 'unconfirmed', 'rejected'] as const
/** Groups of people who review abstracts: all, and those who are not done. */
export const reviewerGroups = ['reviewers', 'reviewing'] as const

/** Lists the groups that an announcement can be for. */
export const groups = [...ticketGroups, ...abstractGroups, ...reviewerGroups] as const

/** Which dates of its series an announcement goes to. The date that it is written for is always among them. */
export const dateChoices = ['this', 'later', 'all'] as const

export interface Audience {
  group: (typeof groups)[number]
  /** The ids of ticket types. An empty list means all of them, and so does any list for a group that has no tickets. */
  types: readonly string[]
  /** Undefined means this date alone, as for an event of no series. */
  dates?: (typeof dateChoices)[number]
}

/** Returns whether those of a group have tickets, or wait for one. */
export function isOfTickets(group: Audience['group']): group is (typeof ticketGroups)[number] {
  return ticketGroups.some(each => each === group)
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
  /** The announcement of another date of the series that it was sent with. That one may be gone. */
  origin_id: string | null
  created_at: number
}

/** Lists the values that an announcement may name, each as `{name}`. */
export const placeholders = ['name', 'event', 'organizer', 'ticket'] as const

/** Lists those that it may name for an audience. Who waits has no ticket, nor has who submits or reviews. */
export function placeholdersFor({ group }: Pick<Audience, 'group'>): readonly string[] {
  const hasTicket = isOfTickets(group) && group !== 'waitlist'
  return hasTicket ? placeholders : placeholders.filter(name => name !== 'ticket')
}
