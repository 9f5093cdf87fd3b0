import { statfs } from 'node:fs/promises'
import { beat } from '../heartbeat.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '../port.ts'

/**
 * The room that a disk must have left, in bytes. The small write of a probe may find room where that of a registration does not.
 */
const ROOM = 256 * 1024

/**
 * Writes to the database, and checks that its disk has room.
 *
 * @param folder the data folder
 * @throws DatabaseUnavailable, or an error of the system or of SQLite
 */
export async function probe(db: Database, folder: string): Promise<void> {
  // The heartbeat writes a page even if nothing changes, and it sets no date of a row, as the clock may be wrong.
  await db.write(INSTANCE, beat)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM) throw new DatabaseUnavailable('the disk is full')
}
