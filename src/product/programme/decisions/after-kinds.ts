import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

/** Reminds a person to confirm that an abstract is presented. */
export const confirmReminderMail = {
  ...{ name: 'abstract_confirm_reminder', lane: 'others' },
  placeholders: ['code', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells an author that they present an abstract now. An author has typed the e-mail, so nothing else that was typed is in it. */
export const presentingMail = {
  ...{ name: 'abstract_presenting', lane: 'others' },
  placeholders: ['code', 'event', 'organizer'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells those who organize an event what authors have done that concerns them. What comes within some minutes is told together. */
export const newsMail = {
  ...{ name: 'abstract_news', lane: 'others' },
  placeholders: ['changes', 'event', 'organizer'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** The kinds of mail about abstracts after their decision. */
export const afterKinds = [confirmReminderMail, presentingMail, newsMail] as const
