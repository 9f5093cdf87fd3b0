import type { Conclusion } from './store.ts'

/** Returns the conclusion for a mail that is no longer sent. */
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
