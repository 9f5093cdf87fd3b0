import { emailKey, PILED_MARKS } from './fields.ts'
import { ASCII, fold, foldSpelled, spellingsOf } from './fold.ts'

/** A person to find by a name or an e-mail. */
export interface Person {
  name: string | null
  email: string | null
}

/** These replace the name and the e-mail of a person who was made anonymous. Neither has a word that a search could find. */
export const ERASED_NAME = '—'
export const ERASED_EMAIL = '-@erased.invalid'

/** Returns an address like that one, for rows that need one of their own. */
export function erasedEmailOf(id: string): string {
  return `${id}${ERASED_EMAIL.slice(1)}`
}

/**
 * The most words that a registration is found by, those of its buyer first. Each word is a row, so this limits the rows of a
 * registration with many tickets.
 */
export const MAX_WORDS = 500
/** The most words of one text, so that a long name leaves room for the names of other people. */
const MAX_WORDS_OF_TEXT = 10
/** In characters. Only so many of a longer word, and of a longer search, are compared. */
const LONGEST = 32

/**
 * Returns the words by which people are found: those of their names, and of the local parts of their e-mails. Han, Kana and
 * Hangul have no spaces, so there a word begins with each character. O'Brien is found as Brien and as OBrien.
 */
export function wordsOf(people: Iterable<Person>): Set<string> {
  const words = new Set<string>()
  const texts = new Set<string>()
  for (const { name, email } of people) {
    if (name !== null) texts.add(name)
    if (email !== null) texts.add(localPart(email))
  }
  for (const text of texts) {
    for (const word of wordsOfText(text)) {
      words.add(word)
      if (words.size === MAX_WORDS) return words
    }
  }
  return words
}

/** The beginning of an e-mail. The key of a part of a non-ASCII domain is not the beginning of the key of the whole domain. */
interface EmailBegin {
  /** The text in lower case, as the person typed it. */
  typed: string
  key: string
}

/** The parsed text of a search. */
export interface Terms {
  /**
   * The beginnings of words, the longest first. None is the beginning of another. An e-mail adds the words under which it is
   * stored. They are spelled without ä, ö, ü, ø and å: `spellingsOf` gives what may be stored for each.
   */
  prefixes: string[]
  /**
   * The beginnings from parts of the text that are not an e-mail, each in its one or two forms: without its marks, and spelled
   * out. `emails` is more exact for the others.
   */
  names: string[][]
  /** The beginnings of e-mails, in one of the two forms. */
  emails: EmailBegin[]
  /** The key of the one e-mail, if the search must match it as a whole. */
  exactEmail?: string | undefined
}

export function termsOf(text: string): Terms {
  const prefixes = new Set<string>()
  const names = new Map<string, string[]>()
  const emails: EmailBegin[] = []
  for (const part of text.split(/\s+/u)) {
    if (part.indexOf('@') > 0) {
      emails.push({ typed: part.normalize('NFC').toLowerCase(), key: emailKey(part) })
      for (const word of wordsOfText(localPart(part))) prefixes.add(word)
    } else {
      const spelled = splitAtNonLetters(foldSpelled(part)).map(cut)
      for (const [at, word] of splitAtNonLetters(fold(part)).map(cut).entries()) {
        const other = spelled[at] ?? word
        names.set(`${word} ${other}`, [...new Set([word, other])])
        prefixes.add(other)
      }
    }
  }
  const longestFirst = [...prefixes].sort((one, other) => other.length - one.length)
  const isBegun = (word: string, at: number) =>
    longestFirst.some((other, before) => before < at && other.startsWith(word))
  return {
    prefixes: longestFirst.filter((word, at) => !isBegun(word, at)),
    names: [...names.values()],
    emails,
  }
}

/** Returns the same terms for the whole e-mail, or undefined if the text has more than one e-mail alone. */
export function exactEmailOf(terms: Terms): (Terms & { exactEmail: string }) | undefined {
  const [email, ...others] = terms.emails
  const isAlone = email !== undefined && others.length === 0 && terms.names.length === 0
  return isAlone ? { ...terms, exactEmail: email.key } : undefined
}

export function areMatched(
  { prefixes, names, emails, exactEmail }: Terms,
  people: readonly Person[],
): boolean {
  // This rules out most people, at far less cost than the comparisons below.
  const text = fold(people.map(textOf).join('\n')).replaceAll("'", '')
  if (!prefixes.every(prefix => spellingsOf(prefix).some(one => text.includes(one)))) return false
  const isOfOne = (is: (email: string) => boolean) => people.some(({ email }) => email !== null && is(email))
  if (exactEmail !== undefined && !isOfOne(email => emailKey(email) === exactEmail)) return false
  if (!emails.every(begin => isOfOne(email => begins(begin, email)))) return false
  if (names.length === 0) return true
  const words = [...wordsOf(people), ...wordsOf(people.map(spelled))]
  return names.every(forms => forms.some(form => words.some(word => word.startsWith(form))))
}

function begins({ typed, key }: EmailBegin, email: string): boolean {
  return email.normalize('NFC').toLowerCase().startsWith(typed) || emailKey(email).startsWith(key)
}

function textOf({ name, email }: Person): string {
  return `${name ?? ''}\n${email === null ? '' : localPart(email)}`
}

function spelled({ name, email }: Person): Person {
  return { name: name === null ? null : foldSpelled(name), email }
}

function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

function wordsOfText(text: string): string[] {
  const folded = fold(text)
  const words: string[] = []
  for (const word of splitAtNonLetters(folded)) {
    if (words.length >= MAX_WORDS_OF_TEXT) break
    if (CJK.test(word)) words.push(...suffixesOf(word, MAX_WORDS_OF_TEXT))
    else words.push(word)
  }
  if (folded.includes("'")) {
    for (const [joined] of folded.matchAll(WITH_APOSTROPHES)) words.push(joined.replaceAll("'", ''))
  }
  return words.slice(0, MAX_WORDS_OF_TEXT).map(cut)
}

/**
 * Returns a text in NFC. A text with more marks on a letter than any script writes stays as it is, because ordering them costs
 * the square of their number: 20,000 marks cost a tenth of a second.
 */
export function toNfc(text: string): string {
  return ASCII.test(text) || PILED_MARKS.test(text) ? text : text.normalize('NFC')
}

const CJK = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u
/**
 * Matches a word. Digits count as letters, because they occur in e-mails. Next to other scripts, Han, Kana and Hangul are words
 * of their own.
 */
const WORD =
  /(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])+|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])[\p{L}\p{N}])+/gu
const ASCII_WORD = /[a-z0-9]+/g
/** Matches only where a run of letters begins. Otherwise it would cost the square of the length of the run. */
const WITH_APOSTROPHES = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)+/gu

function splitAtNonLetters(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? []
}

/** NFKD takes a syllable of Hangul apart. No word begins at the parts after its first consonant. */
const WITHIN_SYLLABLE = /[\u1160-\u11ff\ud7b0-\ud7ff]/

function suffixesOf(word: string, most: number): string[] {
  const characters = [...word]
  const begins = characters.flatMap((character, at) => (WITHIN_SYLLABLE.test(character) ? [] : [at]))
  return begins.slice(0, most).map(at => characters.slice(at, at + LONGEST).join(''))
}

function cut(word: string): string {
  return word.length <= LONGEST ? word : [...word].slice(0, LONGEST).join('')
}
