import { monthsSince } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { findFirst } from './rules.ts'

/** The most months that a list has. */
const MOST_MONTHS = 240

/**
 * Returns the months since the account's first receipt, newest first, such as `2026-11`. It always has the current month.
 *
 * @param now milliseconds
 */
export async function listMonths(tx: ReadTx, now: number): Promise<string[]> {
  const { timezone } = await accounts.get(tx)
  const first = await findFirst(tx)
  return monthsSince(first ?? now, now, timezone, MOST_MONTHS)
}
