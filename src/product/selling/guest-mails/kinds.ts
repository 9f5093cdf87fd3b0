import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'

type Kind = KindOfMail & Pick<MailKind, 'placeholders'>

const placeholders = ['name', 'event', 'when', 'place', 'organizer', 'link'] as const

/** It brings somebody their tickets because the organizer sends them, whether or not they were ordered. */
export const guestTicketsMail = {
  name: 'guest_tickets',
  lane: 'others',
  placeholders,
} as const satisfies Kind

/** It tells a guest whom the organizer brought in that their tickets are cancelled. */
export const guestCancelledMail = {
  ...{ name: 'guest_cancelled', lane: 'others' },
  placeholders,
} as const satisfies Kind
