import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { Refusal } from '../refusal.ts'
import { reasonOf } from './system-error.ts'

/**
 * SQLite gives the files beside the database its rights, so it has them before there is anything in it.
 *
 * @returns true when there was none
 * @throws Refusal
 */
export function keepPrivate(path: string): boolean {
  try {
    // Only where there is none: closing a database file frees the locks that SQLite holds on it for this process.
    const isNew = !existsSync(path) && make(path)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
    return isNew
  } catch (error) {
    throw new Refusal(
      `${path} cannot be opened for writing: ${reasonOf(error)}. Check the folder and its rights, or choose another with --data.`,
    )
  }
}

/** @returns false when another process has just made it */
function make(path: string): boolean {
  try {
    closeSync(openSync(path, 'ax', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) return false
    throw error
  }
}
