import { statfs } from 'node:fs/promises'
import { beat } from '../heartbeat.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '../port.ts'

/** What a disk must have left, in bytes: the small write of a probe may find room where that of a registration does not. */
const ROOM = 256 * 1024

/**
 * Writes to the database, and looks for room on its disk.
 *
 * @param folder the data folder
 * @throws DatabaseUnavailable, or what the system or SQLite say
 */
export async function probe(db: Database, folder: string): Promise<void> {
  // Writes a page even where nothing changes, and dates nothing: the clock may be wrong.
  await db.write(INSTANCE, beat)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM) throw new DatabaseUnavailable('the disk is full')
}
