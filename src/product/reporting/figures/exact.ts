import type { Reader } from '#machinery/db/batches.ts'
import { countEvent } from './count.ts'
import type { Counted } from './schemas.ts'

/** At most this many events are remembered. Those whose last request is oldest leave first. */
const KEPT_EVENTS = 1_000

interface Known {
  state: string
  counted: Promise<Counted>
}

/**
 * Counts events at once, for pages that look again every few seconds. Requests share one count while an event is unchanged or is
 * being counted.
 */
export class ExactCounts {
  readonly #known = new Map<string, Known>()

  /** @param event the event with its state as it was read before, a text that differs whenever the count does */
  count(
    reader: Reader,
    accountId: string,
    event: { id: string; timezone: string; state: string },
  ): Promise<Counted> {
    const name = `${accountId} ${event.id}`
    const before = this.#known.get(name)
    const known =
      before?.state === event.state
        ? before
        : { state: event.state, counted: countEvent(reader, accountId, event) }
    this.#known.delete(name)
    this.#known.set(name, known)
    if (this.#known.size > KEPT_EVENTS) this.#known.delete(this.#known.keys().next().value as string)
    // A failed count is forgotten, so that the next request counts again.
    known.counted.catch(() => {
      if (this.#known.get(name) === known) this.#known.delete(name)
    })
    return known.counted
  }
}
