import { DateTime, IANAZone } from 'luxon'

/** Milliseconds since the epoch, UTC. The one clock is handed down from the composition root. */
export type Clock = () => number

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** ISO 8601 in UTC with milliseconds, as the specification's section 1 has it. */
export function toIso(instant: number): string {
  return new Date(instant).toISOString()
}

export function toIsoOrNull(instant: number | null): string | null {
  return instant === null ? null : toIso(instant)
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Reads an ISO 8601 date and time that names its offset; undefined for anything else, 30 February too. */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined
  const moment = DateTime.fromISO(text)
  return moment.isValid ? moment.toMillis() : undefined
}

export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name)
}

/** The instant of `hour`:00, `days` after the local day that `instant` falls on. */
export function atLocalHour(instant: number, zone: string, days: number, hour: number): number {
  return DateTime.fromMillis(instant, { zone }).plus({ days }).startOf('day').set({ hour }).toMillis()
}
