import type { DoorClock } from './clock.ts'
import type { ChangesAnswer, CopyAnswer, Paired, ScanItem, ScansAnswer } from './contract.ts'

/**
 * The server did not answer: there is no network, it is too slow, it has an error of its own, or a captive portal answered in its
 * place.
 */
export class NoAnswer extends Error {}

/** The server is there and asks to wait, because this phone or all phones together ask too much. */
export class Busy extends NoAnswer {
  /** In milliseconds. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('busy')
    this.retryAfter = retryAfter
  }
}

/** The server refused the request. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const ANSWER_TIME = 10_000
const COPY_TIME = 120_000
/**
 * The page waits this long if the server asks to wait without a time. `LONGEST_BUSY` is the longest wait. Both are in
 * milliseconds.
 */
const BUSY = 2_000
const LONGEST_BUSY = 60_000
/** A random delay of up to this many milliseconds keeps phones that were refused together from coming back together. */
const SPREAD = 1_000

/** Sends the page's requests to the server. Every method throws NoAnswer or Refusal. */
export class Server {
  readonly #clock: DoorClock
  readonly #steady: () => number
  /** The requests that the page can send again. */
  readonly #repeatable = new Set<AbortController>()
  token: string | undefined
  /** Until this instant of the steady clock, the page sends nothing. */
  #busyUntil = Number.NEGATIVE_INFINITY

  constructor(clock: DoorClock, steady: () => number) {
    this.#clock = clock
    this.#steady = steady
  }

  pair(secret: string): Promise<Paired> {
    return this.#ask('POST', 'pair', { secret })
  }

  copy(): Promise<CopyAnswer> {
    return this.#ask('GET', 'copy', undefined, COPY_TIME)
  }

  changes(cursor: string): Promise<ChangesAnswer> {
    return this.#ask('GET', `changes?cursor=${encodeURIComponent(cursor)}`)
  }

  /** @param waiting the number of scans that stay on the phone after these */
  send(scans: readonly ScanItem[], waiting: number): Promise<ScansAnswer> {
    return this.#ask('POST', 'scans', { waiting, scans })
  }

  /** Returns how many milliseconds the server still asks to wait, or 0. */
  get busyFor(): number {
    return Math.max(0, this.#busyUntil - this.#steady())
  }

  /** Gives up the requests under way. The network is another one now, and the old one may never answer. */
  giveUp(): void {
    for (const request of this.#repeatable) request.abort()
  }

  async #ask<Answer extends { now: string }>(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    limit = ANSWER_TIME,
  ): Promise<Answer> {
    if (this.busyFor > 0) throw new Busy(this.busyFor)
    const before = this.#steady()
    const { token } = this
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), limit)
    if (limit === ANSWER_TIME && path !== 'pair') this.#repeatable.add(abort)
    let status: number
    let retryAfter: string | null
    let answer: unknown
    try {
      const response = await fetch(`/door/${path}`, {
        method,
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        signal: abort.signal,
      })
      status = response.status
      retryAfter = response.headers.get('Retry-After')
      // A proxy may answer this status in its own words.
      answer = status === TOO_MANY ? undefined : await response.json()
    } catch (error) {
      throw new NoAnswer(String(error))
    } finally {
      clearTimeout(timer)
      this.#repeatable.delete(abort)
    }
    // An answer to another token belongs to a pairing that has ended on this phone.
    if (path !== 'pair' && token !== this.token) throw new NoAnswer('paired anew')
    if (isBusy(status, answer)) throw this.#rest(retryAfter)
    return this.#read<Answer>(status, answer, before)
  }

  #read<Answer extends { now: string }>(status: number, answer: unknown, before: number): Answer {
    const { now, error } = (answer ?? {}) as { now?: unknown; error?: { code?: unknown } }
    if (status >= 200 && status < 300 && typeof now === 'string') {
      this.#clock.learn(before, this.#steady(), Date.parse(now))
      return answer as Answer
    }
    if (status >= 400 && status < 500 && typeof error?.code === 'string') {
      throw new Refusal(error.code)
    }
    throw new NoAnswer(`status ${status}`)
  }

  /** @param retryAfter the seconds that the server sent */
  #rest(retryAfter: string | null): Busy {
    const stated = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : BUSY
    const time = Math.min(stated, LONGEST_BUSY) + Math.random() * SPREAD
    this.#busyUntil = this.#steady() + time
    return new Busy(time)
  }
}

const TOO_MANY = 429
const UNAVAILABLE = 503

/** An overloaded server answers with an error code, like any refusal. A proxy in place of a server that is gone does not. */
function isBusy(status: number, answer: unknown): boolean {
  const code = (answer as { error?: { code?: unknown } } | null | undefined)?.error?.code
  return status === TOO_MANY || (status === UNAVAILABLE && typeof code === 'string')
}
