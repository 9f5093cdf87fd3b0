import { findHold, setHold } from '#machinery/db/instance.ts'
import type { AnyWriteTx, InstanceWriteTx } from '#machinery/db/port.ts'

/** Stops all mail from now on. @returns since when, in milliseconds */
export async function hold(tx: InstanceWriteTx): Promise<number> {
  const since = (await findHold(tx)) ?? tx.clock()
  await setHold(tx, since)
  return since
}

/**
 * Releases the mail. The owner says that no other server runs on this data.
 *
 * @returns since when it was held, or null if it was not
 */
export async function release(tx: AnyWriteTx): Promise<number | null> {
  const since = await findHold(tx)
  if (since !== null) await setHold(tx, null)
  return since
}
