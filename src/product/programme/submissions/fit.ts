import { emailKey } from '#base/fields.ts'
import { fold } from '#base/fold.ts'
import { ERASED_NAME } from '#base/words.ts'
import { type Call, offered, type Topic } from '#product/programme/calls/schemas.ts'
import { findUnanswered } from './answers.ts'
import {
  type Content,
  countAllWords,
  MAX_AFFILIATIONS,
  MAX_AUTHORS,
  MAX_KEYWORDS,
  MAX_TEXT,
  nameOf,
} from './content.ts'

/** What an abstract lacks, or has too much of, by what the call asks for. */
export type Misfit =
  | { part: 'sections' }
  | { part: 'section'; at: number }
  | { part: 'words'; count: number; most: number }
  | { part: 'characters'; most: number }
  | { part: 'keywords'; most: number }
  | { part: 'topic' | 'kind' }
  | { part: 'authors'; most: number }
  | { part: 'author'; at: number; lacks: 'name' | 'affiliation' }
  | { part: 'twice'; at: number }
  | { part: 'presenter' }
  | { part: 'affiliations'; most: number }
  | { part: 'file' }
  | { part: 'answer'; question: string }

/**
 * Compares an abstract with what the call asks for now.
 *
 * @param was what it says so far: a topic that has retired meanwhile stays
 */
export function findMisfits(content: Content, call: Call, was?: Content): Misfit[] {
  const { sections, authors, affiliations, keywords } = content
  const found: Misfit[] = []
  const headings = call.sections.length === 0 ? [''] : call.sections
  const isAsAsked =
    headings.length === sections.length && headings.every((heading, at) => heading === sections[at]?.heading)
  if (!isAsAsked) found.push({ part: 'sections' })
  for (const [at, { text }] of sections.entries()) {
    if (text.trim() === '') found.push({ part: 'section', at })
  }
  const count = countAllWords(sections)
  if (count > call.max_words) found.push({ part: 'words', count, most: call.max_words })
  if (sections.reduce((sum, { text }) => sum + text.length, 0) > MAX_TEXT)
    found.push({ part: 'characters', most: MAX_TEXT })
  if (keywords.length > MAX_KEYWORDS) found.push({ part: 'keywords', most: MAX_KEYWORDS })
  if (!isChosen(call.topics, content.topic_id, was?.topic_id)) found.push({ part: 'topic' })
  if (!isChosen(call.kinds, content.kind_id, was?.kind_id)) found.push({ part: 'kind' })
  if (authors.length === 0 || authors.length > MAX_AUTHORS) found.push({ part: 'authors', most: MAX_AUTHORS })
  for (const [at, author] of authors.entries()) {
    if (author.given === null && author.family === null) found.push({ part: 'author', at, lacks: 'name' })
    if (author.affiliations.some(place => place >= affiliations.length))
      found.push({ part: 'author', at, lacks: 'affiliation' })
  }
  if (authors.length <= MAX_AUTHORS)
    found.push(...findTwice(content).map(at => ({ part: 'twice', at }) as const))
  if (authors.length > 0 && authors.filter(({ presenting }) => presenting).length !== 1)
    found.push({ part: 'presenter' })
  if (affiliations.length > MAX_AFFILIATIONS) found.push({ part: 'affiliations', most: MAX_AFFILIATIONS })
  return found
}

/** Whoever has none of their own: those who are lacking, and those who were made anonymous. */
const UNNAMED: ReadonlySet<string> = new Set(['', fold(ERASED_NAME)])

/**
 * Returns the places of authors who stand there before. Two of one name are two where their ORCID iDs, their e-mails or their first
 * affiliations differ. One e-mail for several names is no fault: many have that of their group.
 */
function findTwice({ authors, affiliations }: Content): number[] {
  const people = authors.map(author => ({
    ...author,
    folded: fold(nameOf(author)),
    key: author.email === null ? null : emailKey(author.email),
    place: fold(affiliations[author.affiliations[0] ?? -1] ?? ''),
  }))
  const areTwo = <Of>(one: Of | null, other: Of | null) => one !== null && other !== null && one !== other
  const areOne = (one: (typeof people)[number], other: (typeof people)[number]) => {
    if (one.orcid !== null && one.orcid === other.orcid) return true
    if (one.folded !== other.folded || UNNAMED.has(one.folded)) return false
    if (areTwo(one.orcid, other.orcid) || areTwo(one.key, other.key)) return false
    return (one.key !== null && one.key === other.key) || one.place === other.place
  }
  return people.flatMap((one, at) => (people.slice(0, at).some(other => areOne(one, other)) ? [at] : []))
}

/** Returns that a file is missing, where the call asks for one. */
export function findFileMisfits({ file: asked }: Pick<Call, 'file'>, file: object | undefined): Misfit[] {
  return asked === 'required' && file === undefined ? [{ part: 'file' }] : []
}

/** Returns that what the call asks beside the text is not answered, of what its author sends. */
export function findAnswerMisfits(content: Content, call: Call): Misfit[] {
  const lacking = findUnanswered(content, call)
  return lacking === undefined ? [] : [{ part: 'answer', question: lacking.id }]
}

function isChosen(choices: readonly Topic[], id: string | null, was: string | null | undefined): boolean {
  if (id !== null && id === was) return true
  const all = offered(choices)
  return all.length === 0 ? id === null : all.some(choice => choice.id === id)
}
