import type { Conclusion } from './store.ts'

/** A mail that is not sent any more. */
export function withdrawn(attempts: number, answer: string): Conclusion {
  return {
    status: 'withdrawn',
    attempts,
    next_attempt_at: null,
    sent_at: null,
    answer,
    subject: null,
    body: null,
  }
}
