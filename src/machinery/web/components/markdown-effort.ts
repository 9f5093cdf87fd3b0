/** Characters that are looked at, some 3 ns each: what a person writes in 20,000 of them is less. */
const MOST = 20_000_000
/** What a block costs, whatever is in it, and a piece of a line, however little stands behind it. */
const BLOCK = 3_000
const PIECE = 2_000
/** A quote or a list is cut into lines, put together, and read again. */
const CONTAINER = 2
/** A sign of emphasis is held against every other one of its line. */
const SIGN = 40

/** The squares of long words: each of their letters might begin an e-mail address, which is looked for to the end of the word. */
const MOST_IN_WORDS = 4_000_000
const LONG_WORD = /\S{100,}/g
/** Quotes and lists within each other, each of which is read as often as it is deep. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){21}/m

/** A text would take too long. */
export class TooMuch extends Error {
  override name = 'TooMuch'
}

/** What one pass over a text tells already. */
export function isTooMuch(text: string): boolean {
  let inWords = 0
  for (const [word] of text.matchAll(LONG_WORD)) inWords += word.length ** 2
  return inWords > MOST_IN_WORDS || TOO_DEEP.test(text)
}

/**
 * How much of a text marked has looked at: it looks at the rest of it for each sign, so that thousands of them take seconds, in
 * which nobody is checked in. Its steps are counted, not the time, so that a text is shown in the same way on every machine. Each
 * method answers false, by which marked goes on by itself.
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

  /** @param line all that may belong together, of which `rest` is the end */
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
