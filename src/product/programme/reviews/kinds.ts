import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

/** Asks somebody to review abstracts of an event. */
export const invitedMail = {
  ...{ name: 'review_invited', lane: 'others' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a reviewer that there are abstracts to review. Those of some minutes are told together. */
export const assignedMail = {
  ...{ name: 'review_assigned', lane: 'others' },
  placeholders: ['count', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Reminds a reviewer of what is not done. */
export const remindedMail = {
  ...{ name: 'review_reminder', lane: 'others' },
  placeholders: ['count', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** The kinds of mail to people who review abstracts. */
export const reviewKinds = [invitedMail, assignedMail, remindedMail] as const
