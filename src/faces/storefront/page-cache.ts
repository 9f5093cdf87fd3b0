import type { AsOf } from '../event-pages/schemas.ts'
import type { Clock } from '../time.ts'
import type { Rendered } from './answer.ts'

/** Of names that were asked for, those that nobody has included; the least recently used leave first. */
const KEPT = 1_000

/** What a page shows, with the pages that were made of it. */
export interface Kept<Shown> {
  shown: Shown
  /** By language, and how that was chosen. */
  rendered: Map<string, Rendered>
}

interface Entry<Shown> {
  kept: Kept<Shown>
  /** To tell whether something else is to be shown. */
  said: string
  /** Of the database: how many commits there had been when this began to be read. */
  commits: number
  readAt: number
  until: number
}

interface Flight<Shown> {
  commits: number
  kept: Promise<Kept<Shown>>
}

/**
 * Keeps pages for as long as what they show is the same. After each commit it is read again, once for all who ask meanwhile, which
 * is short; a page is made anew where that has changed alone. Nobody is shown what was written over before they asked.
 */
export class PageCache<Shown> {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry<Shown>>()
  readonly #flights = new Map<string, Flight<Shown>>()
  #commits = 0

  /** @param onCommit has a listener called after every commit */
  constructor(clock: Clock, onCommit: (listener: () => void) => void) {
    this.#clock = clock
    onCommit(() => {
      this.#commits++
    })
  }

  get(key: string, read: (now: number) => Promise<AsOf<Shown>>): Kept<Shown> | Promise<Kept<Shown>> {
    const now = this.#clock()
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry.commits === this.#commits && now >= entry.readAt && now < entry.until) {
      return entry.kept
    }
    const flight = this.#flights.get(key)
    // What began before the last commit may not have seen it.
    if (flight?.commits === this.#commits) return flight.kept
    const commits = this.#commits
    const kept = this.#read(key, read, now, commits)
    this.#flights.set(key, { commits, kept })
    const land = () => {
      if (this.#flights.get(key)?.kept === kept) this.#flights.delete(key)
    }
    kept.then(land, land)
    return kept
  }

  async #read(
    key: string,
    read: (now: number) => Promise<AsOf<Shown>>,
    now: number,
    commits: number,
  ): Promise<Kept<Shown>> {
    const { shown, until } = await read(now)
    const said = JSON.stringify(shown)
    const was = this.#entries.get(key)
    const kept = was?.said === said ? was.kept : { shown, rendered: new Map() }
    if (was === undefined || was.commits <= commits) {
      this.#entries.delete(key)
      this.#entries.set(key, { kept, said, commits, readAt: now, until })
      if (this.#entries.size > KEPT) this.#entries.delete(this.#entries.keys().next().value as string)
    }
    return kept
  }
}
