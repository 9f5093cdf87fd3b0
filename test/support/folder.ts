import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { giveBackLater } from './postgres-cluster.ts'

const MEMORY = '/dev/shm'
/** The bytes are more than all tests have in their folders at a time. */
const ROOM = 2 ** 31

/**
 * Files stand in memory if there is such a place with room: a disk takes some milliseconds for each sync, and a server that starts
 * makes a dozen.
 */
export const place = hasRoom(MEMORY) ? MEMORY : tmpdir()

/** The folders that still exist. */
const folders = new Set<string>()
const ended = new Set<string>()

/** Makes an empty folder that is removed some time after the test, because what runs in it may close after the test's own end. */
export function temporaryFolder(test: Pick<TestContext, 'after'>): string {
  return makeFolder(test, place)
}

/**
 * Makes the same on the disk: for processes that are killed at any moment, also within a sync, for tests of the disk itself, and
 * for programs, which the system may refuse to run elsewhere.
 */
export function diskFolder(test: Pick<TestContext, 'after'>): string {
  return makeFolder(test, tmpdir())
}

function makeFolder(test: Pick<TestContext, 'after'>, place: string): string {
  // Another test runs now, and what those before it had has closed, so their folders can go.
  for (const folder of ended) remove(folder)
  ended.clear()
  const folder = mkdtempSync(join(place, 'turnout-test-'))
  folders.add(folder)
  test.after(() => {
    ended.add(folder)
    giveBackLater(folder)
  })
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
