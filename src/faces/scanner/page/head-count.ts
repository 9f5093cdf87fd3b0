import type { TicketRow } from './contract.ts'

/** Says how many guests are in, as far as this phone knows. */
export interface Figures {
  /** The tickets that were used, at whichever door. */
  inside: number
  /** The tickets that are good, or were used. */
  expected: number
  /** The tickets that were used at this door. */
  here: number
}

/** Counts the tickets of the list as they change, so that nobody goes through thousands of rows at each change. */
export class HeadCount {
  #inside = 0
  #expected = 0
  #here = 0
  readonly #isHere: (door: string | null) => boolean
  readonly #isCounted: (typeId: string) => boolean

  /**
   * @param isHere whether a door of that name is this one
   * @param isCounted whether tickets of a type are counted at this door
   */
  constructor(isHere: (door: string | null) => boolean, isCounted: (typeId: string) => boolean) {
    this.#isHere = isHere
    this.#isCounted = isCounted
  }

  get figures(): Figures {
    return { inside: this.#inside, expected: this.#expected, here: this.#here }
  }

  /** Counts all rows anew. */
  begin(rows: Iterable<TicketRow>): void {
    this.#inside = 0
    this.#expected = 0
    this.#here = 0
    for (const row of rows) this.#add(row, 1)
  }

  /** Takes a row in place of the one before. */
  change(before: TicketRow | undefined, row: TicketRow | undefined): void {
    if (before !== undefined) this.#add(before, -1)
    if (row !== undefined) this.#add(row, 1)
  }

  #add([, type, state, , , , usedAt, usedBy]: TicketRow, sign: 1 | -1): void {
    if (!this.#isCounted(type)) return
    const isUsed = usedAt !== null
    if (isUsed) this.#inside += sign
    if (isUsed || state === 'ok') this.#expected += sign
    if (isUsed && this.#isHere(usedBy)) this.#here += sign
  }
}
