import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

/** Brings a person the link to all abstracts that they have in an event. */
export const linkMail = {
  ...{ name: 'abstract_link', lane: 'orders' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that an abstract has arrived. What was typed is not in it, as the address may be that of somebody else. */
export const receivedMail = {
  ...{ name: 'abstract_received', lane: 'orders' },
  placeholders: ['code', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that a chair has added an abstract in their name. */
export const addedMail = {
  ...{ name: 'abstract_added', lane: 'others' },
  placeholders: ['code', 'event', 'organizer', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Reminds a person of what they have typed and not sent, while there is time. */
export const reminderMail = {
  ...{ name: 'abstract_reminder', lane: 'others' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person who has typed what they have not sent that they have longer. */
export const extendedMail = {
  ...{ name: 'abstract_extended', lane: 'others' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that the call is open longer for them alone. */
export const lateMail = {
  ...{ name: 'abstract_late', lane: 'orders' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that somebody of the organizers has changed an abstract. */
export const changedMail = {
  ...{ name: 'abstract_changed', lane: 'orders' },
  placeholders: ['code', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Brings a person a new link, as those before lead nowhere. */
export const newLinkMail = {
  ...{ name: 'abstract_new_link', lane: 'orders' },
  placeholders: ['event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells an e-mail that another one has taken its place. It has no link, as it may be that of a stranger. */
export const oldEmailMail = {
  ...{ name: 'abstract_old_email', lane: 'orders' },
  placeholders: ['event', 'organizer'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that an abstract is withdrawn. */
export const withdrawnMail = {
  ...{ name: 'abstract_withdrawn', lane: 'orders' },
  placeholders: ['code', 'event', 'organizer'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells a person that the withdrawal of an abstract is taken back. */
export const reopenedMail = {
  ...{ name: 'abstract_reopened', lane: 'orders' },
  placeholders: ['code', 'event', 'organizer', 'deadline', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** The kinds of mail to people who submit abstracts. */
export const submissionKinds = [
  linkMail,
  receivedMail,
  addedMail,
  reminderMail,
  extendedMail,
  lateMail,
  changedMail,
  newLinkMail,
  oldEmailMail,
  withdrawnMail,
  reopenedMail,
] as const
