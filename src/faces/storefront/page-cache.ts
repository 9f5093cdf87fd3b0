import type { Clock } from '#base/time.ts'
import type { AsOf } from '#product/catalog/event-pages/schemas.ts'
import type { Rendered } from './answer.ts'

const KEPT = 1_000

/** The cache keeps the content of a page, with the pages that were rendered from it. */
export interface Kept<Shown> {
  shown: Shown
  /** The key is the language, and whether the address chose it. */
  rendered: Map<string, Rendered>
}

interface Entry<Shown> {
  kept: Kept<Shown>
  /** The content as JSON. It tells whether the content has changed. */
  stated: string
  /** The cache had counted this many commits of the database when the read of this entry began. */
  commits: number
  readAt: number
  until: number
}

interface Flight<Shown> {
  commits: number
  kept: Promise<Kept<Shown>>
}

/**
 * Keeps pages for as long as their content is the same. After each commit, the cache reads the content again, once for all who
 * ask meanwhile, which takes little time. It renders a page again only if the content has changed. Nobody sees content that was
 * overwritten before the request.
 */
export class PageCache<Shown> {
  readonly #clock: Clock
  readonly #most: number
  readonly #entries = new Map<string, Entry<Shown>>()
  readonly #flights = new Map<string, Flight<Shown>>()
  #commits = 0

  /**
   * Makes an empty cache.
   *
   * @param onCommit calls a listener after every commit
   * @param most the most names, including names that do not exist. The entry that was read longest ago leaves first
   */
  constructor(clock: Clock, onCommit: (listener: () => void) => void, most = KEPT) {
    this.#clock = clock
    this.#most = most
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
    // A read that began before the last commit may not have seen it.
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
    const stated = JSON.stringify(shown)
    const was = this.#entries.get(key)
    const kept = was?.stated === stated ? was.kept : { shown, rendered: new Map() }
    if (was === undefined || was.commits <= commits) {
      this.#entries.delete(key)
      this.#entries.set(key, { kept, stated, commits, readAt: now, until })
      if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as string)
    }
    return kept
  }
}
