import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { makeFolders } from './make-folders.ts'

export interface Place {
  /** A folder that already exists, such as the home folder. It is made only if the environment named it. */
  base: string
  named: boolean
  /** The nested folders that are made in `base` if they are missing. The last is for this program alone. */
  folders: readonly string[]
}

/** A place that cannot be used, with the reason. */
export class Unusable extends Error {}

/**
 * Returns the places to try. A folder that the environment names is the only one. Without it, the platform's own folder and the
 * one for temporary files remain.
 *
 * @param ofService the folder in a cache that is this service's own
 * @param within the folders in `turnout`, in a cache that programs share
 */
export function findPlaces(
  env: NodeJS.ProcessEnv,
  { ofService, within = [] }: { ofService: string; within?: readonly string[] },
): { places: Place[]; variable: string } {
  // systemd sets this variable, and it may name several folders.
  const given = env.CACHE_DIRECTORY?.split(':')[0] ?? ''
  if (isAbsolute(given)) {
    return { places: [{ base: given, named: true, folders: [ofService] }], variable: 'CACHE_DIRECTORY' }
  }
  const variable = 'XDG_CACHE_HOME'
  const named = env[variable] ?? ''
  // A relative path must be ignored: XDG Base Directory Specification, "Basics".
  if (isAbsolute(named)) {
    return { places: [{ base: named, named: true, folders: ['turnout', ...within] }], variable }
  }
  const temporary = {
    base: resolve(tmpdir()),
    named: false,
    folders: [`turnout-${process.getuid?.() ?? 'cache'}`, ...within],
  }
  const home = findHome()
  if (home === undefined) return { places: [temporary], variable }
  const own = { base: home, named: false, folders: [...platformCache(), 'turnout', ...within] }
  return { places: [own, temporary], variable }
}

function findHome(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    // A container may run as a user that has no entry in the system.
    return undefined
  }
}

function platformCache(): string[] {
  if (process.platform === 'darwin') return ['Library', 'Caches']
  if (process.platform === 'win32') return ['AppData', 'Local']
  return ['.cache']
}

/** Makes the folder for the user alone. @returns its path without links, so that nobody can redirect it afterwards */
export function makePrivateFolder({ base, named, folders }: Place): string {
  if (named) makeFolders(base)
  let path = realpathSync(base)
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) refuseOpen(above)
  for (const name of folders) {
    path = realpathSync(path)
    refuseOpen(path)
    path = join(path, name)
    try {
      mkdirSync(path, 0o700)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  const found = lstatSync(path)
  if (!found.isDirectory()) throw new Unusable(`${path} is no folder`)
  if (!isOwn(found)) throw new Unusable(`${path} belongs to somebody else`)
  if (rights(found, 0o077) !== 0) chmodSync(path, 0o700)
  return path
}

/**
 * Refuses a folder that others may write to. They could replace what is in it, except in a folder with the sticky bit such as
 * /tmp.
 */
function refuseOpen(path: string): void {
  const found = statSync(path)
  if (!isOwn(found) && found.uid !== 0) throw new Unusable(`${path} belongs to somebody else`)
  const sticky = rights(found, 0o1000) !== 0
  if (rights(found, 0o022) !== 0 && !sticky) throw new Unusable(`${path} may be written by others`)
}

/**
 * Returns whether this user owns the file. Windows has neither user numbers nor these rights, but its user folders are already
 * closed to others.
 */
export function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === process.geteuid()
}

export function rights({ mode }: Stats, bits: number): number {
  return process.geteuid === undefined ? 0 : mode & bits
}
