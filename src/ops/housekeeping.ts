import type { Logger } from 'pino'
import { HOUR, MINUTE } from '../time.ts'

/** When a server that has just started cleans up: one at the door may be switched off before the hour is full. */
const FIRST_AFTER = MINUTE

export interface HousekeepingOptions {
  /** Cleans up once, and stops in the middle where the signal says so. */
  clean: (signal: AbortSignal) => Promise<void>
  log: Logger
  /** For tests: when it cleans up for the first time, in milliseconds. */
  firstAfter?: number | undefined
}

/**
 * Cleans up soon after the start, and then every hour.
 *
 * @returns what stops it, in the middle of a run too: what is left waits for the next start
 */
export function startHousekeeping({
  clean,
  log,
  firstAfter = FIRST_AFTER,
}: HousekeepingOptions): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= clean(stopping.signal)
      .catch(error => log.error({ err: error }, 'the cleaning failed'))
      .finally(() => {
        running = undefined
      })
  }
  const first = setTimeout(run, firstAfter).unref()
  const hourly = setInterval(run, HOUR).unref()
  return async () => {
    clearTimeout(first)
    stopping.abort()
    clearInterval(hourly)
    await running
  }
}
