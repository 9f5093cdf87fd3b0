import type { KindOfMail, MailKind } from '../emails/kind.ts'

/** To whoever waits: that there is room. */
export const placeFreeMail = {
  ...{ name: 'place_free', lane: 'orders' },
  placeholders: ['name', 'event', 'organizer', 'link'],
} as const satisfies KindOfMail & Pick<MailKind, 'placeholders'>
