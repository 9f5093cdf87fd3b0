import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import { ByteCache } from '#machinery/web/byte-cache.ts'
import { FairQueue } from './fair-queue.ts'
import type { Sheets } from './sheet.ts'
import { drawInThread } from './thread.ts'

/** The person for whom a document is drawn. */
export interface Asker {
  /** The lanes do not hold up one another. */
  lane: 'mails' | 'visitors' | 'members' | 'badges'
  /** The parties that share the turns of a lane, the widest first: an address and its orders, an account and its people. */
  shares?: readonly string[]
  /** It aborts when nobody waits for the document any longer. */
  signal?: AbortSignal
}

/** The asker for what the server draws for its mails. */
const MAILS: Asker = { lane: 'mails' }

/** How many documents may wait: in a lane, for an address or account, and for an order or person. */
const MOST_WAITING = [400, 100, 4] as const
/** The seconds after which a refused asker may try again. By then about a hundred documents are drawn. */
const RETRY_AFTER = 10
/** How long a document is kept, in milliseconds. Whoever has opened it may open it again, or reload a slow page. */
const KEPT_FOR = 10 * MINUTE
/** The bytes of all kept documents: about 250 orders of 20 tickets. */
const KEPT_BYTES = 32 * 1024 * 1024

interface Job {
  readonly sheets: Sheets
  readonly shares: readonly string[]
  /** The hash of the content. The same content gives the same document. */
  readonly name: string
  readonly waiting: Set<Waiting>
}

interface Waiting {
  resolve: (pdf: Buffer) => void
  reject: (error: unknown) => void
}

/** Draws documents. Each lane draws one at a time, each in its turn. */
export class Drawings {
  readonly #kept = new ByteCache(KEPT_BYTES)
  readonly #lanes: Record<Asker['lane'], Lane>

  /** Makes the lanes. @param draw is called for several lanes at a time, and must be fair to them itself */
  constructor(draw: (sheets: Sheets) => Promise<Buffer>) {
    const keptOrDrawn = async (sheets: Sheets, name: string) => this.#kept.get(name) ?? draw(sheets)
    const keeping = async (sheets: Sheets, name: string) => this.#keep(name, await keptOrDrawn(sheets, name))
    this.#lanes = {
      mails: new Lane(keptOrDrawn),
      visitors: new Lane(keeping),
      members: new Lane(keptOrDrawn),
      badges: new Lane(keptOrDrawn),
    }
  }

  /**
   * Draws a document. A document of visitors is kept for a while under the hash of its content. Whoever may have the content may
   * have the document, and changed content has another name.
   *
   * @throws Problem documents_waiting if too many wait already; unavailable if the asker has gone before its turn
   */
  async draw(sheets: Sheets, { lane, shares = [], signal }: Asker = MAILS): Promise<Buffer> {
    const name = createHash('sha256').update(JSON.stringify(sheets)).digest('base64')
    return (
      this.#kept.get(name) ?? this.#lanes[lane].draw({ sheets, name, shares, waiting: new Set() }, signal)
    )
  }

  #keep(name: string, pdf: Buffer): Buffer {
    if (this.#kept.get(name) === undefined) {
      this.#kept.set(name, pdf)
      setTimeout(() => this.#kept.delete(name), KEPT_FOR).unref()
    }
    return pdf
  }
}

/** Documents that are drawn one after the other. */
class Lane {
  readonly #draw: (sheets: Sheets, name: string) => Promise<Buffer>
  readonly #queue = new FairQueue<Job>()
  /**
   * The waiting jobs by share and content. Whoever asks again for a document that they already wait for waits for the same job.
   */
  readonly #waiting = new Map<string, Job>()
  #current: Job | undefined

  constructor(draw: (sheets: Sheets, name: string) => Promise<Buffer>) {
    this.#draw = draw
  }

  draw(wanted: Job, signal: AbortSignal | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw new Problem('unavailable')
      const job = this.#find(wanted)
      const waiting = { resolve, reject }
      job.waiting.add(waiting)
      signal?.addEventListener('abort', () => this.#leave(job, waiting), { once: true })
      if (this.#current === undefined) void this.#drawAll()
    })
  }

  #find(wanted: Job): Job {
    if (this.#current?.name === wanted.name) return this.#current
    const place = placeOf(wanted)
    const found = this.#waiting.get(place)
    if (found !== undefined) return found
    const { shares } = wanted
    for (const [depth, most] of MOST_WAITING.entries()) {
      if (depth <= shares.length && this.#queue.sizeOf(shares.slice(0, depth)) >= most)
        throw new Problem('documents_waiting', { retryAfter: RETRY_AFTER })
    }
    this.#queue.add(shares, wanted)
    this.#waiting.set(place, wanted)
    return wanted
  }

  /** Leaves a job. A job that nobody waits for is not drawn. Once it has begun, it goes on, as others may still want it. */
  #leave(job: Job, waiting: Waiting): void {
    if (!job.waiting.delete(waiting)) return
    waiting.reject(new Problem('unavailable'))
    if (job.waiting.size > 0 || job === this.#current) return
    this.#queue.remove(job.shares, job)
    this.#waiting.delete(placeOf(job))
  }

  async #drawAll(): Promise<void> {
    for (let job = this.#queue.take(); job !== undefined; job = this.#queue.take()) {
      this.#current = job
      this.#waiting.delete(placeOf(job))
      try {
        const pdf = await this.#draw(job.sheets, job.name)
        for (const { resolve } of job.waiting) resolve(pdf)
      } catch (error) {
        for (const { reject } of job.waiting) reject(error)
      }
      job.waiting.clear()
      this.#current = undefined
    }
  }
}

function placeOf({ shares, name }: Job): string {
  return [...shares, name].join('\n')
}

const ofProgram = new Drawings(drawInThread)

/** Draws a document in its turn, off the event loop. @throws as `Drawings.draw` */
export function drawInTurn(sheets: Sheets, asker?: Asker): Promise<Buffer> {
  return ofProgram.draw(sheets, asker)
}
