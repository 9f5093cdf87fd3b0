import type { Voice } from '#machinery/web/voice.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { Authors, Sections } from './abstract-parts.tsx'
import { AnswerList } from './answer-list.tsx'
import { listAnswers } from './answers.ts'
import { type Content, nameOf } from './content.ts'
import type { Formulas } from './formulas.ts'

/** Shows an abstract as it is read: title, authors with the numbers of their affiliations, and the text. */
export function AbstractView({
  content,
  formulas,
  call,
  voice,
  level = 2,
}: {
  content: Content
  formulas: Formulas
  call: Call
  voice: Voice
  level?: 2 | 3
}) {
  const { calls } = voice.texts
  const { title, authors, affiliations, sections, keywords, language } = content
  const Heading = level === 2 ? ('h2' as const) : ('h3' as const)
  const chosen = [
    call.topics.find(({ id }) => id === content.topic_id)?.name,
    call.kinds.find(({ id }) => id === content.kind_id)?.name,
  ].filter(name => name !== undefined)
  return (
    <article class="card prose" lang={language} dir="auto">
      <Heading>
        <bdi>{title}</bdi>
      </Heading>
      <Authors
        authors={authors.map(author => ({ ...author, name: nameOf(author) }))}
        affiliations={affiliations}
      />
      <Sections sections={sections} formulas={formulas} />
      {keywords.length > 0 && (
        <p class="quiet">
          {calls.keywords}: <bdi>{keywords.join(', ')}</bdi>
        </p>
      )}
      {chosen.length > 0 && (
        <p class="quiet">
          <bdi>{chosen.join(' · ')}</bdi>
        </p>
      )}
      <AnswerList answers={listAnswers(content, call)} voice={voice} />
    </article>
  )
}
