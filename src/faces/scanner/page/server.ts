import type { DoorClock } from './clock.ts'
import type { ChangesAnswer, CopyAnswer, Paired, ScanItem, ScansAnswer } from './contract.ts'

/** No answer of the server: no network, too slow, an error of its own, or the page of a captive portal in its place. */
export class NoAnswer extends Error {}

/** An answer that refuses. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const ANSWER_TIME = 10_000
const COPY_TIME = 120_000

/** What the page asks the server. Every method throws NoAnswer or Refusal. */
export class Server {
  readonly #clock: DoorClock
  readonly #steady: () => number
  /** What can be asked again. */
  readonly #repeatable = new Set<AbortController>()
  token: string | undefined

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

  /** @param waiting scans that stay on the phone after these */
  send(scans: readonly ScanItem[], waiting: number): Promise<ScansAnswer> {
    return this.#ask('POST', 'scans', { waiting, scans })
  }

  /** Gives up what is under way: the network is another one now, and the old one may never answer. */
  giveUp(): void {
    for (const asked of this.#repeatable) asked.abort()
  }

  async #ask<Answer extends { now: string }>(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    limit = ANSWER_TIME,
  ): Promise<Answer> {
    const before = this.#steady()
    const { token } = this
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), limit)
    if (limit === ANSWER_TIME && path !== 'pair') this.#repeatable.add(abort)
    let status: number
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
      answer = await response.json()
    } catch (error) {
      throw new NoAnswer(String(error))
    } finally {
      clearTimeout(timer)
      this.#repeatable.delete(abort)
    }
    // What another token was asked with is of a pairing that has ended here.
    if (path !== 'pair' && token !== this.token) throw new NoAnswer('paired anew')
    return this.#read<Answer>(status, answer, before)
  }

  #read<Answer extends { now: string }>(status: number, answer: unknown, before: number): Answer {
    const { now, error } = (answer ?? {}) as { now?: unknown; error?: { code?: unknown } }
    if (status >= 200 && status < 300 && typeof now === 'string') {
      this.#clock.learn(before, this.#steady(), Date.parse(now))
      return answer as Answer
    }
    if (status >= 400 && status < 500 && status !== 429 && typeof error?.code === 'string') {
      throw new Refusal(error.code)
    }
    throw new NoAnswer(`status ${status}`)
  }
}
