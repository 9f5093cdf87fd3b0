import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from '../../files/sync-folder.ts'
import { DatabaseFiles } from './database-files.ts'

const datasync = promisify(fdatasync)

/**
 * The write-ahead log of a database as a file: SQLite writes it, and this makes it durable, off the event loop. The log is
 * there as long as a connection is open.
 */
export class WriteAheadLog {
  readonly #descriptor: number
  readonly #files: DatabaseFiles

  /**
   * Also makes the names durable that a connection has just made in the folder, or taken away.
   *
   * @throws DatabaseLost
   */
  constructor(databasePath: string, files: DatabaseFiles = new DatabaseFiles(databasePath)) {
    this.#descriptor = openSync(`${databasePath}-wal`, 'r+')
    this.#files = files
    files.complete(fstatSync(this.#descriptor, { bigint: true }))
    syncFolder(dirname(databasePath))
  }

  /** Bytes. */
  get size(): number {
    return fstatSync(this.#descriptor).size
  }

  /**
   * Resolves when everything that was committed before the call would survive a power cut.
   *
   * @throws DatabaseLost when it went to a file that nobody will find again
   * @throws Error when the sync fails: then nobody knows what is on the disk
   */
  async sync(): Promise<void> {
    await datasync(this.#descriptor)
    // Only now, as nothing is kept that went to a file without its name.
    this.#files.verify()
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
