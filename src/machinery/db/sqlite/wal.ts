import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from '#machinery/files/sync-folder.ts'
import { DatabaseFiles } from './database-files.ts'

const datasync = promisify(fdatasync)

/**
 * The write-ahead log of a database as a file. SQLite writes it, and this class makes it durable, off the event loop. The log
 * exists as long as a connection is open.
 */
export class WriteAheadLog {
  readonly #descriptor: number
  readonly #files: DatabaseFiles

  /**
   * Opens the log. It also makes durable the names that a connection has just made in the folder or removed from it.
   *
   * @throws DatabaseLost
   */
  constructor(databasePath: string, files: DatabaseFiles = new DatabaseFiles(databasePath)) {
    this.#descriptor = openSync(`${databasePath}-wal`, 'r+')
    this.#files = files
    files.complete(fstatSync(this.#descriptor, { bigint: true }))
    syncFolder(dirname(databasePath))
  }

  /** In bytes. */
  get size(): number {
    return fstatSync(this.#descriptor).size
  }

  /**
   * Resolves when everything that was committed before the call would survive a power cut.
   *
   * @throws DatabaseLost if the changes went to a file that nobody will find again
   * @throws Error if the sync fails, because then nobody knows what is on the disk
   */
  async sync(): Promise<void> {
    await datasync(this.#descriptor)
    // The check comes after the sync, because a file without its name keeps nothing.
    this.#files.verify()
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
