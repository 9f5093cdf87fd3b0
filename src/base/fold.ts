export const ASCII = /^[\0-\x7f]*$/

const APOSTROPHES = /[\u2018\u2019\u02bb\u02bc\u02be\u02bf`]/g

/**
 * Returns the form of a text for comparisons: without marks, case, and characters that do not show. Upper case comes first,
 * because it makes equal what lower case keeps apart: ß and ss, a dotless i and i.
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

/**
 * The plain letters of some others. For Unicode a stroke through a letter is not a mark, and a sigma has a form of its own at the
 * end of a word.
 */
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  ['ςσ', 'øo', 'łl', 'đd', 'ðd', 'ħh', 'ŧt', 'æae', 'œoe', 'þth'].map(([from = '', ...to]) => [
    from,
    to.join(''),
  ]),
)

/** How letters are written where a keyboard lacks them. */
const SPELLED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const PAIR = /aa|[aou]e/

/** Returns the folded form of a text with Müller as mueller and Åse as aase, as people write them without such letters. */
export function foldSpelled(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const composed = text.toLowerCase().replace(/[aou]\p{M}/gu, letter => letter.normalize('NFC'))
  return fold(composed.replace(/[äöüøå]/g, letter => SPELLED[letter] as string))
}

/** At most this many pairs of letters are each taken for one letter. */
const MOST_PAIRS = 3

/**
 * Returns the folded forms that a folded word may have where it is written with its own letters: mueller gives muller too. What
 * begins with another of them is left out.
 */
export function spellingsOf(word: string): string[] {
  const found = new Set<string>()
  const go = (done: string, rest: string, pairs: number) => {
    const at = pairs === MOST_PAIRS ? -1 : rest.search(PAIR)
    if (at < 0) {
      found.add(done + rest)
      return
    }
    const before = done + rest.slice(0, at)
    go(before + rest.slice(at, at + 2), rest.slice(at + 2), pairs + 1)
    go(before + rest.charAt(at), rest.slice(at + 2), pairs + 1)
  }
  go('', word, 0)
  const all = [...found]
  return all.filter(one => !all.some(other => other !== one && one.startsWith(other)))
}
