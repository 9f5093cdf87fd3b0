import { findHold, setHold } from '../db/instance.ts'
import { type Database, INSTANCE } from '../db/port.ts'

/** Mails nothing from now on. @returns since when, in milliseconds */
export function hold(db: Pick<Database, 'write'>): Promise<number> {
  return db.write(INSTANCE, async tx => {
    const since = (await findHold(tx)) ?? tx.clock()
    await setHold(tx, since)
    return since
  })
}

/** The word of the owner that there is no other server on this data. @returns since when it was held; null where it was not */
export function letGo(db: Pick<Database, 'write'>): Promise<number | null> {
  return db.write(INSTANCE, async tx => {
    const since = await findHold(tx)
    if (since !== null) await setHold(tx, null)
    return since
  })
}
