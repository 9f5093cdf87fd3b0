import { emailKey } from './fields.ts'

/** Who is found by a name or an e-mail. */
export interface Person {
  name: string | null
  email: string | null
}

/** What stands for the name and the e-mail of a person who was made anonymous: neither has a word that a search could find. */
export const ERASED_NAME = '—'
export const ERASED_EMAIL = '-@erased.invalid'

/** The most words that a registration is found by, those of its buyer first: it has as many rows, however many its tickets. */
export const MAX_WORDS = 500
/** The most words of one text, so that a long name leaves room for the names of others. */
const MAX_WORDS_OF_TEXT = 10
/** In characters; of a longer word, and of a longer search, so many are compared. */
const LONGEST = 32

/**
 * The words that people are found by: those of their names, and of the local parts of their e-mails. In Han, Kana and Hangul,
 * which have no spaces, a word begins with each character. O'Brien is found as Brien and as OBrien.
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

/** The beginning of a domain that is not ASCII has another key than what the key of the whole begins with. */
interface EmailBegin {
  /** In lower case, as it was typed. */
  typed: string
  key: string
}

/** What a person looks for. */
export interface Terms {
  /** Each begins a word, the longest first; none begins another. Of an e-mail they are those that it is kept under. */
  prefixes: string[]
  /** Those that are not just of an e-mail, which says more than they. */
  names: string[]
  /** Each begins an e-mail, in one of the two forms. */
  emails: EmailBegin[]
  /** The key of the one e-mail, where it is to be that and no longer one. */
  whole?: string | undefined
}

export function termsOf(text: string): Terms {
  const prefixes = new Set<string>()
  const names = new Set<string>()
  const emails: EmailBegin[] = []
  for (const part of text.split(/\s+/u)) {
    if (part.indexOf('@') > 0) {
      emails.push({ typed: part.normalize('NFC').toLowerCase(), key: emailKey(part) })
      for (const word of wordsOfText(localPart(part))) prefixes.add(word)
    } else {
      for (const word of splitAtNonLetters(fold(part))) names.add(cut(word))
    }
  }
  for (const name of names) prefixes.add(name)
  const longestFirst = [...prefixes].sort((one, other) => other.length - one.length)
  const isBegun = (word: string, at: number) =>
    longestFirst.some((other, before) => before < at && other.startsWith(word))
  return { prefixes: longestFirst.filter((word, at) => !isBegun(word, at)), names: [...names], emails }
}

/** The same where just an e-mail is looked for, which is to be a whole one. */
export function wholeOf(terms: Terms): (Terms & { whole: string }) | undefined {
  const [email, ...others] = terms.emails
  const isAlone = email !== undefined && others.length === 0 && terms.names.length === 0
  return isAlone ? { ...terms, whole: email.key } : undefined
}

export function areMatched({ prefixes, names, emails, whole }: Terms, people: readonly Person[]): boolean {
  // Most are ruled out by this, which costs far less.
  const text = fold(people.map(textOf).join('\n')).replaceAll("'", '')
  if (!prefixes.every(prefix => text.includes(prefix))) return false
  const isOfOne = (is: (email: string) => boolean) => people.some(({ email }) => email !== null && is(email))
  if (whole !== undefined && !isOfOne(email => emailKey(email) === whole)) return false
  if (!emails.every(begin => isOfOne(email => begins(begin, email)))) return false
  const words = names.length === 0 ? [] : [...wordsOf(people)]
  return names.every(prefix => words.some(word => word.startsWith(prefix)))
}

function begins({ typed, key }: EmailBegin, email: string): boolean {
  return email.normalize('NFC').toLowerCase().startsWith(typed) || emailKey(email).startsWith(key)
}

function textOf({ name, email }: Person): string {
  return `${name ?? ''}\n${email === null ? '' : localPart(email)}`
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

const ASCII = /^[\0-\x7f]*$/
const APOSTROPHES = /[\u2018\u2019\u02bb\u02bc\u02be\u02bf`]/g

/**
 * What is compared instead of a text: without marks, case, and what does not show. Upper case comes first, as it makes one of
 * what lower case keeps apart: ß and ss, a dotless i and i.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[ςøłđðħŧæœþ]/g, letter => PLAIN[letter] as string)
    .replace(APOSTROPHES, "'")
}

/** A stroke through a letter is no mark to Unicode, and a sigma has a form of its own at the end. */
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  ['ςσ', 'øo', 'łl', 'đd', 'ðd', 'ħh', 'ŧt', 'æae', 'œoe', 'þth'].map(([from = '', ...to]) => [
    from,
    to.join(''),
  ]),
)

const CJK = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u
/** A digit is as good as a letter: it stands in e-mails. Next to other scripts Han, Kana and Hangul are words of their own. */
const WORD =
  /(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])+|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])[\p{L}\p{N}])+/gu
const ASCII_WORD = /[a-z0-9]+/g
/** Begins only where a run of letters does: else it would cost the square of the run. */
const WITH_APOSTROPHES = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)+/gu

function splitAtNonLetters(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? []
}

/** NFKD takes a syllable of Hangul apart: what follows its first consonant begins nothing. */
const WITHIN_SYLLABLE = /[\u1160-\u11ff\ud7b0-\ud7ff]/

function suffixesOf(word: string, most: number): string[] {
  const characters = [...word]
  const begins = characters.flatMap((character, at) => (WITHIN_SYLLABLE.test(character) ? [] : [at]))
  return begins.slice(0, most).map(at => characters.slice(at, at + LONGEST).join(''))
}

function cut(word: string): string {
  return word.length <= LONGEST ? word : [...word].slice(0, LONGEST).join('')
}
