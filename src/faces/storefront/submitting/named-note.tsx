import { Banner } from '#machinery/web/components/parts.tsx'
import type { Content } from '#product/programme/submissions/content.ts'
import { findNamed } from '#product/programme/submissions/named.ts'
import type { Spoken, SubmissionView } from './submission-view.ts'

/** Warns of what tells reviewers who has written an abstract, if they are not to know. Whoever means it sends it as it is. */
export function NamedNote({
  content,
  call,
  isBlind,
  voice: { texts, format },
}: { content: Content } & Pick<SubmissionView & Spoken, 'call' | 'isBlind' | 'voice'>) {
  const found = isBlind ? findNamed(content, call) : []
  if (found.length === 0) return null
  return (
    <Banner tone="warn">
      <p>
        <bdi>{texts.calls.named(format.list(found))}</bdi>
      </p>
    </Banner>
  )
}
