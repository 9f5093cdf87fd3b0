import { type BigIntStats, fstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'

/** The numbers that tell a file from any other, whatever its names are. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

/** Returns the identity of a file. @returns undefined if there is no such file */
export function identify(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/**
 * Returns whether both are the same file. A file system without file numbers gives each file the same number, so there only the
 * existence of a file is known.
 */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}

/** The ends of the names of the database and of the files that SQLite puts beside it. */
export type FileEnd = '' | '-wal' | '-shm'

/** A file of the open database is no longer the one at its name. */
export class DatabaseLost extends Refusal {
  override name = 'DatabaseLost'
  /** The event, as the beginning of a sentence. */
  readonly event: string
  readonly end: FileEnd
  /** The file is the same, but its content was lost. */
  readonly isCut: boolean

  constructor(path: string, end: FileEnd, what: 'gone' | 'replaced' | 'cut') {
    const event = `${path}${end} was ${EVENTS[what]}`
    super(
      `${event} while it was in use, so that nobody knows whether the last change is kept. Look where it went before you go on.`,
    )
    this.event = event
    this.end = end
    this.isCut = what === 'cut'
  }
}

const EVENTS = {
  gone: 'removed or moved away',
  replaced: 'replaced by another file',
  cut: 'cut short or written over',
}

/**
 * The files of an open database, compared with their names. SQLite goes on with a file that was removed or replaced, and what it
 * writes to it is lost. The files are looked at by their names only, because closing another descriptor of the database would
 * free the locks that SQLite holds on it for this process.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #noted = new Map<FileEnd, BigIntStats>()

  /** Notes the database, if there is one, as it is before it is opened. */
  constructor(path: string) {
    this.path = path
    this.#note('')
  }

  /** The noted identity of the database. Its device and inode never change. */
  get database(): FileIdentity | undefined {
    return this.#noted.get('')
  }

  /**
   * Notes the files that opening the database has made. Whatever is opened between this call and `verify` has these files open.
   *
   * @param log the file that this process has open as the log
   * @throws DatabaseLost
   */
  complete(log: FileIdentity): void {
    if (this.database === undefined) this.#note('')
    this.#note('-wal')
    this.#note('-shm')
    const { ino } = this.#noted.get('-wal') ?? {}
    if (ino !== log.ino) throw new DatabaseLost(this.path, '-wal', 'replaced')
  }

  #note(end: FileEnd): void {
    const found = identify(this.path + end)
    if (found !== undefined) this.#noted.set(end, found)
  }

  /** Returns whether the file of this name is the one that was noted. */
  isHere(end: FileEnd): boolean {
    return isSameFile(identify(this.path + end), this.#noted.get(end))
  }

  /** Checks that each name leads to the open file. @throws DatabaseLost */
  verify(): void {
    for (const [end, noted] of this.#noted) {
      const found = identify(this.path + end)
      if (found === undefined) throw new DatabaseLost(this.path, end, 'gone')
      if (!isSameFile(found, noted)) throw new DatabaseLost(this.path, end, 'replaced')
      if (end !== '') continue
      // A database never gets smaller here.
      if (found.size < noted.size) throw new DatabaseLost(this.path, end, 'cut')
      if (found.size > noted.size) this.#noted.set(end, found)
    }
  }
}

/**
 * Finds a file among those that this process has open, without opening or closing one. Returns how many names it still has, and
 * its current path if the system reports one. This works on Linux and macOS.
 */
export function findOpenFile(wanted: FileIdentity): { links: bigint; path: string | undefined } | undefined {
  for (const number of openDescriptors()) {
    try {
      const stats = fstatSync(Number(number), { bigint: true })
      if (isSameFile(stats, wanted)) return { links: stats.nlink, path: pathOf(number) }
    } catch {
      // This descriptor was the one that read the list.
    }
  }
  return undefined
}

function openDescriptors(): string[] {
  try {
    return readdirSync('/dev/fd')
  } catch {
    return []
  }
}

function pathOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/dev/fd/${descriptor}`)
  } catch {
    return undefined
  }
}
