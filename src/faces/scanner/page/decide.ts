/** How long the server is waited for, in milliseconds. */
export const WAIT = 200
/** Of so many answers, the last, */
const REMEMBERED = 5
/** so many may have missed that time before nobody waits any more. */
const MISSES = 2

/** Whether the server is worth waiting for. */
export class Patience {
  #inTime: boolean[] = []

  get waits(): boolean {
    return this.#inTime.filter(isInTime => !isInTime).length < MISSES
  }

  /** One that is in time ends a time without waiting. */
  note(isInTime: boolean): void {
    this.#inTime = isInTime && !this.waits ? [true] : [...this.#inTime, isInTime].slice(-REMEMBERED)
  }
}

/** How the answer of a server is waited for. */
export interface Timer {
  after(milliseconds: number, act: () => void): void
}

/**
 * The answer, if it comes in time: undefined where it is late, or the server has failed. Whether it was in time is noted as soon as
 * that is known.
 */
export function inTime<Answer>(
  asked: Promise<Answer>,
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
    asked.then(
      answer => end(answer, true),
      () => end(undefined, false),
    )
  })
}
