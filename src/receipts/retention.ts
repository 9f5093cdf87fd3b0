import * as accounts from '../accounts/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { monthOf, monthRange } from '../time.ts'
import { ERASED_NAME } from '../words.ts'
import type { Snapshot } from './schemas.ts'
import * as store from './store.ts'

/**
 * Receipts of before this instant need name nobody any more: as many calendar years of the account have ended since theirs as it
 * keeps them for.
 *
 * @param now milliseconds
 */
async function endOfRetention(tx: ReadTx, accountId: string, now: number): Promise<number> {
  const { timezone, receipt_years: years } = await accounts.getDetails(tx, accountId)
  const [year] = monthOf(now, timezone).split('-')
  const [from] = monthRange(`${Number(year) - years}-01`, timezone)
  return from
}

/** Whether there are receipts that name somebody for longer than they have to. @param now milliseconds */
export async function hasExpired(tx: ReadTx, accountId: string, now: number): Promise<boolean> {
  return (await store.listNaming(tx, accountId, await endOfRetention(tx, accountId, now), 1)).length > 0
}

/**
 * Makes the buyers of such receipts anonymous, the oldest first: numbers, dates and amounts stay.
 *
 * @param now milliseconds
 * @param most receipts @returns how many
 */
export async function eraseExpired(
  tx: WriteTx,
  accountId: string,
  now: number,
  most: number,
): Promise<number> {
  const expired = await store.listNaming(tx, accountId, await endOfRetention(tx, accountId, now), most)
  for (const { id, snapshot } of expired) {
    const said = JSON.parse(snapshot) as Snapshot
    const buyer = { name: ERASED_NAME, company: null, address: null, vat_id: null }
    await store.erase(tx, accountId, { id, snapshot: JSON.stringify({ ...said, buyer }) }, await tx.now())
  }
  return expired.length
}
