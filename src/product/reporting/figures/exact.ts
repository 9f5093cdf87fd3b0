import type { Reader } from '#machinery/db/batches.ts'
import { countEvent } from './count.ts'
import type { Counted } from './schemas.ts'

/** At most this many events are remembered. Those whose last request is oldest leave first. */
const KEPT_EVENTS = 1_000

interface Remembered {
  state: string
  counted: Promise<Counted>
}

/**
 * Counts events at once, for pages that look again every few seconds. Requests share one count while an event is unchanged or is
 * being counted.
 */
export class ExactCounts {
  readonly #remembered = new Map<string, Remembered>()

  /** @param event the event with its state as it was read before, a text that differs whenever the count does */
  count(
    reader: Reader,
    accountId: string,
    event: { id: string; timezone: string; state: string },
  ): Promise<Counted> {
    const name = `${accountId} ${event.id}`
    const before = this.#remembered.get(name)
    const current =
      before?.state === event.state
        ? before
        : { state: event.state, counted: countEvent(reader, accountId, event) }
    this.#remembered.delete(name)
    this.#remembered.set(name, current)
    if (this.#remembered.size > KEPT_EVENTS)
      this.#remembered.delete(this.#remembered.keys().next().value as string)
    // A failed count is forgotten, so that the next request counts again.
    current.counted.catch(() => {
      if (this.#remembered.get(name) === current) this.#remembered.delete(name)
    })
    return current.counted
  }
}
