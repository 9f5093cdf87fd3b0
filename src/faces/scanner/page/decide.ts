/** The page waits this many milliseconds for the server. */
export const WAIT = 200
/** The page remembers whether this many of the last answers came in time. */
const REMEMBERED = 5
/** If this many of them were late, the page no longer waits. */
const MISSES = 2

/** Knows whether waiting for the server is worthwhile. */
export class Patience {
  #inTime: boolean[] = []

  get waits(): boolean {
    return this.#inTime.filter(isInTime => !isInTime).length < MISSES
  }

  /** Notes an answer. One answer in time ends a period without waiting. */
  note(isInTime: boolean): void {
    this.#inTime = isInTime && !this.waits ? [true] : [...this.#inTime, isInTime].slice(-REMEMBERED)
  }
}

/** Waits for the answer of a server with this timer. */
export interface Timer {
  after(milliseconds: number, act: () => void): void
}

/**
 * Returns the answer if it comes in time, or undefined if it is late or the server has failed. It notes whether the answer was in
 * time as soon as that is known.
 */
export function inTime<Answer>(
  pending: Promise<Answer>,
  patience: Patience,
  timer: Timer = { after: (milliseconds, act) => void setTimeout(act, milliseconds) },
): Promise<Answer | undefined> {
  return new Promise(resolve => {
    let isOver = false
    const end = (answer: Answer | undefined, isInTime: boolean) => {
      if (isOver) return
      isOver = true
      patience.note(isInTime)
      resolve(answer)
    }
    timer.after(WAIT, () => end(undefined, false))
    pending.then(
      answer => end(answer, true),
      () => end(undefined, false),
    )
  })
}
