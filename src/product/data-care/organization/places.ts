import type { OrganizationEvent } from './schema.ts'

type List =
  | 'registration_types'
  | 'pools'
  | 'questions'
  | 'codes'
  | 'orders'
  | 'registrations'
  | 'waitlist'
  | 'reviewers'
  | 'abstracts'
  | 'submitters'

/**
 * Says where an event and its items stand in the user's file, even if they come in a part of it. The part has the same item
 * objects.
 */
export class Places {
  /** The path of the event. */
  readonly path: string
  readonly #event: Pick<OrganizationEvent, List>
  readonly #indexes: { [Each in List]?: ReadonlyMap<object, number> } = {}

  /** @param event the whole event */
  constructor(path: string, event: Pick<OrganizationEvent, List>) {
    this.path = path
    this.#event = event
  }

  /** Returns the path of an item. It builds the index only now, because only refused items are looked up. */
  of(list: List, item: object): string {
    this.#indexes[list] ??= new Map([...this.#event[list].entries()].map(([index, each]) => [each, index]))
    return `${this.path}.${list}.${this.#indexes[list].get(item)}`
  }
}
