import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { makeFolders } from '../../../files/make-folders.ts'
import { reasonOf } from '../../../files/system-error.ts'
import { Refusal } from '../../../refusal.ts'

export interface CarriedFile {
  name: string
  /** Of what `unpack` gives, in hexadecimal. */
  sha256: string
  unpack(): Buffer
}

interface Place {
  /** What is there already, such as the home folder; only one that was named is made. */
  base: string
  named: boolean
  /** What is made in it where it is missing, one in the other. The last is for this program alone. */
  folders: readonly string[]
}

/** A place that cannot be used, and why. */
class Unusable extends Error {}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Makes a file that the program carries a real one, in the user's cache, where it stays for the next start. What is
 * there already is taken only when it is the very content: a cache is no place to trust.
 *
 * Nothing is synced: what a power cut has spoilt is written again.
 *
 * @returns its path, in a folder that only the user may look into
 * @throws Refusal when there is no such folder
 */
export function keepInCache(file: CarriedFile, env = process.env): string {
  const { places, variable } = findPlaces(env)
  const reasons: string[] = []
  for (const place of places) {
    const folder = join(place.base, ...place.folders)
    try {
      return keepIn(makePrivateFolder(place), file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Unusable) reasons.push(error.message)
      else if (code !== undefined) reasons.push(`${folder} cannot be written (${reasonOf(error)})`)
      else throw error
    }
  }
  throw new Refusal(
    `SQLite cannot be unpacked: ${reasons.join(', ')}. Name a folder of your own that can be written in ${variable}.`,
  )
}

/** A folder that the environment names is the only one; else there is the platform's own, and the one for temporary files. */
function findPlaces(env: NodeJS.ProcessEnv): { places: Place[]; variable: string } {
  // systemd's, which may name several.
  const ofService = env.CACHE_DIRECTORY?.split(':')[0] ?? ''
  if (isAbsolute(ofService)) {
    return { places: [{ base: ofService, named: true, folders: ['addon'] }], variable: 'CACHE_DIRECTORY' }
  }
  const variable = 'XDG_CACHE_HOME'
  const named = env[variable] ?? ''
  // A relative path is to be ignored: XDG Base Directory Specification, "Basics".
  if (isAbsolute(named)) {
    return { places: [{ base: named, named: true, folders: ['turnout'] }], variable }
  }
  const temporary = {
    base: resolve(tmpdir()),
    named: false,
    folders: [`turnout-${process.getuid?.() ?? 'cache'}`],
  }
  const home = findHome()
  if (home === undefined) return { places: [temporary], variable }
  const own = { base: home, named: false, folders: [...platformCache(), 'turnout'] }
  return { places: [own, temporary], variable }
}

function findHome(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    // A container may run as a user that is nowhere written down.
    return undefined
  }
}

function platformCache(): string[] {
  if (process.platform === 'darwin') return ['Library', 'Caches']
  if (process.platform === 'win32') return ['AppData', 'Local']
  return ['.cache']
}

/** @returns its path without links, so that nobody can lead it elsewhere afterwards */
function makePrivateFolder({ base, named, folders }: Place): string {
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

/** Whoever may write in a folder may put another in the place of what is in it, but for one like /tmp. */
function refuseOpen(path: string): void {
  const found = statSync(path)
  if (!isOwn(found) && found.uid !== 0) throw new Unusable(`${path} belongs to somebody else`)
  const sticky = rights(found, 0o1000) !== 0
  if (rights(found, 0o022) !== 0 && !sticky) throw new Unusable(`${path} may be written by others`)
}

/** Windows has neither users by number nor these rights: a user's folders there are closed to others as they are. */
function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === process.geteuid()
}

function rights({ mode }: Stats, bits: number): number {
  return process.geteuid === undefined ? 0 : mode & bits
}

function keepIn(folder: string, file: CarriedFile): string {
  const path = join(folder, file.name)
  if (holds(path, file.sha256)) return path
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeFileSync(temporary, file.unpack(), { flag: 'wx', mode: 0o600 })
    publish(temporary, path, file.sha256)
  } finally {
    rmSync(temporary, { force: true })
  }
  return path
}

/** A good file stays the one that it is: another process may have loaded it, and start a thread that loads it again. */
function publish(temporary: string, path: string, sha256: string): void {
  try {
    linkSync(temporary, path)
  } catch {
    // Somebody else was first, or a bad file is in the way, or the file system has no links.
    if (!holds(path, sha256)) renameSync(temporary, path)
  }
}

function holds(path: string, sha256: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return false
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() || !isOwn(found) || rights(found, 0o022) !== 0) return false
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex') === sha256
  } finally {
    closeSync(descriptor)
  }
}
