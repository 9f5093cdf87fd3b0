import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { findStrayClock, type ServedFolder } from '#machinery/db/heartbeat.ts'
import { engineOf } from '#machinery/db/open.ts'
import type { Database } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import { offeringReleases } from '#product/selling/orders/offers.ts'
import { payableBy } from '#product/selling/payments/methods.ts'

/**
 * Opens or makes the database of a data folder for one piece of work. Beside a server with another clock, the work can only read.
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
    // A command has no payment processor. If only a processor could take the payment, the waitlist is notified instead.
    const offering = offeringReleases(refusingStrayClock(db, folder, clock), payableBy(new Map()))
    return await work(offering)
  } finally {
    await db.close()
  }
}

/** A wrong clock leaves wrong dates for good, so each write checks the clock. */
function refusingStrayClock(db: Database, folder: string, clock: Clock): Database {
  return wrapDatabase(db, {
    write: async (owner, work) => {
      const stray = await findStrayClock(servedFolder(folder), db, clock)
      if (stray !== undefined) throw new Refusal(`${stray} Nothing was written.`)
      return db.write(owner, work)
    },
  })
}

export function servedFolder(name: string): ServedFolder {
  return { name, isServed: () => engineOf({ data: name }).isServed() }
}

/** Refuses work that needs an existing database, so that it leaves no empty one behind. @throws Refusal */
export function refuseMissing(folder: string): void {
  const engine = engineOf({ data: folder })
  const exists = engine.exists()
  engine.refuseStray()
  if (exists) return
  throw new Refusal(
    `There is no database in ${folder}. Make one with "turnout apply" or "turnout account create", or name another folder with --data.`,
  )
}

/** Opens the database of a data folder, which must exist. @throws Refusal */
export function withExistingDatabase<T>(
  folder: string,
  clock: Clock,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  refuseMissing(folder)
  return withDatabase(folder, clock, work)
}
