import type { Clock } from '../../src/time.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
  set(iso: string): void
}

export function testClock(iso = '2026-11-21T12:00:00.000Z'): TestClock {
  let now = Date.parse(iso)
  const clock = () => now
  return Object.assign(clock, {
    advance: (milliseconds: number) => {
      now += milliseconds
    },
    set: (moment: string) => {
      now = Date.parse(moment)
    },
  })
}
