import { fold } from '#base/fold.ts'
import { toPlain } from './column-names.ts'

export type Side = 'credit' | 'debit'

const words: Readonly<Record<Side, string>> = {
  credit: 'h c cr crdt credit haben gutschrift eingang bij in abono haber credito avere uznanie kredit ma',
  debit:
    's d dr dbit debit debet soll belastung lastschrift ausgang af out cargo debe debito dare obciazenie wn',
}

const sides = new Map(
  (['credit', 'debit'] as const).flatMap(side => words[side].split(' ').map(word => [word, side] as const)),
)
sides.set('+', 'credit')
for (const dash of ['-', '–', '−']) sides.set(dash, 'debit')

/** Returns what a cell says about the side of an amount. @returns undefined if it says nothing about it */
export function readSide(cell: string): Side | undefined {
  return cell.length > 20 ? undefined : sides.get(fold(cell.trim()))
}

/** The known texts for sides, as they are shown to people. */
export const sideExamples = ['C', 'D', 'H', 'S', '+', '-']

const PENDING =
  /^(umsatz )?(pending|vorgemerkt|offen|ausstehend|nicht gebucht|revert|declin|fail|cancel|reject|refus|blocked|reserved|processing|created|scheduled|expired|storniert|abgelehnt|pendiente|rechazad|anulad|en attente|annul|oczekuj|odrzuc|anulow|in attesa|rifiutat|pendente)/

/** Returns whether a line waits to be booked, or never was. */
export function isPending(status: string): boolean {
  return PENDING.test(toPlain(status))
}

const BALANCES = new Set([
  ...['anfangssaldo', 'endsaldo', 'kontostand', 'opening balance', 'closing balance', 'ending balance'],
  ...[
    'saldo inicial',
    'saldo final',
    'saldo anterior',
    'solde initial',
    'solde final',
    'beginsaldo',
    'eindsaldo',
  ],
  ...['saldo poczatkowe', 'saldo koncowe', 'saldo iniziale', 'saldo finale'],
])
const BALANCE = /^(beginning|opening|closing|ending) balance\b/

/**
 * Returns whether a text says that its line is a balance and moves nothing.
 *
 * @param alone true if the line has no amount, and then more text may follow
 */
export function isBalance(text: string, alone: boolean): boolean {
  if (text.length > 100) return false
  const plain = toPlain(text)
  return BALANCES.has(plain) || (alone && BALANCE.test(plain))
}
