import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { findStrayClock, type Served } from '#machinery/db/heartbeat.ts'
import { type DatabasePlace, engineOf } from '#machinery/db/open.ts'
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
  place: DatabasePlace,
  clock: Clock,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await engineOf(place).openForCommand(clock)
  try {
    // A command has no payment processor. If only a processor could take the payment, the waitlist is notified instead.
    const offering = offeringReleases(refusingStrayClock(db, place, clock), payableBy(new Map()))
    return await work(offering)
  } finally {
    await db.close()
  }
}

/** A wrong clock leaves wrong dates for good, so each write checks the clock. */
function refusingStrayClock(db: Database, place: DatabasePlace, clock: Clock): Database {
  return wrapDatabase(db, {
    write: async (owner, work, options) => {
      const stray = await findStrayClock(servedBy(place), db, clock)
      if (stray !== undefined) throw new Refusal(`${stray} Nothing was written.`)
      return db.write(owner, work, options)
    },
  })
}

export function servedBy(place: DatabasePlace): Served {
  const engine = engineOf(place)
  return {
    name: place.databaseUrl === undefined ? place.data : engine.place,
    isServed: () => engine.isServed(),
  }
}

/** Refuses work that needs an existing database, so that it leaves no empty one behind. @throws Refusal */
export async function refuseMissing(place: DatabasePlace): Promise<void> {
  const engine = engineOf(place)
  const exists = await engine.exists()
  engine.refuseStray()
  if (exists) return
  const [where, other] =
    place.databaseUrl === undefined
      ? [place.data, 'name another folder with --data']
      : [engine.place, 'name another with --database-url']
  throw new Refusal(
    `There is no database in ${where}. Make one with "turnout apply" or "turnout account create", or ${other}.`,
  )
}

/** Opens the database of a data folder, which must exist. @throws Refusal */
export async function withExistingDatabase<T>(
  place: DatabasePlace,
  clock: Clock,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  await refuseMissing(place)
  return withDatabase(place, clock, work)
}
