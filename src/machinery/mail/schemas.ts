import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { name, text } from '#base/fields.ts'
import type { Language } from '#texts/languages.ts'

export const emailStatuses = ['waiting', 'sent', 'failed', 'withdrawn'] as const

/** The order of waiting mails. A mail about something just paid for never waits behind a mail that an organizer writes to all. */
export const lanes = { orders: 1, others: 2, announcements: 3 } as const

/** The answers shown for a mail about which no server was asked. */
export const NOT_NEEDED = 'It was not needed any more.'
export const NOT_MADE = 'It could not be made: see the log of the server.'

export type Lane = keyof typeof lanes

const MAX_BODY = 20_000

/** The fields of a text that an organizer writes: the subject in one line, the body in Markdown. */
export const mailTextFields = {
  subject: name(),
  body: v.pipe(
    text(MAX_BODY, 1),
    v.check(body => body.trim() !== '', says('blank')),
  ),
}

/** A mail, as its list and its page show it. Instants are in milliseconds. */
export interface Email {
  id: string
  account_id: string
  event_id: string | null
  kind: string
  cause: string
  subject_id: string | null
  recipient: string
  language: Language
  status: (typeof emailStatuses)[number]
  /** The attempts that a server answered, or may have answered. */
  attempts: number
  next_attempt_at: number | null
  sent_at: number | null
  /** The last answer of the server, or why it was not asked. */
  answer: string | null
  /** The subject as it was sent. It is null before. */
  subject: string | null
  /** The plain text as it was sent. It is null before. */
  body: string | null
  created_at: number
}
