import type { ComponentChildren } from 'preact'
import { Banner, Head } from '../web/components/parts.tsx'
import type { View } from './page.ts'
import { type Question, questionView } from './question.tsx'

/** Asks whether to remove something, or says that it cannot be. */
interface Removal extends Omit<Question, 'doubt' | 'isDanger'> {
  /** Why it cannot be removed, and what can be done instead; undefined where it can. */
  refusal: { because: readonly string[]; instead: ComponentChildren } | undefined
}

/** A page that asks before something is removed for good, or says why it cannot be. */
export function removalView({ refusal, ...question }: Removal): View {
  const [because, ...others] = refusal?.because ?? []
  if (because === undefined) return questionView({ ...question, isDanger: true })
  const { title, crumbs } = question
  return {
    title,
    body: (
      <>
        <Head title={<bdi>{title}</bdi>} crumbs={crumbs} />
        <Banner tone="warn" action={refusal?.instead}>
          {[because, ...others].map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Banner>
      </>
    ),
  }
}
