import * as v from 'valibot'
import { says } from '../faults.ts'
import { name, text } from '../fields.ts'
import type { Language } from '../web/texts/languages.ts'

export const emailStatuses = ['waiting', 'sent', 'failed', 'withdrawn'] as const

/** Which of those that wait go first: what somebody has just paid for never waits behind what an organizer writes to all. */
export const lanes = { orders: 1, others: 2, announcements: 3 } as const

/** What stands as the answer to a mail that no server was asked about. */
export const NOT_NEEDED = 'It was not needed any more.'
export const NOT_MADE = 'It could not be made: see the log of the server.'

export type Lane = keyof typeof lanes

const MAX_BODY = 20_000

/** A text that an organizer writes: the subject in one line, the body in Markdown. */
export const mailTextFields = {
  subject: name(),
  body: v.pipe(
    text(MAX_BODY, 1),
    v.check(body => body.trim() !== '', says('blank')),
  ),
}

/** A mail, as its list and its page show it. Instants in milliseconds. */
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
  /** Those that a server answered, or may have. */
  attempts: number
  next_attempt_at: number | null
  sent_at: number | null
  /** What the server said last, or why it was not asked. */
  answer: string | null
  /** As it was sent; null before. */
  subject: string | null
  /** Plain text, as it was sent; null before. */
  body: string | null
  created_at: number
}
