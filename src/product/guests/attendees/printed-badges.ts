import type { WriteTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

/**
 * Notes that the badges of these tickets are printed.
 *
 * @param at the instant of the print in milliseconds, by which it is known
 * @param again whether tickets whose badge was printed before count too
 * @returns how many are noted
 */
export async function notePrinted(
  tx: WriteTx,
  ids: readonly string[],
  print: { at: number; again: boolean },
): Promise<number> {
  let noted = 0
  for (const id of ids) noted += await store.setPrinted(tx, id, print)
  return noted
}

/** Forgets a print, because nothing came out of the printer. @returns how many badges are yet to be printed again */
export async function forgetPrinted(tx: WriteTx, eventId: string, at: number): Promise<number> {
  return store.clearPrinted(tx, eventId, at, await tx.now())
}
