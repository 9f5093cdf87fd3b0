import { AbstractText } from './abstract-text.tsx'
import type { Content } from './content.ts'
import type { Formulas } from './formulas.ts'

interface ShownAuthor {
  name: string
  /** The places of the affiliations in the list, from 0. */
  affiliations: readonly number[]
  presenting: boolean
}

/** Shows the authors of an abstract with the numbers of their affiliations, and below them the affiliations. */
export function Authors({
  authors,
  affiliations,
}: {
  authors: readonly ShownAuthor[]
  affiliations: readonly string[]
}) {
  return (
    <>
      <p>
        {authors.map((author, at) => (
          <span key={`${at} ${author.name}`}>
            {at > 0 && ', '}
            {author.presenting ? (
              <b>
                <bdi>{author.name}</bdi>
              </b>
            ) : (
              <bdi>{author.name}</bdi>
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
    </>
  )
}

/** Shows the parts of the text of an abstract, each below its heading. */
export function Sections({ sections, formulas }: { sections: Content['sections']; formulas: Formulas }) {
  return (
    <>
      {sections.map(({ heading, text }) => (
        <section key={heading} dir="auto">
          {heading !== '' && (
            <p class="heading">
              <b>
                <bdi>{heading}</bdi>
              </b>
            </p>
          )}
          <AbstractText text={text} formulas={formulas} />
        </section>
      ))}
    </>
  )
}
