import type { Reader } from '../db/batches.ts'
import { countEvent } from './count.ts'
import type { Counted } from './schemas.ts'

/** Events that are remembered; those that were asked for longest ago leave first. */
const KEPT_EVENTS = 1_000

interface Known {
  state: string
  counted: Promise<Counted>
}

/**
 * Counts events at once, for pages that look again every few seconds: whoever asks while an event is as it was, or is being
 * counted, shares one count.
 */
export class ExactCounts {
  readonly #known = new Map<string, Known>()

  /** @param event with its state as it was read before: a text that differs whenever what is counted does */
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
    // What failed is asked for anew.
    known.counted.catch(() => {
      if (this.#known.get(name) === known) this.#known.delete(name)
    })
    return known.counted
  }
}
