import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'
import { reasonOf } from './system-error.ts'

/**
 * Makes a file that only its owner may read. SQLite gives the rights of the database to the files beside it, so the database has
 * them before it has any content.
 *
 * @returns true if there was no file
 * @throws Refusal
 */
export function keepPrivate(path: string): boolean {
  try {
    // The file is opened only if there is none, because closing a database file frees the locks that SQLite holds on it for this
    // process.
    const isNew = !existsSync(path) && make(path)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
    return isNew
  } catch (error) {
    throw new Refusal(
      `${path} cannot be opened for writing: ${reasonOf(error)}. Check the folder and its rights, or choose another with --data.`,
    )
  }
}

/** Makes the file. @returns false if another process has just made it */
function make(path: string): boolean {
  try {
    closeSync(openSync(path, 'ax', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) return false
    throw error
  }
}
