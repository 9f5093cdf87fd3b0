import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

/** Tells people on the waitlist that there is room. */
export const placeFreeMail = {
  ...{ name: 'place_free', lane: 'orders' },
  placeholders: ['name', 'event', 'when', 'place', 'organizer', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>
