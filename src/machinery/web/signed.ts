import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#base/time.ts'

/** Small values that go out to a browser and must come back unchanged, within some time and for one purpose. */
export class Signed {
  readonly #secret: string
  readonly #clock: Clock

  constructor(secret: string, clock: Clock) {
    this.#secret = secret
    this.#clock = clock
  }

  /** Seals a value. @param lifetime milliseconds @returns letters, digits, `-`, `_` and points */
  seal(purpose: string, value: unknown, lifetime: number): string {
    const text = Buffer.from(JSON.stringify([this.#clock() + lifetime, value])).toString('base64url')
    return `${text}.${this.#sign(purpose, text).toString('base64url')}`
  }

  /** Opens a sealed value. @returns undefined if it was not sealed here for this purpose, or its time is over */
  open(purpose: string, sealed: string): unknown {
    const [text = '', signature = ''] = sealed.split('.')
    const given = Buffer.from(signature, 'base64url')
    const expected = this.#sign(purpose, text)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const [until, value] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, unknown]
    return this.#clock() < until ? value : undefined
  }

  #sign(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\n${text}`).digest()
  }
}
