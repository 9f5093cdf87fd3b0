import { fold } from '#base/fold.ts'
import { parseAmount } from '#base/money.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { type CandidateRow, listNewest } from './candidate-store.ts'
import type { BankLine } from './schemas.ts'

/** How many of the newest payments without a processor a search looks through. */
const LOOKED_THROUGH = 5_000

/** A payment that a line may be of. Amounts are in minor units. */
export interface Found extends Omit<CandidateRow, 'is_open'> {
  /** The amount that is still missing. */
  lacking: number
  isOpen: boolean
}

/**
 * Returns the payments that a line may be of, the likeliest first. A search finds them by a reference, a name, an e-mail or an
 * amount. Without a search, it returns the open ones that lack exactly the amount of the line.
 */
export async function findCandidates(
  tx: ReadTx,
  line: Pick<BankLine, 'amount' | 'currency'>,
  search: string,
  limit: number,
): Promise<Found[]> {
  const rows = (await listNewest(tx, LOOKED_THROUGH)).map(toFound)
  const ofCurrency = rows.filter(({ currency }) => currency === line.currency)
  const isAmount = ({ isOpen, lacking }: Found) => isOpen && lacking === line.amount
  const some = search.trim() === '' ? ofCurrency.filter(isAmount) : ofCurrency.filter(isFound(search))
  const rank = (one: Found) => Number(!isAmount(one)) + Number(!one.isOpen)
  return some.sort((one, other) => rank(one) - rank(other)).slice(0, limit)
}

function toFound({ is_open, ...row }: CandidateRow): Found {
  return { ...row, isOpen: is_open === 1, lacking: row.amount - (row.received ?? 0) }
}

function isFound(search: string): (one: Found) => boolean {
  const plain = fold(search.trim())
  const reference = search.replace(/[\s-]/g, '').toUpperCase()
  return one =>
    one.reference === reference ||
    one.order_reference.replaceAll('-', '').toUpperCase() === reference ||
    fold(one.buyer_name).includes(plain) ||
    fold(one.buyer_email).includes(plain) ||
    [one.amount, one.lacking].includes(parseAmount(search.trim(), one.currency) ?? -1)
}
