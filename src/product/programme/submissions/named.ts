import { fold } from '#base/fold.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { listAnswers } from './answers.ts'
import type { Author, Content } from './content.ts'

/** Text has no spaces between words of these scripts, and a family name there is one or two letters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** An e-mail address, as a text may have it. Its parts end somewhere, so that a long run of letters costs little. */
const EMAIL = /[^\s@<>()[\],;:"]{1,64}@[^\s@<>()[\],;:"]{1,190}\.\p{L}{2,}/gu

/**
 * Lists what tells in an abstract who has written it: the family name of an author, an affiliation, and each e-mail address. It
 * looks at what reviewers read in a blind review: title, text, keywords and the answers for them. Names are looked for as whole
 * words, whatever their case and accents; a name that is a word of the language, too, is found for nothing.
 */
export function findNamed(content: Content, call: Pick<Call, 'questions'>): string[] {
  const marked = call.questions.filter(question => question.for_reviewers)
  const texts = [
    content.title,
    ...content.sections.map(({ text }) => text),
    ...content.keywords,
    ...listAnswers(content, { questions: marked }).map(({ answer }) => answer),
  ].join('\n')
  const words = wordsOf(texts)
  const run = fold(texts).replace(/\s+/gu, '')
  const isIn = (name: string) => {
    const sought = wordsOf(name)
    if (UNSPACED.test(name)) return run.includes(sought.replaceAll(' ', ''))
    return sought.trim().length > 1 && words.includes(sought)
  }
  const people = content.authors.filter(author => spellings(author).some(isIn)).map(namedAs)
  const places = content.affiliations.filter(name => partsOf(name).some(isIn))
  return [...new Set([...people, ...places, ...(texts.match(EMAIL) ?? [])])]
}

/** Words of a text, folded, with a space around each. */
function wordsOf(text: string): string {
  return ` ${fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
}

/** Whoever has one name alone is called by it. */
function namedAs({ given, family }: Author): string {
  return family ?? given ?? ''
}

/** Where names are a letter or two, the family's alone says nothing. */
function spellings(author: Author): string[] {
  const { given, family } = author
  const name = namedAs(author)
  if (!UNSPACED.test(name)) return [name]
  return given === null || family === null ? [name] : [family + given, given + family]
}

/** An affiliation is known by its beginning, too: the institute without its city, if that is more than a word. */
function partsOf(affiliation: string): string[] {
  const [first = ''] = affiliation.split(',')
  return /\S\s+\S/u.test(first.trim()) ? [affiliation, first] : [affiliation]
}
