import { closeSync, fdatasync, fstatSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const datasync = promisify(fdatasync)

/**
 * The write-ahead log of a database as a file: SQLite writes it, and this makes it durable, off the event loop. The log is
 * there as long as a connection is open.
 */
export class WriteAheadLog {
  readonly #path: string
  readonly #descriptor: number
  readonly #inode: number

  /** Also makes the names durable that a connection has just made in the folder, or taken away. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`
    this.#descriptor = openSync(this.#path, 'r+')
    this.#inode = fstatSync(this.#descriptor).ino
    syncFolder(dirname(databasePath))
  }

  /** Bytes. */
  get size(): number {
    return fstatSync(this.#descriptor).size
  }

  /**
   * Resolves when everything that was committed before the call would survive a power cut.
   *
   * @throws Error when the sync fails, or when the file was replaced: then nobody knows what is on the disk
   */
  async sync(): Promise<void> {
    if (statSync(this.#path).ino !== this.#inode)
      throw new Error('The write-ahead log was replaced by another file.')
    await datasync(this.#descriptor)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** Makes the names in a folder durable: without it a file that was just made could be lost with the power. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
