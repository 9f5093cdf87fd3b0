import { type Clock, DAY } from '#base/time.ts'
import { INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import { openDatabase } from './engine.ts'

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

const TEN_YEARS = 3653 * DAY

/** Writes what a command leaves on an idle folder when it runs with a clock that is ten years ahead. */
export async function writeTenYearsAhead(
  { data, clock }: { data: string; clock: Clock },
  work: (tx: InstanceWriteTx) => Promise<unknown> = tx => tx.now(),
): Promise<void> {
  const db = await openDatabase(data, () => clock() + TEN_YEARS)
  try {
    await db.write(INSTANCE, work)
  } finally {
    await db.close()
  }
}
