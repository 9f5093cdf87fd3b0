import { mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only its owner may look into, and those that it lies in, where there are none. Not with Node's
 * `recursive`, which of several folders does not say why the system refuses them, and where it answers that there is no such
 * file, as in `/proc`, tries for ever.
 *
 * @returns those that it made, the inmost first
 * @throws Error of the system
 */
export function makeFolders(folder: string): string[] {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  const made = path === dirname(path) ? [] : makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
    return [path, ...made]
  } catch (error) {
    // Somebody else may have been first.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return made
    removeEmpty(made)
    throw error
  }
}

/** Removes folders, the inmost first, as long as nothing is in them. */
export function removeEmpty(folders: readonly string[]): void {
  try {
    for (const each of folders) rmdirSync(each)
  } catch {
    // Somebody has put something there meanwhile.
  }
}
