import { type CodeFault, readCode } from './codes.ts'
import type { KeyRow } from './contract.ts'
import type { Presented } from './scanning.ts'

/** The same code is nothing new for so long. Milliseconds. */
const IGNORED = 5000
/** A code that is seen again within that time was in view all along. */
const IN_VIEW = 1000

export type Source = 'camera' | 'wedge' | 'field'

export interface PresentingParts {
  steady: () => number
  keys: () => readonly KeyRow[]
  onTicket(presented: Presented, seenAt: number): void
  onFault(fault: CodeFault, seenAt: number): void
}

/** Takes what was read, in whatever way, and knows what is new. */
export class Presenting {
  readonly #parts: PresentingParts
  #text = ''
  #takenAt = Number.NEGATIVE_INFINITY
  #seenAt = Number.NEGATIVE_INFINITY

  constructor(parts: PresentingParts) {
    this.#parts = parts
  }

  /** @param texts all that it may mean: what verifies was meant */
  take(texts: readonly string[], source: Source, seenAt: number): void {
    const { steady, keys, onTicket, onFault } = this.#parts
    const fresh = texts.filter(text => source === 'field' || !this.#isOld(text, source, steady()))
    const [first] = fresh
    if (first === undefined || fresh.length < texts.length) return
    let fault: CodeFault = 'invalid_qr_code'
    for (const text of fresh) {
      const read = readCode(text, keys())
      if (typeof read === 'object') {
        this.#note(text)
        onTicket(read, seenAt)
        return
      }
      if (read === 'wrong_event') fault = read
    }
    this.#note(first)
    onFault(fault, seenAt)
  }

  #note(text: string): void {
    this.#text = text
    this.#takenAt = this.#parts.steady()
    this.#seenAt = this.#takenAt
  }

  #isOld(text: string, source: Source, now: number): boolean {
    if (text !== this.#text) return false
    const isOld = now - this.#takenAt < IGNORED || (source === 'camera' && now - this.#seenAt < IN_VIEW)
    if (isOld) this.#seenAt = now
    return isOld
  }
}
