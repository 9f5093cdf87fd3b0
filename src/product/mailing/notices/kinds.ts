import type { KindOfMail, MailKind } from '../emails/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'organizer', 'link'] as const

/** To each holder, the day before. */
export const reminderMail = { name: 'reminder', lane: 'others', placeholders } as const satisfies Kind

/** To buyers and holders: another date or place. */
export const changedMail = {
  ...{ name: 'event_changed', lane: 'others' },
  placeholders: [...placeholders, 'was_when', 'was_place'],
} as const satisfies Kind

/** To buyers and holders: it is cancelled. */
export const cancelledMail = { name: 'event_cancelled', lane: 'others', placeholders } as const satisfies Kind

/** By their names. */
export const noticeKinds = {
  [reminderMail.name]: reminderMail,
  [changedMail.name]: changedMail,
  [cancelledMail.name]: cancelledMail,
} as const
