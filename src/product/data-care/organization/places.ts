import type { OrganizationEvent } from './schema.ts'

type List = 'registration_types' | 'pools' | 'questions' | 'codes' | 'orders' | 'registrations' | 'waitlist'

/** Where an event and its items stand in the file of the user, also if they come in a part of it: it has the same items. */
export class Places {
  /** Of the event. */
  readonly path: string
  readonly #event: Pick<OrganizationEvent, List>
  readonly #indexes: { [Each in List]?: ReadonlyMap<object, number> } = {}

  /** @param event the whole of it */
  constructor(path: string, event: Pick<OrganizationEvent, List>) {
    this.path = path
    this.#event = event
  }

  /** The path of an item. Only what is refused is looked for, so there is no index before. */
  of(list: List, item: object): string {
    this.#indexes[list] ??= new Map([...this.#event[list].entries()].map(([index, each]) => [each, index]))
    return `${this.path}.${list}.${this.#indexes[list].get(item)}`
  }
}
