import { findStrayClock, type ServedFolder } from '../db/heartbeat.ts'
import { engineOf } from '../db/open.ts'
import type { Database } from '../db/port.ts'
import { Refusal } from '../refusal.ts'
import type { Clock } from '../time.ts'

/**
 * Opens or makes the database of a data folder for one piece of work. Beside a server with another clock, the work can only
 * read.
 *
 * @throws Refusal
 */
export async function withDatabase<T>(
  folder: string,
  clock: Clock,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await engineOf({ data: folder }).openForCommand(clock)
  try {
    return await work(refusingStrayClock(db, folder, clock))
  } finally {
    await db.close()
  }
}

/** A wrong clock leaves wrong dates for good, so each write checks it. */
function refusingStrayClock(db: Database, folder: string, clock: Clock): Database {
  return {
    read: (work, options) => db.read(work, options),
    write: async (owner, work) => {
      const stray = await findStrayClock(servedFolder(folder), db, clock)
      if (stray !== undefined) throw new Refusal(`${stray} Nothing was written.`)
      return db.write(owner, work)
    },
    stage: rows => db.stage(rows),
    discard: staged => db.discard(staged),
    onCommit: listener => db.onCommit(listener),
    close: () => db.close(),
  }
}

export function servedFolder(name: string): ServedFolder {
  return { name, isServed: () => engineOf({ data: name }).isServed() }
}

/** For work that needs an existing database, and must not leave an empty one behind. @throws Refusal */
export function refuseMissing(folder: string): void {
  const engine = engineOf({ data: folder })
  const exists = engine.exists()
  engine.refuseStray()
  if (exists) return
  throw new Refusal(
    `There is no database in ${folder}. Make one with "turnout apply" or "turnout account create", or name another folder with --data.`,
  )
}

/** Opens the database of a data folder that has one. @throws Refusal */
export function withExistingDatabase<T>(
  folder: string,
  clock: Clock,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  refuseMissing(folder)
  return withDatabase(folder, clock, work)
}
