import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '#base/fold.ts'

/**
 * The windows-1252 characters from 0x80 to 0x9f. Some versions of Node decode them as Latin-1, which has control characters
 * there.
 */
export const CP1252 = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ']

type CodePage = 'windows-1250' | 'windows-1252'

/** The letters with marks of the languages that use each code page, as far as names and texts contain them. */
const languages: readonly (readonly [CodePage, string])[] = [
  ['windows-1250', 'ąćęłńóśźż'],
  ['windows-1250', 'áäčďéěíĺľňóôŕřšťúůýž'],
  ['windows-1250', 'áéíóöőúüű'],
  ['windows-1250', 'ćčđšž'],
  ['windows-1250', 'ăâîşţ'],
  ['windows-1252', 'äöüßéèêëàâçîïôûùœæ'],
  ['windows-1252', 'àèéìòùîç'],
  ['windows-1252', 'áéíóúñü'],
  ['windows-1252', 'àèéíïòóúüç'],
  ['windows-1252', 'áéíóúâêôãõàçü'],
  ['windows-1252', 'æøåéäöü'],
  ['windows-1252', 'åäöéü'],
  ['windows-1252', 'õÕäöüšž'],
  ['windows-1252', 'áéíóúýðþæö'],
]

/** Names that Polish, Czech, Slovak and Hungarian banks give to their columns, and few others do, in the form of `fold`. */
const EASTERN_WORDS = new Set(
  [
    'kwota waluta nadawca odbiorca operacji rachunek rachunku ksiegowania tytul imie nazwisko',
    'castka mena ucet protiucet protiuctu zauctovani nazev zprava prijmeni jmeno suma ucel sprava',
    'osszeg devizanem kozlemeny konyveles datuma szamla szamlaszam terheles jovairas nev neve vezeteknev',
  ].flatMap(words => words.split(' ')),
)
/** Such names count for this many letters. */
const HEADER_COUNTS = 3
/** A sign in an impossible place, such as within a word, counts for this many letters. */
const IMPOSSIBLE_COUNTS = 5

const isLetter = (char: string) => /^\p{L}$/u.test(char)

function charsOf(page: CodePage): string[] {
  const decoder = new TextDecoder(page)
  return Array.from({ length: 256 }, (_, byte) => {
    const isPatched = page === 'windows-1252' && byte >= 0x80 && byte < 0xa0
    return isPatched ? (CP1252[byte - 0x80] as string) : decoder.decode(Uint8Array.of(byte))
  })
}

/** The bytes that are judged at a time: some milliseconds if none of them is ASCII. */
const SLICE = 32 * 1024
/** The most bytes that are judged. More of them would not change the result. */
const MOST = 100_000

/** The part of a source that is needed here. */
interface Bytes {
  size: number
  read(start: number, end: number): Promise<Uint8Array>
}

/**
 * Finds the Windows code page of a text that is neither UTF-8 nor UTF-16, by its letters. It is that of the languages of Central
 * Europe or that of the West. If the letters do not decide, it is that of the West. The event loop turns between the parts.
 */
export async function findCodePage({ size, read }: Bytes): Promise<CodePage> {
  const east = new Tally('windows-1250')
  const west = new Tally('windows-1252')
  let judged = 0
  for (let start = 0; start < size && judged < MOST; start += SLICE) {
    // The slice includes the neighbours of its first and last byte.
    const from = Math.max(0, start - 1)
    const bytes = await read(from, start + SLICE + 1)
    const end = Math.min(start + SLICE, size) - from
    for (let at = start - from; at < end; at++) {
      const byte = bytes[at] as number
      if (byte < 0x80) continue
      judged++
      east.add(byte, bytes[at - 1], bytes[at + 1])
      west.add(byte, bytes[at - 1], bytes[at + 1])
    }
    await nextTurn()
  }
  const beginning = new TextDecoder('windows-1250').decode(await read(0, 4096))
  const words = fold(beginning).split(/[^\p{L}]+/u)
  const hint = words.some(word => EASTERN_WORDS.has(word)) ? HEADER_COUNTS : 0
  return east.score() + hint > west.score() ? 'windows-1250' : 'windows-1252'
}

/** Signs that may come before a word, and in the next lines behind one and within one. */
const BEFORE_WORDS = '¿¡„‚“‘"«–—§'
const BEHIND_WORDS = 'ºª®™”“’‘»…–—'
const WITHIN_WORDS = "'’·–—-"
const POWERS = '¹²³'

/** Counts what a text would be in one code page. */
class Tally {
  readonly #page: CodePage
  readonly #chars: readonly string[]
  readonly #isLetter: readonly boolean[]
  readonly #letters = new Map<string, number>()
  #signs = 0
  #impossible = 0

  constructor(page: CodePage) {
    this.#page = page
    this.#chars = charsOf(page)
    this.#isLetter = this.#chars.map(isLetter)
  }

  add(byte: number, before = 0x20, after = 0x20): void {
    const [isBehind, isBefore] = [this.#isLetter[before] === true, this.#isLetter[after] === true]
    if (this.#isLetter[byte]) {
      if (isBehind || isBefore) this.#count(byte, this.#chars[after] ?? '')
    } else if (this.#isSign(this.#chars[byte] as string, isBehind, isBefore, this.#chars[before] ?? ''))
      this.#signs++
    else this.#impossible++
  }

  #count(byte: number, next: string): void {
    let letter = (this.#chars[byte] as string).toLowerCase()
    // In French and Portuguese, these letters come only before these others. A capital here stands for another language.
    if ((letter === 'œ' && !/[ui]/i.test(next)) || (letter === 'õ' && !/e/i.test(next)))
      letter = letter.toUpperCase()
    this.#letters.set(letter, (this.#letters.get(letter) ?? 0) + 1)
  }

  #isSign(char: string, isBehind: boolean, isBefore: boolean, before: string): boolean {
    if (/^[\p{Cc}\p{Sk}]$/u.test(char)) return false
    if (POWERS.includes(char)) return !isBefore && (!isBehind || /m/i.test(before))
    if (isBehind && isBefore) return WITHIN_WORDS.includes(char)
    if (isBefore) return BEFORE_WORDS.includes(char)
    return !isBehind || BEHIND_WORDS.includes(char)
  }

  /** Returns the signs, and the letters that the likeliest of its languages has, less what is impossible. */
  score(): number {
    const covered = languages
      .filter(([page]) => page === this.#page)
      .map(([, letters]) => {
        let count = 0
        for (const letter of letters) count += this.#letters.get(letter) ?? 0
        return count
      })
    return Math.max(...covered) + this.#signs - IMPOSSIBLE_COUNTS * this.#impossible
  }
}
