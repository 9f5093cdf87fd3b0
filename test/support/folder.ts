import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** An empty folder that is gone when the tests of the file have ended: what runs in it may close after the test's own end. */
export function temporaryFolder(_test: Pick<TestContext, 'after'>, place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'turnout-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const MEMORY = '/dev/shm'

/** The same in memory, where there is such a place: for thousands of writes that are not about the disk. */
export function memoryFolder(t: Pick<TestContext, 'after'>): string {
  return temporaryFolder(t, existsSync(MEMORY) ? MEMORY : tmpdir())
}

// Each folder waits for the end of the process.
process.setMaxListeners(0)
