import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { findPlaces, isOwn, makePrivateFolder, rights, Unusable } from '#machinery/files/private-cache.ts'
import { reasonOf } from '#machinery/files/system-error.ts'

export interface CarriedFile {
  name: string
  /** The hash of what `unpack` returns, in hexadecimal. */
  sha256: string
  unpack(): Buffer
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Writes a file that the program carries to the user's cache, where it stays for the next start. An existing file is used only if
 * it has exactly this content, because a cache cannot be trusted.
 *
 * Nothing is synced. A file that a power cut has damaged is written again.
 *
 * @returns its path, in a folder that only the user may look into
 * @throws Refusal if there is no such folder
 */
export function keepInCache(file: CarriedFile, env = process.env): string {
  const { places, variable } = findPlaces(env, { ofService: 'addon' })
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

/**
 * Publishes the file. A good file that exists stays, because another process may have loaded it and may start a thread that loads
 * it again.
 */
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
