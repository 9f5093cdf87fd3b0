import { DAY, HOUR, MINUTE } from '../time.ts'

/** After each attempt that a server put off, how long until the next, in milliseconds: two days in all. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY]

/** @param attempts that were made. @returns undefined where there is none any more */
export function delayAfter(attempts: number): number | undefined {
  return DELAYS[attempts - 1]
}

/** The longest that a mail waits for its next attempt, in milliseconds. */
export const MAX_MAIL_DELAY = DAY
