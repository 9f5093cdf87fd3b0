import { Problem } from '../problem.ts'
import { DAY, SECOND } from '../time.ts'
import type { Visited } from './visited.ts'

/** How long a form may lie about, and the least that a person takes for it, in milliseconds. */
const MAX_AGE = DAY
const MIN_AGE = SECOND
const PURPOSE = 'form of an event'

/** The names of a field that people do not see, and of what says when the form was shown. */
export const TRAP = 'website'
export const SHOWN = 'form.shown'

/** Tells people who fill in a form from programs. */
export class FormGuard {
  readonly #services: Pick<Visited, 'signed' | 'clock'>

  constructor(services: Pick<Visited, 'signed' | 'clock'>) {
    this.#services = services
  }

  /** Says when a form of an event was shown, so that nobody else can. */
  seal(eventId: string): string {
    const { signed, clock } = this.#services
    return signed.seal(PURPOSE, [eventId, clock()], MAX_AGE)
  }

  /** Whether a form of the event was shown to whoever sends this, a day ago at most. */
  hasShown(eventId: string, body: URLSearchParams): boolean {
    return this.#openSeal(body)?.[0] === eventId
  }

  /** @throws Problem automatic; form_expired for a form that is too old, too young or another event's */
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
