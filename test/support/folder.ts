import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const MEMORY = '/dev/shm'
/** In bytes: more than all tests have in their folders at a time. */
const ROOM = 2 ** 31

/**
 * Where files stand in memory, if there is such a place with room: a disk takes some milliseconds for each sync, and a server that
 * starts makes a dozen. A file there is a file in all but that.
 */
const place = hasRoom(MEMORY) ? MEMORY : tmpdir()

/** All that is still there. */
const folders = new Set<string>()
const ended = new Set<string>()

/** An empty folder that is gone some time after the test: what runs in it may close after the test's own end. */
export function temporaryFolder(test: Pick<TestContext, 'after'>): string {
  return makeFolder(test, place)
}

/**
 * The same on the disk: for processes that are killed at any moment, which is to be within a sync as well, for what is about the disk
 * itself, and for programs that are run, which may be refused elsewhere.
 */
export function diskFolder(test: Pick<TestContext, 'after'>): string {
  return makeFolder(test, tmpdir())
}

function makeFolder(test: Pick<TestContext, 'after'>, place: string): string {
  // By now another test runs, and all that those before it had has closed.
  for (const folder of ended) remove(folder)
  ended.clear()
  const folder = mkdtempSync(join(place, 'turnout-test-'))
  folders.add(folder)
  test.after(() => ended.add(folder))
  return folder
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

function hasRoom(place: string): boolean {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > ROOM
}

process.on('exit', () => {
  for (const folder of folders) remove(folder)
})
