import { DAY, HOUR, MINUTE } from '#base/time.ts'

/** The pause after each attempt that a server put off, in milliseconds: two days in all. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY]

/** The most of a delay that is left out, so that mails that a server put off together do not come back together. */
const SPREAD = 0.2

/**
 * Returns the delay after an attempt, in milliseconds.
 *
 * @param attempts the attempts so far
 * @param random from 0 to 1
 * @returns undefined if there are no more attempts
 */
export function delayAfter(attempts: number, random: number): number | undefined {
  const delay = DELAYS[attempts - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 - SPREAD * random))
}

/** The longest time that a mail waits for its next attempt, in milliseconds. */
export const MAX_MAIL_DELAY = DAY
