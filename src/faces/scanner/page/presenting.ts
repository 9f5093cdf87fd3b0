import { type CodeFault, namesKey, readCode } from './codes.ts'
import type { KeyRow } from './contract.ts'
import type { Presented } from './scanning.ts'

/** The same code is nothing new for so long. Milliseconds. */
const IGNORED = 5000
/** A code that is seen again within that time was in view all along. */
const IN_VIEW = 1000

interface Known {
  isTicket: boolean
  takenAt: number
  seenAt: number
}

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
  /** What was taken lately, by its text. */
  readonly #known = new Map<string, Known>()

  constructor(parts: PresentingParts) {
    this.#parts = parts
  }

  /** @param texts of the camera all codes in view, else all that one code may mean: what verifies was meant */
  take(texts: readonly string[], source: Source, seenAt: number): void {
    const { steady, keys, onTicket, onFault } = this.#parts
    const now = steady()
    const old = source === 'field' ? [] : texts.filter(text => this.#isOld(text, source, now))
    // Beside a ticket that was just taken another waits, or the screen would change between the two. A poster is no ticket.
    if (old.some(text => source !== 'camera' || this.#known.get(text)?.isTicket === true)) return
    const fresh = texts.filter(text => !old.includes(text))
    const [first] = fresh
    if (first === undefined) return
    let fault: CodeFault = 'invalid_qr_code'
    for (const text of fresh) {
      const read = readCode(text, keys())
      if (typeof read === 'object') {
        this.#note(text, true, now)
        onTicket(read, seenAt)
        return
      }
      if (read === 'wrong_event') fault = read
    }
    // Of one code in several readings, the one that names a key of here was meant, and the others name keys by chance.
    if (source !== 'camera' && fresh.some(text => namesKey(text, keys()))) fault = 'invalid_qr_code'
    this.#note(first, false, now)
    onFault(fault, seenAt)
  }

  #note(text: string, isTicket: boolean, now: number): void {
    for (const [other, { seenAt }] of this.#known) if (now - seenAt > IGNORED) this.#known.delete(other)
    this.#known.set(text, { isTicket, takenAt: now, seenAt: now })
  }

  #isOld(text: string, source: Source, now: number): boolean {
    const known = this.#known.get(text)
    if (known === undefined) return false
    const isOld = now - known.takenAt < IGNORED || (source === 'camera' && now - known.seenAt < IN_VIEW)
    if (isOld) known.seenAt = now
    return isOld
  }
}
