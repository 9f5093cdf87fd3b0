import { MINUTE, SECOND } from '#base/time.ts'
import type { Context } from '#machinery/http/face.ts'
import type { Texts } from '#texts/texts.ts'
import type { Cookies } from './cookies.ts'
import type { Signed } from './signed.ts'

/** A message about what has just happened, shown once on the next page: a sentence of the catalogue, with its parameters. */
export type Flash = { [Key in FlashKey]: FlashOf<Key> }[FlashKey]

type FlashKey = keyof Texts['flash']
type FlashValues<Key extends FlashKey> = Parameters<Texts['flash'][Key]>[0]

interface FlashOf<Key extends FlashKey> {
  key: Key
  told: FlashValues<Key>
  tone: Tone
  /** The address where a button undoes it. It takes a POST without fields. */
  undo?: string | undefined
}

export type Tone = 'good' | 'warn' | 'bad'

export function flash<Key extends FlashKey>(
  key: Key,
  values: FlashValues<Key>,
  { tone = 'good', undo }: { tone?: Tone; undo?: string } = {},
): Flash {
  return { key, told: values, tone, undo } as FlashOf<Key> as Flash
}

const NAME = 'flash'
const LIFETIME = MINUTE
/** The most characters of a cookie with its signature. Texts of people are cut before. */
const MAX_LENGTH = 3500

/** Carries a flash to the next page in a cookie. */
export class Flashes {
  readonly #cookies: Cookies
  readonly #signed: Signed

  constructor(cookies: Cookies, signed: Signed) {
    this.#cookies = cookies
    this.#signed = signed
  }

  send(context: Context, flash: Flash): void {
    const sealed = this.#signed.seal(NAME, flash, LIFETIME)
    if (sealed.length <= MAX_LENGTH) this.#cookies.set(context, NAME, sealed, LIFETIME / SECOND)
  }

  /** Takes the flash that was sent, so that it is shown only once. */
  take(context: Context): Flash | undefined {
    const sealed = this.#cookies.read(context.req, NAME)
    if (sealed === undefined) return undefined
    this.#cookies.clear(context, NAME)
    return this.#signed.open(NAME, sealed) as Flash | undefined
  }
}

/** Returns the sentence of a flash. */
export function describeFlash(texts: Texts, { key, told: values }: Flash): string {
  return (texts.flash[key] as (values: unknown) => string)(values)
}
