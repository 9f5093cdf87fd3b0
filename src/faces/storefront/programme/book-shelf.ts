import { createHash } from 'node:crypto'
import { type Clock, MINUTE } from '#base/time.ts'
import type { Rendered } from '../answer.ts'

/** A book is kept for so long. Whoever changes a title sees it in the book a minute later. */
const FOR = MINUTE
/** Books that are kept. Each may have some megabytes. */
const MOST = 4

interface Kept {
  until: number
  book: Promise<Rendered>
}

/**
 * Keeps books of abstracts that everybody may read. Making one takes a second of the processor, so one is made at a time, once for all
 * who ask meanwhile.
 */
export class BookShelf {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param name of the book with all that it depends on but the texts in it */
  get(name: string, make: () => AsyncIterable<string>): Promise<Rendered> {
    const now = this.#clock()
    const kept = this.#kept.get(name)
    if (kept !== undefined && now < kept.until && now >= kept.until - FOR) return kept.book
    const book = this.#last.then(() => collect(make()))
    this.#last = book.catch(() => undefined)
    this.#kept.delete(name)
    this.#kept.set(name, { until: now + FOR, book })
    book.catch(() => this.#kept.delete(name))
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value as string)
    return book
  }
}

/** The bytes are hashed as they come, because a book may be larger than what is hashed at once. */
async function collect(chunks: AsyncIterable<string>): Promise<Rendered> {
  const parts: Buffer[] = []
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk)
    hash.update(part)
    parts.push(part)
  }
  const etag = hash.digest('base64url').slice(0, 22)
  return { plain: Buffer.concat(parts), etag, type: 'text/html; charset=utf-8', compressed: undefined }
}
