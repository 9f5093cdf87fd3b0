import { type BigIntStats, fstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { Refusal } from '../../refusal.ts'

/** What tells a file from any other, whatever its names are. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>

/** @returns undefined where there is no such file */
export function identify(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/** A file system without numbers of its own gives each file the same: then it is known only whether there is one. */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}

/** What SQLite puts beside a database that is in use. */
export type FileEnd = '' | '-wal' | '-shm'

/** A file of the database that is open is not the one of its name any more. */
export class DatabaseLost extends Refusal {
  override name = 'DatabaseLost'
  /** What happened, as the beginning of a sentence. */
  readonly event: string
  readonly end: FileEnd
  /** The file is the same, and has lost what was in it. */
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
 * The files of a database that is open, held against their names: SQLite goes on with a file that was removed or replaced,
 * and what it writes to it is lost. They are looked at by their names alone, as closing another descriptor of the database
 * would free the locks that SQLite holds on it for this process.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #noted = new Map<FileEnd, BigIntStats>()

  /** The database is noted as it is before it is opened, if there is one. */
  constructor(path: string) {
    this.path = path
    this.#note('')
  }

  /** The database as it was noted; its device and inode never change. */
  get database(): FileIdentity | undefined {
    return this.#noted.get('')
  }

  /**
   * Notes what opening it has made. What is opened after this, before `verify`, has these files open.
   *
   * @param log what this process has open as the log
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

  /** Whether the file of this name is the one that was noted. */
  isHere(end: FileEnd): boolean {
    return isSameFile(identify(this.path + end), this.#noted.get(end))
  }

  /** @throws DatabaseLost unless each name leads to the file that is open */
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
 * Finds a file among those that this process has open, without opening or closing one: how many names it still has, and the
 * one that it was moved to where the system says so. On Linux and macOS.
 */
export function findOpenFile(wanted: FileIdentity): { links: bigint; path: string | undefined } | undefined {
  for (const number of openDescriptors()) {
    try {
      const stats = fstatSync(Number(number), { bigint: true })
      if (isSameFile(stats, wanted)) return { links: stats.nlink, path: pathOf(number) }
    } catch {
      // The one that the list was read by.
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
