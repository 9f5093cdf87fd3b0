import { toDecimal } from '../money.ts'
import type { Bank } from './ways.ts'

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/**
 * What the app of a bank reads from a picture, so that nobody types a transfer: EPC069-12, "Quick Response Code: Guidelines to enable the
 * data capture for the initiation of a SEPA credit transfer", version 002 with a structured reference.
 *
 * @param amount minor units
 * @returns undefined for what is no transfer in euros to an IBAN
 */
export function transferCode(
  { holder, account, code }: Bank,
  { amount, currency, reference }: { amount: number; currency: string; reference: string },
): string | undefined {
  const iban = account.replace(/\s/g, '').toUpperCase()
  if (currency !== 'EUR' || !IBAN.test(iban) || amount < 1 || amount > 99_999_999_999) return undefined
  const bic = (code ?? '').replace(/\s/g, '').toUpperCase()
  const lines = ['BCD', '002', '1', 'SCT', bic, holder.slice(0, 70), iban]
  return [...lines, `EUR${toDecimal(amount, currency)}`, '', reference].join('\n')
}
