import type { BankLine } from '../bank-statements/schemas.ts'
import { Money, Pill } from '../web/components/parts.tsx'
import type { Column } from '../web/lists/list.tsx'
import type { Voice } from '../web/voice.ts'

export const OF_STATEMENTS = { permission: 'statements', isOfAllEvents: true } as const

const tones = { confirmed: 'good', kept: 'warn', returned: 'warn', paid_back: 'good' } as const

/** What became of a line, or why it is to decide. */
export function LineState({
  line,
  voice,
}: {
  line: Pick<BankLine, 'outcome' | 'reason' | 'state'>
  voice: Voice
}) {
  const { statements: said } = voice.texts
  if (line.outcome !== null) return <Pill tone={tones[line.outcome]}>{said.outcomes[line.outcome]}</Pill>
  if (line.reason === null) return <>{said.tabs[line.state === 'read' ? 'unmatched' : line.state]}</>
  return <>{said.reasons[line.reason]}</>
}

/** Whom a line names. */
export function Counterparty({
  line,
  voice,
}: {
  line: Pick<BankLine, 'counterparty' | 'is_erased'>
  voice: Voice
}) {
  const { statements: said } = voice.texts
  if (line.counterparty !== '') return <bdi>{line.counterparty}</bdi>
  return <span class="quiet">{line.is_erased ? said.erased : said.nobody}</span>
}

type OfList = Omit<BankLine, 'state'>

/** What every list of lines shows, beside whom it names. */
export const lineColumns: readonly Column<{ line: OfList }>[] = [
  {
    label: texts => texts.statements.text,
    place: 'wide',
    cell: ({ line }) => <bdi>{line.text}</bdi>,
  },
  {
    label: texts => texts.statements.day,
    place: 'when',
    cell: ({ line }, { format }) => <time datetime={line.date}>{format.day(line.date)}</time>,
  },
  {
    label: texts => texts.statements.amount,
    place: 'amount',
    isNumber: true,
    cell: ({ line }, { format }) => <Money amount={line.amount} currency={line.currency} format={format} />,
  },
]
