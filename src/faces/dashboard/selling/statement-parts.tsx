import { Money, Pill } from '#machinery/web/components/parts.tsx'
import type { Column } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { BankLine } from '#product/selling/bank-statements/schemas.ts'

export const OF_STATEMENTS = { permission: 'statements', isOfAllEvents: true } as const

const tones = {
  confirmed: 'good',
  kept: 'warn',
  returned: 'warn',
  paid_back: 'good',
  paid_out: 'good',
} as const

/** Shows what became of a line, or why it needs a decision. */
export function LineState({
  line,
  voice,
}: {
  line: Pick<BankLine, 'outcome' | 'reason' | 'state'>
  voice: Voice
}) {
  const { statements: labels } = voice.texts
  if (line.outcome !== null) return <Pill tone={tones[line.outcome]}>{labels.outcomes[line.outcome]}</Pill>
  if (line.reason === null) return <>{labels.tabs[line.state === 'read' ? 'unmatched' : line.state]}</>
  return <>{labels.reasons[line.reason]}</>
}

/** Shows whom a line names. */
export function Counterparty({
  line,
  voice,
}: {
  line: Pick<BankLine, 'counterparty' | 'is_erased'>
  voice: Voice
}) {
  const { statements: labels } = voice.texts
  if (line.counterparty !== '') return <bdi>{line.counterparty}</bdi>
  return <span class="quiet">{line.is_erased ? labels.erased : labels.nobody}</span>
}

type OfList = Omit<BankLine, 'state'>

/** Every list of lines has these columns, beside the one of whom it names. */
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
