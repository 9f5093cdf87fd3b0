import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../folder.ts'
import type { Surroundings } from '../server-process.ts'

/** The clocks of the machines of two servers. */
export interface Clocks {
  /** Puts a clock so many milliseconds before the right time. */
  set(at: 0 | 1, ahead: number): void
  /** Returns what a server is started with, so that it is on that machine. */
  surroundings(at: 0 | 1): Surroundings
}

export function makeClocks(t: Pick<TestContext, 'after'>): Clocks {
  const folder = temporaryFolder(t)
  const fileOf = (at: number) => join(folder, `clock-${at}`)
  const set = (at: number, ahead: number) => writeFileSync(fileOf(at), String(ahead))
  set(0, 0)
  set(1, 0)
  return {
    set,
    surroundings: at => ({
      imports: ['test/support/cluster/set-clock.ts'],
      env: { CLOCK: fileOf(at) },
    }),
  }
}
