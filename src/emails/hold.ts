import { findHold, setHold } from '../db/instance.ts'
import type { WriteTx } from '../db/port.ts'

/** Mails nothing from now on. @returns since when, in milliseconds */
export async function hold(tx: WriteTx): Promise<number> {
  const since = (await findHold(tx)) ?? tx.clock()
  await setHold(tx, since)
  return since
}

/** The word of the owner that there is no other server on this data. @returns since when it was held; null where it was not */
export async function letGo(tx: WriteTx): Promise<number | null> {
  const since = await findHold(tx)
  if (since !== null) await setHold(tx, null)
  return since
}
