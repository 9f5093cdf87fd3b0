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

export interface HeadCountParts {
  /** Returns whether a door of that name is this one. */
  isHere(door: string | null): boolean
  /** Returns whether tickets of a type are counted at this door. */
  isCounted(typeId: string): boolean
  /** Returns since which day a guest is inside, and by which door. The day is empty if days do not matter. */
  insideOn(row: TicketRow): { day: string; door: string | null } | undefined
}

/** Counts the tickets of the list as they change, so that nobody goes through thousands of rows at each change. */
export class HeadCount {
  /** How many are inside by the day, which is empty if days do not matter. */
  readonly #inside = new Map<string, number>()
  readonly #here = new Map<string, number>()
  #expected = 0
  readonly #parts: HeadCountParts

  constructor(parts: HeadCountParts) {
    this.#parts = parts
  }

  /**
   * @param today the day at the door: nobody is still inside since another one
   * @param own the tickets of which this phone knows more than the list, without a row if they are in no list yet
   */
  figures(
    today: string,
    own: readonly { row: TicketRow | undefined; after: TicketRow | undefined }[],
  ): Figures {
    const sum = (counts: ReadonlyMap<string, number>) => (counts.get('') ?? 0) + (counts.get(today) ?? 0)
    const figures = { inside: sum(this.#inside), expected: this.#expected, here: sum(this.#here) }
    for (const { row, after } of own) {
      if (row !== undefined && !this.#parts.isCounted(row[1])) continue
      const [is, was] = [this.#countsOn(after, today), this.#countsOn(row, today)]
      figures.inside += row === undefined ? 1 : is.inside - was.inside
      figures.here += row === undefined ? 1 : is.here - was.here
      if (row?.[6] == null && row?.[2] !== 'ok') figures.expected++
    }
    return figures
  }

  #countsOn(row: TicketRow | undefined, today: string): { inside: number; here: number } {
    const inside = row && this.#parts.insideOn(row)
    if (inside === undefined || (inside.day !== '' && inside.day !== today)) return { inside: 0, here: 0 }
    return { inside: 1, here: this.#parts.isHere(inside.door) ? 1 : 0 }
  }

  /** Counts all rows anew. */
  begin(rows: Iterable<TicketRow>): void {
    this.#inside.clear()
    this.#here.clear()
    this.#expected = 0
    for (const row of rows) this.#add(row, 1)
  }

  /** Takes a row in place of the one before. */
  change(before: TicketRow | undefined, row: TicketRow | undefined): void {
    if (before !== undefined) this.#add(before, -1)
    if (row !== undefined) this.#add(row, 1)
  }

  #add(row: TicketRow, sign: 1 | -1): void {
    const [, type, state, , , , usedAt] = row
    if (!this.#parts.isCounted(type)) return
    if (usedAt !== null || state === 'ok') this.#expected += sign
    const inside = this.#parts.insideOn(row)
    if (inside === undefined) return
    const { day, door } = inside
    this.#inside.set(day, (this.#inside.get(day) ?? 0) + sign)
    if (this.#parts.isHere(door)) this.#here.set(day, (this.#here.get(day) ?? 0) + sign)
  }
}
