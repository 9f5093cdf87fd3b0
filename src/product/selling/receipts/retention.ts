import { monthOf, monthRange } from '#base/time.ts'
import { ERASED_NAME } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { Snapshot } from './schemas.ts'
import * as store from './store.ts'

/**
 * Returns the instant before which receipts need not name anybody any more. The account keeps names for a number of calendar
 * years after the year of the receipt.
 *
 * @param now milliseconds
 */
async function endOfRetention(tx: ReadTx, now: number): Promise<number> {
  const { timezone, receipt_years: years } = await accounts.getDetails(tx)
  const [year] = monthOf(now, timezone).split('-')
  const [from] = monthRange(`${Number(year) - years}-01`, timezone)
  return from
}

/** Tells whether any receipt names somebody for longer than it has to. @param now milliseconds */
export async function hasExpired(tx: ReadTx, now: number): Promise<boolean> {
  return (await store.listNaming(tx, await endOfRetention(tx, now), 1)).length > 0
}

/**
 * Makes the buyers of such receipts anonymous, the oldest receipts first. Numbers, dates and amounts stay.
 *
 * @param now milliseconds
 * @param most how many receipts it takes at most
 * @returns how many it took
 */
export async function eraseExpired(tx: WriteTx, now: number, most: number): Promise<number> {
  const expired = await store.listNaming(tx, await endOfRetention(tx, now), most)
  for (const { id, snapshot } of expired) {
    const stated = JSON.parse(snapshot) as Snapshot
    const buyer = { name: ERASED_NAME, company: null, address: null, vat_id: null }
    await store.erase(tx, { id, snapshot: JSON.stringify({ ...stated, buyer }) }, await tx.now())
  }
  return expired.length
}
