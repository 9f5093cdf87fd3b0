import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Source } from './encoding.ts'
import { SLICE } from './lines.ts'

/** The most characters of one element, and the most brackets inside each other. */
const MAX_ELEMENT = 1024 * 1024
const MAX_DEPTH = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** The depths of the object in the outer object, of its lists, and of the elements of these. */
const [OBJECT, LIST, ELEMENT] = [2, 3, 4]

/** An object of a list, as it was written, and the name of the list. */
export interface JsonElement {
  of: string
  text: string
}

/**
 * Reads the objects in the lists of an object in a JSON text, such as `{"event": {"items": [{…}], "orders": [{…}]}}`, one after the
 * other. The text is never in memory as a whole, and the event loop turns between its parts.
 *
 * @param path the key of the object
 * @param lists the keys of those of its lists that are read
 * @throws RangeError for what is no JSON, ends too early, or has an element that is too long; TypeError for what is not UTF-8
 */
export async function* readElements(
  { size, read }: Source,
  path: string,
  lists: readonly string[],
): AsyncGenerator<JsonElement> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const scanner = new Scanner(path, lists)
  for (let start = 0; start < size; start += SLICE) {
    const isLast = start + SLICE >= size
    yield* scanner.take(decoder.decode(await read(start, start + SLICE), { stream: !isLast }))
    await nextTurn()
  }
  scanner.end()
}

class Scanner {
  readonly #path: string
  readonly #lists: readonly string[]
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last string outside of the elements, and the keys in whose values the scanner is. */
  #string = ''
  #outer = ''
  #list = ''
  /** The list that is read, and what was taken of its element so far. */
  #reading = ''
  #element: string[] | undefined
  #length = 0

  constructor(path: string, lists: readonly string[]) {
    this.#path = path
    this.#lists = lists
  }

  *take(text: string): Generator<JsonElement> {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isInString) this.#passString(code, text[at] as string)
      else if (code === QUOTE) this.#beginString()
      else if (code === COLON) this.#passColon()
      else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        if (this.#open(code)) from = at
      } else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && this.#close()) {
        this.#keep(text.slice(from, at + 1))
        yield { of: this.#reading, text: (this.#element ?? []).join('') }
        this.#element = undefined
        this.#length = 0
      }
    }
    if (this.#element !== undefined) this.#keep(text.slice(from))
  }

  end(): void {
    if (this.#depth > 0 || this.#isInString) throw new RangeError('The JSON text ends too early.')
  }

  #passString(code: number, character: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === BACKSLASH) this.#isEscaped = true
    else if (code === QUOTE) this.#isInString = false
    // The keys that matter are short and have no escapes.
    if (this.#isInString && this.#depth <= OBJECT && this.#string.length < MAX_DEPTH)
      this.#string += character
  }

  #beginString(): void {
    this.#isInString = true
    this.#string = ''
  }

  #passColon(): void {
    if (this.#depth === 1) this.#outer = this.#string
    else if (this.#depth === OBJECT) this.#list = this.#string
  }

  /** @returns whether an element begins here */
  #open(code: number): boolean {
    this.#depth++
    if (this.#depth > MAX_DEPTH) throw new RangeError('The JSON text is too deep.')
    const isList = code === OPEN_LIST && this.#outer === this.#path && this.#lists.includes(this.#list)
    if (this.#depth === LIST) this.#reading = isList ? this.#list : ''
    if (this.#depth !== ELEMENT || this.#reading === '' || code !== OPEN_OBJECT) return false
    this.#element = []
    return true
  }

  /** @returns whether an element ends here */
  #close(): boolean {
    this.#depth--
    if (this.#depth < 0) throw new RangeError('The JSON text closes more than it opens.')
    return this.#depth === LIST && this.#element !== undefined
  }

  #keep(text: string): void {
    this.#element?.push(text)
    this.#length += text.length
    if (this.#length > MAX_ELEMENT) throw new RangeError('An element of the JSON text is too long.')
  }
}
