import { DAY, HOUR, MINUTE } from '../time.ts'

/** After each attempt that a server put off, how long until the next, in milliseconds: two days in all. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY]

/** At most this much of a delay is left out, so that mails which a server put off together do not come back together. */
const SPREAD = 0.2

/**
 * @param attempts that were made
 * @param random from 0 to 1
 * @returns undefined where there is none any more
 */
export function delayAfter(attempts: number, random: number): number | undefined {
  const delay = DELAYS[attempts - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 - SPREAD * random))
}

/** The longest that a mail waits for its next attempt, in milliseconds. */
export const MAX_MAIL_DELAY = DAY
