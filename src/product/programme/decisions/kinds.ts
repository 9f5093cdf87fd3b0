import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

/** Tells an author that the abstract was accepted. */
export const acceptedMail = {
  ...{ name: 'abstract_accepted', lane: 'others' },
  placeholders: [
    ...['name', 'title', 'code', 'event', 'organizer', 'note'],
    ...['kind', 'confirm', 'registration', 'event_link', 'comments'],
  ],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** Tells an author that the abstract was not accepted. */
export const rejectedMail = {
  ...{ name: 'abstract_rejected', lane: 'others' },
  placeholders: ['name', 'title', 'code', 'event', 'organizer', 'note', 'comments'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>

/** The mail of each decision that is told. */
export const kindOf = { accepted: acceptedMail, rejected: rejectedMail } as const
