import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { orcid } from '#product/programme/abstracts/orcid.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import { MAX_SECTIONS } from '#product/programme/calls/schemas.ts'

export const MAX_TITLE = 300
/** The longest text, all sections together, in characters. */
export const MAX_TEXT = 20_000
export const MAX_KEYWORDS = 10
export const MAX_AUTHORS = 100
export const MAX_AFFILIATIONS = 30
const MAX_PHONE = 50

const authorSchema = v.strictObject({
  /** Some people have one name alone, wherever they write it. */
  given: v.nullable(fields.name(100)),
  family: v.nullable(fields.name(100)),
  email: v.nullable(fields.email),
  orcid: v.nullable(orcid),
  /** The places of the author's affiliations in the list, from 0. */
  affiliations: v.array(fields.integer(0, MAX_AFFILIATIONS - 1)),
  presenting: v.boolean(),
})

/** An abstract as it is sent. */
export const contentSchema = v.strictObject({
  title: fields.name(MAX_TITLE),
  /** Each part of the text with its heading, which is empty for a text that is one. */
  sections: v.pipe(
    v.array(v.strictObject({ heading: v.string(), text: fields.text(MAX_TEXT, 1) })),
    v.check(list => list.length >= 1 && list.length <= MAX_SECTIONS, says('choices', { max: MAX_SECTIONS })),
  ),
  keywords: v.array(fields.name(100)),
  topic_id: v.nullable(fields.uuid),
  kind_id: v.nullable(fields.uuid),
  /** The language of the text, as BCP 47 has it. It is empty where nobody has said it. */
  language: v.string(),
  contact: v.strictObject({
    name: fields.personName,
    phone: v.nullable(fields.text(MAX_PHONE)),
  }),
  authors: v.array(authorSchema),
  affiliations: v.array(fields.name()),
  /** By the keys of what the call asks beside the text. */
  answers: v.optional(v.record(v.string(), v.string()), () => ({})),
})

export type Content = v.InferOutput<typeof contentSchema>
export type Author = Content['authors'][number]

/** Returns the whole name of an author. */
export function nameOf({ given, family }: Pick<Author, 'given' | 'family'>): string {
  return [given, family].filter(Boolean).join(' ')
}

/** Counts the words of a text: runs between white space. */
export function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0
}

/** Counts the words of all sections. Their headings are not the author's. */
export function countAllWords(sections: Content['sections']): number {
  return sections.reduce((sum, { text }) => sum + countWords(text), 0)
}

/** Returns the text as the API has it: each section begins with its heading. */
export function textOf(sections: Content['sections']): string {
  return sections.map(({ heading, text }) => (heading === '' ? text : `${heading}: ${text}`)).join('\n\n')
}

/** Returns the keywords as the API has them. */
export function keywordsOf({ keywords }: Pick<Content, 'keywords'>): string | null {
  return keywords.length === 0 ? null : keywords.join(', ')
}

/** Returns the authors as the API has them. */
export function authorsOf({ authors, affiliations }: Content): Abstract['authors'] {
  return authors.map(author => ({
    name: nameOf(author),
    email: author.email,
    affiliation: author.affiliations.map(at => affiliations[at]).join('; ') || null,
    presenting: author.presenting,
    orcid: author.orcid,
    affiliations: author.affiliations.map(at => affiliations[at] as string),
  }))
}

type Named = Pick<Abstract['authors'][number], 'name' | 'email' | 'presenting'>

/** Returns whether an abstract names those who have written a version of it, in their order. */
export function hasAuthorsOf(
  authors: readonly Named[],
  version: { authors: readonly Omit<Author, 'orcid' | 'affiliations'>[] },
): boolean {
  const printed = (all: readonly Named[]) =>
    JSON.stringify(
      all.map(({ name, email, presenting }) => [name, email && fields.emailKey(email), presenting]),
    )
  return printed(authors) === printed(version.authors.map(author => ({ ...author, name: nameOf(author) })))
}
