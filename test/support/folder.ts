import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** An empty folder that is gone when the tests of the file have ended: what runs in it may close after the test's own end. */
export function temporaryFolder(_test: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// Each folder waits for the end of the process.
process.setMaxListeners(0)
