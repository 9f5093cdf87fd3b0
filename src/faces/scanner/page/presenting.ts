import { type CodeFault, isComplete, isFragment, namesKey, readCode, titleOf } from './codes.ts'
import type { KeyRow, OtherEventRow } from './contract.ts'
import type { Presented } from './scanning.ts'

/** The same code counts as old for this many milliseconds. */
const IGNORED = 5000
/** A code that is seen again within this many milliseconds was in view all along. */
const IN_VIEW = 1000

interface Recent {
  isTicket: boolean
  takenAt: number
  seenAt: number
}

export type Source = 'camera' | 'wedge' | 'field'

/** What is known of a text that is no ticket of this event. */
export interface FaultAbout {
  /** The title of the event that the code belongs to. */
  event?: string
  /** Whether somebody has typed a name in place of a code. */
  isName?: true
}

/** Letters with what stands in names. Codes, of whatever kind, have digits. */
const NAME = /^(?=.*\p{L}{2})[\p{L}\p{M} .'’-]{2,60}$/u

export interface PresentingParts {
  steady: () => number
  keys: () => readonly KeyRow[]
  others: () => readonly OtherEventRow[]
  onTicket(presented: Presented, seenAt: number): void
  onFault(fault: CodeFault, seenAt: number, about: FaultAbout): void
  /** A keyboard scanner has read again what was just read. It is undefined for what is not a ticket. */
  onAgain(ticketId: string | undefined): void
  /** After somebody went on, the camera still sees the ticket that was just taken, which counts once. */
  onStill(): void
}

/** Takes everything that was read, from any source, and knows what is new. */
export class Presenting {
  readonly #parts: PresentingParts
  /** The texts that were taken lately. */
  readonly #recent = new Map<string, Recent>()
  /** Whether somebody has gone on since the last ticket, and was not told that it is still there. */
  #hasGoneOn = false

  constructor(parts: PresentingParts) {
    this.#parts = parts
  }

  /**
   * @param texts all codes in the camera's view, or else everything that one code may mean, of which the page takes what
   *   verifies
   */
  take(texts: readonly string[], source: Source, seenAt: number): void {
    const { steady, keys, others, onTicket, onFault } = this.#parts
    const now = steady()
    const old = source === 'field' ? [] : texts.filter(text => this.#isOld(text, source, now))
    // A ticket beside one that was just taken has to wait, or the screen would change between the two. A poster is not a ticket.
    if (old.some(text => source !== 'camera' || this.#recent.get(text)?.isTicket === true)) {
      this.#takeOld(old, source)
      return
    }
    const fresh = texts.filter(text => !old.includes(text))
    const [first] = fresh
    if (first === undefined) return
    let fault: CodeFault = 'invalid_qr_code'
    for (const text of fresh) {
      const read = readCode(text, keys())
      if (typeof read === 'object') {
        this.#note(text, true, now)
        this.#hasGoneOn = false
        onTicket(read, seenAt)
        return
      }
      if (read === 'wrong_event') fault = read
    }
    // If one code has several readings, the one that names a key of this event is meant. The others name a key by chance.
    if (source !== 'camera' && fresh.some(text => namesKey(text, keys()))) fault = 'invalid_qr_code'
    if (source !== 'camera' && !fresh.some(isComplete) && fresh.some(isFragment)) {
      onFault('fragment', seenAt, {})
      return
    }
    this.#note(first, false, now)
    const titles = fault === 'wrong_event' ? fresh.map(text => titleOf(text, others())) : []
    const event = titles.find(title => title !== undefined)
    const isName = source === 'field' && NAME.test(first.trim())
    onFault(fault, seenAt, { ...(event !== undefined && { event }), ...(isName && { isName }) })
  }

  /** Somebody has put the result away, and goes on to the next guest. */
  goOn(): void {
    this.#hasGoneOn = true
  }

  /** Lets a ticket be taken again at once, because its admission was taken back. One that stays before the camera is not. */
  letAgain(ticketId: string): void {
    for (const [text, recent] of this.#recent) {
      if (this.#ticketOf([text]) === ticketId) recent.takenAt = Number.NEGATIVE_INFINITY
    }
  }

  #takeOld(texts: readonly string[], source: Source): void {
    const { onAgain, onStill } = this.#parts
    // A code stays in the camera's view by itself, but somebody has pressed the button of the scanner.
    if (source !== 'camera') onAgain(this.#ticketOf(texts))
    else if (this.#hasGoneOn) {
      this.#hasGoneOn = false
      onStill()
    }
  }

  #ticketOf(texts: readonly string[]): string | undefined {
    const reads = texts.map(text => readCode(text, this.#parts.keys()))
    return reads.find(read => typeof read === 'object')?.ticketId
  }

  #note(text: string, isTicket: boolean, now: number): void {
    for (const [other, { seenAt }] of this.#recent) if (now - seenAt > IGNORED) this.#recent.delete(other)
    this.#recent.set(text, { isTicket, takenAt: now, seenAt: now })
  }

  #isOld(text: string, source: Source, now: number): boolean {
    const recent = this.#recent.get(text)
    if (recent === undefined) return false
    const isOld = now - recent.takenAt < IGNORED || (source === 'camera' && now - recent.seenAt < IN_VIEW)
    if (isOld) recent.seenAt = now
    return isOld
  }
}
