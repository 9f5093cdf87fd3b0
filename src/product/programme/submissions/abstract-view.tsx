import type { Voice } from '#machinery/web/voice.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { AbstractText } from './abstract-text.tsx'
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
      <p>
        {authors.map((author, at) => (
          <span key={`${at} ${nameOf(author)}`}>
            {at > 0 && ', '}
            {author.presenting ? (
              <b>
                <bdi>{nameOf(author)}</bdi>
              </b>
            ) : (
              <bdi>{nameOf(author)}</bdi>
            )}
            {author.affiliations.length > 0 && affiliations.length > 1 && (
              <sup>{author.affiliations.map(place => place + 1).join(',')}</sup>
            )}
          </span>
        ))}
      </p>
      {affiliations.length > 0 && (
        <p class="quiet">
          {affiliations.map((name, at) => (
            <span key={`${at} ${name}`}>
              {at > 0 && '; '}
              {affiliations.length > 1 && <sup>{at + 1}</sup>}
              <bdi>{name}</bdi>
            </span>
          ))}
        </p>
      )}
      {sections.map(({ heading, text }) => (
        <section key={heading} dir="auto">
          {heading !== '' && (
            <p>
              <b>
                <bdi>{heading}</bdi>
              </b>
            </p>
          )}
          <AbstractText text={text} formulas={formulas} />
        </section>
      ))}
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
