import { readFileSync } from 'node:fs'

/**
 * Returns how long the main thread of this process has run, in milliseconds, without what a busy machine runs meanwhile. Linux
 * measures it; elsewhere it is the time on the wall.
 */
export function threadTime(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Looks whenever the event loop turns, and knows the longest time between two looks. */
export class TurnWatch {
  #longest = 0
  #last = threadTime()

  look(): void {
    const now = threadTime()
    this.#longest = Math.max(this.#longest, now - this.#last)
    this.#last = now
  }

  /** Returns milliseconds since the last call. */
  takeLongest(): number {
    this.look()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }
}

/** Returns the longest time that the event loop stood still while this was done here, in milliseconds of this thread. */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  const watch = new TurnWatch()
  const turn = () => {
    watch.look()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isOver = true
  }
  return watch.takeLongest()
}

const FIXED_WORK = JSON.stringify(
  Array.from({ length: 5_000 }, (_, at) => ({ name: `Ada ${at}`, note: '\\"\u00e9' })),
)
const TIMES = 100
/** The work took these milliseconds where the limits of the tests were set. */
const USUAL = 130

/** Milliseconds that the event loop may stand still, on a machine as fast as usual. */
export const LONGEST_STOP = 50
/** The engine collects garbage when it likes, and machines stop for each other: what is too long must be so each time. */
export const TRIES = 10

/** Whether a stop is as short as it must be, on this machine as it is now. */
export function isShortStop(stop: number): boolean {
  return stop < LONGEST_STOP || stop < LONGEST_STOP * slowness()
}

/** Returns how many times as long as usual this machine takes for the same work now, also if others share it; 1 at least. */
function slowness(): number {
  const began = threadTime()
  for (let at = 0; at < TIMES; at++) JSON.parse(FIXED_WORK)
  return Math.max(1, (threadTime() - began) / USUAL)
}
