/** The clock of the stand-in, apart from that of the machine and of the server under test. */
export interface StripeClock {
  now(): Date
}

/** A clock that stands still until a test moves it. */
export interface MovableClock extends StripeClock {
  advance(milliseconds: number): void
  set(iso: string): void
}

export function movableClock(iso = '2026-11-21T12:00:00.000Z'): MovableClock {
  let now = Date.parse(iso)
  return {
    now: () => new Date(now),
    advance: milliseconds => {
      now += milliseconds
    },
    set: moment => {
      now = Date.parse(moment)
    },
  }
}

/** Returns the clock of the machine, which a test may move on by an offset. */
export function machineClock(): MovableClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance: milliseconds => {
      offset += milliseconds
    },
    set: moment => {
      offset = Date.parse(moment) - Date.now()
    },
  }
}

export const MINUTE = 60
export const HOUR = 3_600
export const DAY = 86_400
