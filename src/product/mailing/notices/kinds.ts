import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'organizer', 'link'] as const

/** Reminds each holder on the day before. */
export const reminderMail = { name: 'reminder', lane: 'others', placeholders } as const satisfies Kind

/** Tells buyers and holders about another date or place. */
export const changedMail = {
  ...{ name: 'event_changed', lane: 'others' },
  placeholders: [...placeholders, 'was_when', 'was_place'],
} as const satisfies Kind

/** Tells buyers and holders that the event is cancelled. */
export const cancelledMail = { name: 'event_cancelled', lane: 'others', placeholders } as const satisfies Kind

/** Lists the kinds by their names. */
export const noticeKinds = {
  [reminderMail.name]: reminderMail,
  [changedMail.name]: changedMail,
  [cancelledMail.name]: cancelledMail,
} as const
