import { HOUR, MINUTE } from '../../time.ts'

/** How long after the previous attempt ended each further one follows: specification section 6. The first goes at once. */
export const RETRY_DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** At most this much is added to a delay, so that endpoints which failed together do not return together. */
const JITTER = 0.1

/** How long a delivery waits for its next attempt at most, in milliseconds. */
export const MAX_RETRY_DELAY = Math.round(Math.max(...RETRY_DELAYS) * (1 + JITTER))

/**
 * When the attempt after number `made` is due, in milliseconds; null when that was the last. A ping has one attempt.
 *
 * @param ended when the attempt ended
 * @param random from 0 to 1
 */
export function nextAttemptAt(type: string, made: number, ended: number, random: number): number | null {
  const delay = type === 'ping' ? undefined : RETRY_DELAYS[made - 1]
  return delay === undefined ? null : ended + Math.round(delay * (1 + JITTER * random))
}
