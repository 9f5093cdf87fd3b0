import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import { monthsSince } from '../time.ts'
import { findFirst } from './rules.ts'

/** More are not listed. */
const MOST_MONTHS = 240

/** The months of the account since its first receipt, newest first: `2026-11`; the current one always. @param now milliseconds */
export async function listMonths(tx: ReadTx, accountId: string, now: number): Promise<string[]> {
  const { timezone } = await accounts.get(tx, accountId)
  const first = await findFirst(tx, accountId)
  return monthsSince(first ?? now, now, timezone, MOST_MONTHS)
}
