import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'organizer'] as const

/** It brings whoever had a ticket the one that takes its place. */
export const exchangedMail = {
  ...{ name: 'ticket_exchanged', lane: 'orders' },
  placeholders: [...placeholders, 'link'],
} as const satisfies Kind

/** It tells somebody that the ticket that they had is somebody else's now. It names nobody. */
export const givenOnMail = { name: 'ticket_given_on', lane: 'orders', placeholders } as const satisfies Kind
