import type { ScanResult, TicketRow, TypeRow } from './contract.ts'

export interface BesideParts {
  /** Returns a ticket with what this phone has done with it. */
  find(id: string): TicketRow | undefined
  /** Returns the types of the event, in the order of the list. */
  types(): Iterable<TypeRow>
}

/** Knows which extras were ordered with a ticket, so that the result lists them without a network too. */
export class Beside {
  readonly #byOrder = new Map<string, Set<string>>()
  readonly #parts: BesideParts

  constructor(parts: BesideParts) {
    this.#parts = parts
  }

  /** Knows the tickets of a new list, and forgets those of the one before. */
  begin(rows: Iterable<TicketRow>): void {
    this.#byOrder.clear()
    for (const row of rows) this.note(row)
  }

  note([id, , , , , , , , , order]: TicketRow): void {
    if (order === undefined) return
    const ids = this.#byOrder.get(order)
    if (ids === undefined) this.#byOrder.set(order, new Set([id]))
    else ids.add(id)
  }

  /** Counts the extras of a ticket's order that were not handed out yet. It returns undefined if there are none. */
  of(row: TicketRow | undefined): ScanResult['extras'] {
    const types = [...this.#parts.types()].filter(({ extra }) => extra === true)
    if (row?.[9] === undefined || types.some(({ id }) => id === row[1])) return undefined
    const counts = new Map<string, number>()
    for (const id of this.#byOrder.get(row[9]) ?? []) {
      const [, type = '', state, , , , usedAt] = this.#parts.find(id) ?? []
      if (state === 'ok' && usedAt === null) counts.set(type, (counts.get(type) ?? 0) + 1)
    }
    const extras = types.flatMap(({ id, name }): [string, number][] => {
      const count = counts.get(id)
      return count === undefined ? [] : [[name, count]]
    })
    return extras.length === 0 ? undefined : extras
  }
}
