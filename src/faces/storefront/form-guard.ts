import { Problem } from '#base/problem.ts'
import { DAY, SECOND } from '#base/time.ts'
import type { StorefrontServices } from './storefront-services.ts'

/** A form is valid for `MAX_AGE`, and a person takes at least `MIN_AGE` to fill it in. Both are in milliseconds. */
const MAX_AGE = DAY
const MIN_AGE = SECOND
const PURPOSE = 'form of an event'

/** The names of a field that people do not see, and of the field that says when the form was shown. */
export const TRAP = 'website'
export const SHOWN = 'form.shown'

/** Distinguishes people who fill in a form from programs. */
export class FormGuard {
  readonly #services: Pick<StorefrontServices, 'signed' | 'clock'>

  constructor(services: Pick<StorefrontServices, 'signed' | 'clock'>) {
    this.#services = services
  }

  /** Seals the time at which a form of an event was shown, so that nobody else can make such a value. */
  seal(eventId: string): string {
    const { signed, clock } = this.#services
    return signed.seal(PURPOSE, [eventId, clock()], MAX_AGE)
  }

  /** Returns whether the sender was shown a form of the event, a day ago at most. */
  hasShown(eventId: string, body: URLSearchParams): boolean {
    return this.#openSeal(body)?.[0] === eventId
  }

  /** Returns when the sender was shown a form of the event, in milliseconds. @returns undefined if they were shown none */
  shownAt(eventId: string, body: URLSearchParams): number | undefined {
    const [event, at] = this.#openSeal(body) ?? []
    return event === eventId ? at : undefined
  }

  /** Returns the seal that a form has brought, for the form that is shown again: it was begun then. */
  sealOf(eventId: string, body: URLSearchParams): string {
    return this.hasShown(eventId, body) ? (body.get(SHOWN) ?? '') : this.seal(eventId)
  }

  /** @throws Problem automatic; form_expired for a form that is too old, too young or of another event */
  refuseProgram(eventId: string, body: URLSearchParams): void {
    const { clock } = this.#services
    if ((body.get(TRAP) ?? '') !== '') throw new Problem('automatic')
    const [event, at] = this.#openSeal(body) ?? []
    if (event !== eventId || at === undefined || clock() - at < MIN_AGE) throw new Problem('form_expired')
  }

  #openSeal(body: URLSearchParams): [eventId: string, at: number] | undefined {
    return this.#services.signed.open(PURPOSE, body.get(SHOWN) ?? '') as [string, number] | undefined
  }
}
