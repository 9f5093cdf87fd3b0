/** The most characters to look at, at about 3 ns each. What a person writes in 20,000 characters takes fewer. */
const MOST = 20_000_000
/** The cost of a block, whatever is in it, and of a piece of a line, however little is behind it. */
const BLOCK = 3_000
const PIECE = 2_000
/** A quote or a list is cut into lines, joined, and read again. */
const CONTAINER = 2
/** A sign of emphasis is compared with every other one of its line. */
const SIGN = 40

/**
 * The limit for the squares of long words. Each letter of a word might begin an e-mail address, which marked looks for up to the
 * end of the word.
 */
const MOST_IN_WORDS = 4_000_000
const LONG_WORD = /\S{100,}/g
/** Matches quotes and lists that are nested too deep. Each is read once for each level. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){21}/m

/** The text would take too long. */
export class TooMuch extends Error {
  override name = 'TooMuch'
}

/** Returns whether one pass over a text already shows that it would take too long. */
export function isTooMuch(text: string): boolean {
  let inWords = 0
  for (const [word] of text.matchAll(LONG_WORD)) inWords += word.length ** 2
  return inWords > MOST_IN_WORDS || TOO_DEEP.test(text)
}

/**
 * Counts how much of a text marked has looked at. For each sign marked looks at the rest of the text, so thousands of them take
 * seconds, in which nobody is checked in. It counts steps and not time, so every machine shows a text in the same way. Each
 * method returns false, and then marked goes on by itself.
 *
 * @throws TooMuch from each
 */
export class Effort {
  #left = MOST
  #line: string | undefined
  #signs = 0

  block(): false {
    return this.#spend(BLOCK)
  }

  piece(rest: string): false {
    return this.#spend(PIECE + rest.length)
  }

  container(rest: string): false {
    return /^ {0,3}(?:[>*+-]|\d{1,9}[.)])/.test(rest) && this.#spend(rest.length * CONTAINER)
  }

  /** Counts a sign of emphasis. @param line the text that may belong together, whose end is `rest` */
  emphasis(rest: string, line: string): false {
    if (!/^[*_]/.test(rest)) return false
    if (line !== this.#line) {
      this.#line = line
      this.#signs = line.split(/[*_]+/).length - 1
    }
    return this.#spend(this.#signs * SIGN)
  }

  #spend(characters: number): false {
    this.#left -= characters
    if (this.#left < 0) throw new TooMuch()
    return false
  }
}
