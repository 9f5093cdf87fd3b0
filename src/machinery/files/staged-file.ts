import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { DAY } from '#base/time.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * The name of the folder of a file that is being made, beside its place. Nobody else may look into it. The name has the process
 * number and where that number is valid, because containers and machines that share a folder use the same process numbers.
 */
const STAGING = /^\.turnout-([0-9a-f]{8})-(\d+)-[A-Za-z0-9]{6}$/

/** A folder to which nothing was written for so long, in milliseconds, is left over, whoever made it. */
const ABANDONED = DAY

const here = createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 8)

/** The folders of this process. */
const live = new Set<string>()

/**
 * A file that takes its place only once it is whole and on the disk. Until then it is in a folder of its own, with the files that
 * SQLite puts beside a database. If a killed process leaves one, the next process that makes a file there removes it.
 */
export class StagedFile {
  /** The path where the file is made. It is empty, and only its owner may read it. */
  readonly path: string
  readonly #target: string
  readonly #folder: string

  /** Makes the file. @throws Refusal if nothing can be made in the folder of `target` */
  constructor(target: string) {
    this.#target = resolve(target)
    const parent = dirname(this.#target)
    let folder: string | undefined
    try {
      removeLeftovers(parent)
      folder = mkdtempSync(join(parent, `.turnout-${here}-${process.pid}-`))
      live.add(folder)
      this.#folder = folder
      this.path = join(folder, basename(this.#target))
      closeSync(openSync(this.path, 'wx', 0o600))
    } catch (error) {
      if (folder !== undefined) this.discard()
      throw new Refusal(
        `Nothing can be written to ${parent} (${(error as NodeJS.ErrnoException).code}). Check that it is there, its rights, and the room on its disk.`,
        { cause: error },
      )
    }
  }

  /**
   * Gives the file its place, durably. Nothing may have it open any more.
   *
   * @throws Refusal if the place is taken
   */
  place(options: { replace: boolean } = { replace: false }): void {
    chmodSync(this.path, 0o600)
    syncFile(this.path)
    if (options.replace) renameSync(this.path, this.#target)
    else this.#placeAnew()
    syncFolder(dirname(this.#target))
  }

  /** Removes what is left of the making. */
  discard(): void {
    rmSync(this.#folder, { recursive: true, force: true })
    live.delete(this.#folder)
  }

  /** Places the file with a link, because a rename would replace what somebody else has just put there. */
  #placeAnew(): void {
    try {
      linkSync(this.path, this.#target)
      // A database with two names is refused.
      rmSync(this.path)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw alreadyExists(this.#target)
      // The file systems of many memory sticks have no links.
      if (!/^(EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP|EMLINK|EINVAL)$/.test(code)) throw error
      refuseExisting(this.#target)
      renameSync(this.path, this.#target)
    }
  }
}

/** Refuses to overwrite. @throws Refusal */
export function refuseExisting(path: string): void {
  if (existsSync(path)) throw alreadyExists(path)
}

function alreadyExists(path: string): Refusal {
  const what = lstatSync(path).isDirectory() ? 'is a folder' : 'already exists'
  return new Refusal(`${path} ${what}. Choose another name; nothing is ever overwritten.`)
}

/** Removes all staged files for a process that ends at once. A copying thread that went on would end it less gently. */
export function discardStagedFiles(): void {
  for (const folder of live) rmSync(folder, { recursive: true, force: true })
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Removes what a killed process has left in the folder while it made a file. */
export function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, place, pid] = STAGING.exec(name) ?? []
    const folder = join(parent, name)
    if (pid === undefined || live.has(folder) || (place === here && isAlive(Number(pid)))) continue
    try {
      const stats = lstatSync(folder)
      // In a folder for everybody, such a name may be a trap for a user with more rights.
      const isOwn = stats.uid === process.getuid?.()
      if (!stats.isDirectory() || !isOwn) continue
      if (place === here || isAbandoned(folder)) rmSync(folder, { recursive: true })
    } catch {
      // What is left is in nobody's way.
    }
  }
}

function isAbandoned(folder: string): boolean {
  const files = readdirSync(folder).map(name => join(folder, name))
  return [folder, ...files].every(file => Date.now() - statSync(file).mtimeMs > ABANDONED)
}

/** Returns whether another process with this number runs. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the namespace in which process numbers are unique. It is empty if the system has only one. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
