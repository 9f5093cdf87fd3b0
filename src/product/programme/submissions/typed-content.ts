import type { Wrong } from '#machinery/web/forms/field.ts'
import type { FieldFault, Fields, ValuesOf } from '#machinery/web/forms/form.ts'
import { type Call, offered, type Topic } from '#product/programme/calls/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { readAnswers, typedAnswers } from './answers.ts'
import { type Content, countAllWords, MAX_AFFILIATIONS } from './content.ts'
import { findMisfits, type Misfit } from './fit.ts'
import { affiliationField, authorField, type Counts, PRESENTER } from './rows.ts'
import { headingsOf, sectionField } from './submission-fields.ts'
import { withoutSymbolFont } from './symbol-font.ts'

type Values = ValuesOf<Fields>

/**
 * Returns what the values of a form say, or what is wrong with it by the names of its fields. Rows in which nothing was typed are
 * left out.
 *
 * @param was what was sent last
 */
export function toContent(
  values: Values,
  { call, counts, was }: { call: Call; counts: Counts; was: Content | undefined },
): { content: Content } | { faults: ReadonlyMap<string, FieldFault> } {
  const affiliations = Array.from({ length: counts.affiliations }, (_, at) => values[affiliationField(at)])
  const kept = affiliations.map((name, at) => (name === null ? -1 : at)).filter(at => at >= 0)
  const only = kept.length === 1 ? [0] : []
  const rows = Array.from({ length: counts.authors }, (_, at) => at).filter(at =>
    ['given', 'family', 'email', 'orcid'].some(part => values[`author.${at}.${part}`] !== null),
  )
  const content: Content = {
    title: withoutSymbolFont(values.title),
    sections: headingsOf(call).map(heading => ({
      heading,
      text: withoutSymbolFont(values[sectionField(heading)]),
    })),
    keywords: withoutSymbolFont((values.keywords as string | null) ?? '')
      .split(/[,;\n]/)
      .flatMap(word => word.trim() || []),
    topic_id: chosenOf(call.topics, values.topic, was?.topic_id),
    kind_id: chosenOf(call.kinds, values.kind, was?.kind_id),
    language: values.language,
    contact: { name: values['contact.name'], phone: values['contact.phone'] },
    authors: rows.map(at => {
      const places = values[authorField(at, 'affiliations')] as number[]
      return {
        given: values[authorField(at, 'given')],
        family: values[authorField(at, 'family')],
        email: values[authorField(at, 'email')],
        orcid: values[authorField(at, 'orcid')],
        // A place that has no name leads nowhere, which is a fault below.
        affiliations: places.length === 0 ? only : places.map(place => nowhereUnless(kept.indexOf(place))),
        presenting: values[PRESENTER] === at,
      }
    }),
    affiliations: kept.map(at => affiliations[at]),
    answers: readAnswers(values, call, was),
  }
  const faults = new Map(
    findMisfits(content, call, was).map(misfit => [fieldOf(misfit, call, rows), sayMisfit(misfit)]),
  )
  return faults.size > 0 ? { faults } : { content }
}

/** Where nothing is offered any more, what was not sent with it goes without. */
function chosenOf(
  choices: readonly Topic[],
  id: string | undefined,
  was: string | null | undefined,
): string | null {
  return id === undefined || (offered(choices).length === 0 && id !== was) ? null : id
}

/** One more than there can be. */
const NOWHERE = MAX_AFFILIATIONS

function nowhereUnless(place: number): number {
  return place < 0 ? NOWHERE : place
}

/** Returns that the typed text is too long, by its field, if it is. */
export function findLength(
  typed: Readonly<Record<string, readonly string[]>>,
  call: Call,
): [name: string, fault: FieldFault][] {
  const count = countAllWords(
    headingsOf(call).map(heading => ({ heading, text: typed[sectionField(heading)]?.[0] ?? '' })),
  )
  if (count <= call.max_words) return []
  const misfit = { part: 'words', count, most: call.max_words } as const
  return [[fieldOf(misfit, call, []), sayMisfit(misfit)]]
}

/** Returns the name of the field beside which a fault is shown. */
function fieldOf(misfit: Misfit, call: Call, rows: readonly number[]): string {
  const first = sectionField(headingsOf(call)[0] ?? '')
  switch (misfit.part) {
    case 'section':
      return sectionField(headingsOf(call)[misfit.at] ?? '')
    case 'sections':
    case 'words':
    case 'characters':
      return first
    case 'author':
      return authorField(rows[misfit.at] ?? 0, misfit.lacks === 'name' ? 'family' : 'affiliations')
    case 'twice':
      return authorField(rows[misfit.at] ?? 0, 'family')
    case 'authors':
      return authorField(0, 'family')
    case 'presenter':
      return PRESENTER
    case 'answer':
      return `answer.${misfit.question}`
    case 'affiliations':
      return affiliationField(0)
    default:
      return misfit.part
  }
}

/** Says what an abstract lacks beside its field. */
export function sayMisfit(misfit: Misfit): Wrong {
  return { say: ({ calls: { misfits } }) => tellMisfit(misfit, misfits) }
}

function tellMisfit(misfit: Misfit, texts: Texts['calls']['misfits']): string {
  switch (misfit.part) {
    case 'words':
      return texts.words(misfit.count, misfit.most)
    case 'characters':
      return texts.characters(misfit.most)
    case 'keywords':
      return texts.keywords(misfit.most)
    case 'authors':
      return texts.authors(misfit.most)
    case 'affiliations':
      return texts.affiliations(misfit.most)
    case 'author':
      return misfit.lacks === 'name' ? texts.authorName : texts.authorAffiliation
    default:
      return texts[misfit.part]
  }
}

/** Returns what the fields of an abstract show of one that was sent. */
export function typedOf(content: Content, call: Call): { typed: Record<string, string[]> } & Counts {
  const { contact, authors, affiliations } = content
  const typed: Record<string, string[]> = {
    'contact.name': [contact.name],
    'contact.phone': [contact.phone ?? ''],
    title: [content.title],
    topic: [content.topic_id ?? ''],
    kind: [content.kind_id ?? ''],
    language: [content.language],
    keywords: [content.keywords.join(', ')],
    ...typedAnswers(content, call),
  }
  for (const { heading, text } of content.sections) typed[sectionField(heading)] = [text]
  for (const [at, author] of authors.entries()) {
    typed[authorField(at, 'given')] = [author.given ?? '']
    typed[authorField(at, 'family')] = [author.family ?? '']
    typed[authorField(at, 'email')] = [author.email ?? '']
    typed[authorField(at, 'orcid')] = [author.orcid ?? '']
    typed[authorField(at, 'affiliations')] = [author.affiliations.map(place => place + 1).join(', ')]
    if (author.presenting) typed[PRESENTER] = [String(at)]
  }
  for (const [at, name] of affiliations.entries()) typed[affiliationField(at)] = [name]
  const asks = headingsOf(call).length
  return {
    typed,
    authors: Math.max(1, authors.length),
    affiliations: Math.max(asks > 0 ? 1 : 0, affiliations.length),
    headings: content.sections.map(({ heading }) => heading),
  }
}
