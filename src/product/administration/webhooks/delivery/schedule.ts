import { HOUR, MINUTE } from '#base/time.ts'

/**
 * The delay of each further attempt, from the end of the previous one (specification section 6). The first attempt follows at
 * once.
 */
export const RETRY_DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** At most this part is added to a delay, so that endpoints that failed together do not return together. */
const JITTER = 0.1

/** The longest that a delivery waits for its next attempt, in milliseconds. */
export const MAX_RETRY_DELAY = Math.round(Math.max(...RETRY_DELAYS) * (1 + JITTER))

/**
 * Returns when the attempt after number `made` is due, in milliseconds, or null if that was the last one. A ping has one attempt.
 *
 * @param ended when the attempt ended
 * @param random from 0 to 1
 */
export function nextAttemptAt(type: string, made: number, ended: number, random: number): number | null {
  const delay = type === 'ping' ? undefined : RETRY_DELAYS[made - 1]
  return delay === undefined ? null : ended + Math.round(delay * (1 + JITTER * random))
}
