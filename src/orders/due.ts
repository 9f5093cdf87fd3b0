import type { ReadTx } from '../db/port.ts'
import * as listStore from './list-store.ts'

/** Orders whose time to be paid is over, of all accounts. @param now milliseconds of the clock */
export function listUnpaid(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return listStore.listUnpaid(tx, now, limit)
}

/** Orders whose time is over, of all accounts; but for those that wait for money. @param now milliseconds of the clock */
export function listDue(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return listStore.listDue(tx, now, limit)
}
