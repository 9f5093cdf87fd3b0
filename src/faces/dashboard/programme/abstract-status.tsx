import { Pill } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import type { Texts } from '#texts/texts.ts'

export const decisionTones: Readonly<Record<Abstract['status'], Tone | undefined>> = {
  submitted: undefined,
  in_review: 'warn',
  accepted: 'good',
  rejected: 'bad',
}

export function AbstractStatus({ status, texts }: { status: Abstract['status']; texts: Texts }) {
  return <Pill tone={decisionTones[status]}>{texts.abstracts.status[status]}</Pill>
}

/** Shows where an abstract stands. Of one that was withdrawn, its decision says nothing any more. */
export function AbstractState({
  status,
  isWithdrawn,
  texts,
}: {
  status: Abstract['status']
  isWithdrawn: boolean
  texts: Texts
}) {
  if (isWithdrawn) return <Pill tone="off">{texts.abstracts.withdrawn}</Pill>
  return <AbstractStatus status={status} texts={texts} />
}

/** So many abstracts are named at once. More are behind their summary. */
const FEW = 5

/** Names the abstracts that something is done with, each with where it stands. */
export function NamedAbstracts({
  rows,
  summary,
  texts,
}: {
  rows: readonly Pick<Abstract, 'id' | 'code' | 'title' | 'status'>[]
  summary: string
  texts: Texts
}) {
  return (
    <details open={rows.length <= FEW}>
      <summary>{summary}</summary>
      <ul class="named">
        {rows.map(({ id, code, title, status }) => (
          <li key={id}>
            <bdi class="quiet">{code}</bdi> <bdi>{title}</bdi>{' '}
            <AbstractStatus status={status} texts={texts} />
          </li>
        ))}
      </ul>
    </details>
  )
}
