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
