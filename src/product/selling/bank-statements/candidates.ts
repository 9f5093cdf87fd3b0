import type { ReadTx } from '../db/port.ts'
import { parseAmount } from '../money.ts'
import { fold } from '../words.ts'
import { type CandidateRow, listNewest } from './candidate-store.ts'
import type { BankLine } from './schemas.ts'

/** Of the payments without a processor, the newest that are looked through. */
const LOOKED_THROUGH = 5_000

/** A payment that somebody may mean. Amounts in minor units. */
export interface Found extends Omit<CandidateRow, 'is_open'> {
  /** What is still lacking. */
  lacking: number
  isOpen: boolean
}

/**
 * The payments that a line may be of, the likeliest first: those that a search says, by a reference, a name, an e-mail or an amount; without
 * one, those that are open and lack just its amount.
 */
export async function findCandidates(
  tx: ReadTx,
  accountId: string,
  line: Pick<BankLine, 'amount' | 'currency'>,
  search: string,
  limit: number,
): Promise<Found[]> {
  const rows = (await listNewest(tx, accountId, LOOKED_THROUGH)).map(toFound)
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
