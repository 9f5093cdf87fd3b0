import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import { monthOf, monthRange } from '../time.ts'
import { findFirst } from './rules.ts'

/** More are not listed. */
const MOST_MONTHS = 240

/** The months of the account since its first receipt, newest first: `2026-11`; the current one always. @param now milliseconds */
export async function listMonths(tx: ReadTx, accountId: string, now: number): Promise<string[]> {
  const { timezone } = await accounts.get(tx, accountId)
  const first = monthOf((await findFirst(tx, accountId)) ?? now, timezone)
  const months = [monthOf(now, timezone)]
  let month = months[0] as string
  while (month > first && months.length < MOST_MONTHS) {
    const [from] = monthRange(month, timezone)
    month = monthOf(from - 1, timezone)
    months.push(month)
  }
  return months
}
