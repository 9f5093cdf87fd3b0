import { mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only its owner may look into, and its missing parents. Node's `recursive` does not say why the system
 * refuses one of several folders. Where the system answers that there is no such file, as in `/proc`, it tries forever.
 *
 * @returns the folders that it made, the inmost first
 * @throws Error of the system
 */
export function makeFolders(folder: string): string[] {
  const path = resolve(folder)
  const parent = dirname(path)
  if (isFolder(path)) return []
  // The system itself refuses a folder below a file, and says why.
  const made = isThere(parent) ? [] : makeFolders(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    return [path, ...made]
  } catch (error) {
    // Somebody else may have been first.
    if (isFolder(path)) return made
    removeEmpty(made)
    throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Returns whether the path exists. Below a file, older versions of Node throw the error of the system, and newer ones find
 * nothing.
 */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Removes folders, the inmost first, as long as they are empty. */
export function removeEmpty(folders: readonly string[]): void {
  try {
    for (const each of folders) rmdirSync(each)
  } catch {
    // Somebody has put something there meanwhile.
  }
}
