import type { TypeRow } from './contract.ts'

/** Holds the types of an event's tickets, with what a door does with each. */
export class TicketTypes {
  readonly #types = new Map<string, TypeRow>()
  #hasExtras = false
  #rules = ''

  /**
   * Takes the types in place of those before.
   *
   * @returns whether others may be counted than before
   */
  take(types: readonly TypeRow[]): boolean {
    const hadExtras = this.#hasExtras
    const rules = this.#rules
    this.#rules = JSON.stringify(types.map(({ id, entries, reentry }) => [id, entries, reentry]))
    this.#types.clear()
    for (const type of types) this.#types.set(type.id, type)
    this.#hasExtras = types.some(({ extra }) => extra === true)
    // With another rule, others are inside.
    return hadExtras || this.#hasExtras || rules !== this.#rules
  }

  all(): Iterable<TypeRow> {
    return this.#types.values()
  }

  get(id: string): TypeRow | undefined {
    return this.#types.get(id)
  }

  /** The types that this door admits. */
  get here(): TypeRow[] {
    return [...this.#types.values()].filter(type => type.admitted_here)
  }

  /** Whether there are types that this door does not admit. */
  get areOthers(): boolean {
    return [...this.#types.values()].some(type => !type.admitted_here)
  }

  /** Whether it is an extra that other doors hand out. */
  isOfOthers(id: string): boolean {
    const type = this.get(id)
    return type?.extra === true && !type.admitted_here
  }

  /** Extras are counted only at a door that hands out nothing else, and tickets are not counted there. */
  isCounted(id: string): boolean {
    if (!this.#hasExtras) return true
    const type = this.get(id)
    return this.here.every(({ extra }) => extra === true)
      ? type?.admitted_here === true
      : type?.extra !== true
  }
}
