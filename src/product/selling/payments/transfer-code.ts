import { toDecimal } from '#base/money.ts'
import type { Bank } from './methods.ts'

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/**
 * Returns what a bank's app reads from a picture, so that nobody types a transfer. The format is EPC069-12, "Quick Response Code:
 * Guidelines to enable the data capture for the initiation of a SEPA credit transfer", version 002 with a structured reference.
 *
 * @param amount minor units
 * @returns undefined for anything but a transfer in euros to an IBAN
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
