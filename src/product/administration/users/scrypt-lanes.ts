import { Problem } from '#base/problem.ts'

/** Each scrypt takes 32 MiB, and one of the four threads that also read files and look up names. */
const MOST_AT_ONCE = 2

/**
 * The lanes, and how many may wait in each. A person who is recognized by more than an e-mail, or who has a link, comes first.
 * Then comes an address where that person is signed in, which others may share. Everybody else comes last. A full lane refuses
 * newcomers at once. The stranger lane holds some three seconds of work.
 */
const MOST_WAITING = { own: 60, place: 30, stranger: 30 } as const
const ORDER = ['own', 'place', 'stranger'] as const
/**
 * One turn in this many goes to the last lane that waits, so that requests in one lane never shut out the lanes behind it for
 * good.
 */
const TURNS = 4

/** A request that waits for a scrypt. */
export interface Waiter {
  lane: keyof typeof MOST_WAITING
  /** The names that this request shares the lane by. At most so many requests of each name wait at once. */
  bounds: readonly { name: string; most: number }[]
}

/** Serves a command, which nobody else waits for. */
export const ALONE: Waiter = { lane: 'own', bounds: [] }

/** Returns the waiter of a person who is signed in or has given the right password. @param by how the person is known */
export function ofPerson(userId: string, by: string): Waiter {
  return {
    lane: 'own',
    bounds: [
      { name: by, most: 3 },
      { name: `person ${userId}`, most: 10 },
    ],
  }
}

/** Returns the waiter of somebody who has a one-time link. */
export function ofLink(token: string): Waiter {
  return { lane: 'own', bounds: [{ name: `link ${token}`, most: 3 }] }
}

/** Returns the waiter of an address where the person is signed in now. */
export function ofPlace(group: string): Waiter {
  return { lane: 'place', bounds: [{ name: `place ${group}`, most: 6 }] }
}

/** Returns the waiter of anybody. @param network for IPv6, the /48 */
export function ofStranger(group: string, network: string | undefined): Waiter {
  const bounds = [{ name: `address ${group}`, most: 6 }]
  if (network !== undefined) bounds.push({ name: `network ${network}`, most: 10 })
  return { lane: 'stranger', bounds }
}

/** Runs few scrypts at once. The others wait in lanes, so that no flood of strangers keeps out the people who are known. */
export class ScryptLanes {
  readonly #waiting: Record<Waiter['lane'], (() => void)[]> = { own: [], place: [], stranger: [] }
  readonly #ofName = new Map<string, number>()
  #running = 0
  #turns = 0

  /** Serves callers that count what is compared. A `run` right after it is not refused. @throws Problem unavailable */
  refuseCrowd({ lane, bounds }: Waiter): void {
    if (this.#running < MOST_AT_ONCE) return
    const isFull = this.#waiting[lane].length >= MOST_WAITING[lane]
    if (isFull || bounds.some(({ name, most }) => this.#countOf(name) >= most))
      throw new Problem('unavailable')
  }

  /** @throws Problem unavailable if too many wait in that lane, or of that name */
  async run<Result>(waiter: Waiter, work: () => Promise<Result>): Promise<Result> {
    this.refuseCrowd(waiter)
    if (this.#running < MOST_AT_ONCE) this.#running++
    else await this.#wait(waiter)
    try {
      return await work()
    } finally {
      this.#handOn()
    }
  }

  /** Waits until a scrypt that ends hands on its place. */
  async #wait({ lane, bounds }: Waiter): Promise<void> {
    for (const { name } of bounds) this.#ofName.set(name, this.#countOf(name) + 1)
    await new Promise<void>(resolve => this.#waiting[lane].push(resolve))
    for (const { name } of bounds) {
      const left = this.#countOf(name) - 1
      if (left > 0) this.#ofName.set(name, left)
      else this.#ofName.delete(name)
    }
  }

  #handOn(): void {
    const lanes = ++this.#turns % TURNS === 0 ? ORDER.toReversed() : ORDER
    const lane = lanes.find(each => this.#waiting[each].length > 0)
    if (lane === undefined) this.#running--
    else this.#waiting[lane].shift()?.()
  }

  #countOf(name: string): number {
    return this.#ofName.get(name) ?? 0
  }
}
