import { createHmac, randomBytes } from 'node:crypto'
import { type Clock, DAY } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as store from './store.ts'
import { isLive, isSame } from './token.ts'

/** In milliseconds, counted from the latest sign-in. Browsers keep no cookie longer than 400 days. */
export const DEVICE_LIFETIME = 365 * DAY
/** The most people who can share a browser. Of more, those who signed in longest ago are forgotten. */
const MOST_PEOPLE = 5
const BYTES = 16
const FORM = /^([\w-]{22})\.(\d{1,16})\.([\w-]{22})((?:\.[\w-]{22}){0,5})$/

/**
 * How somebody was let in on a device. With `sign-in` they gave all that was asked for. With `link` they used a link, which asks
 * for no second factor. A link gives no tries at codes of its own, or else each link in a mailbox would give ten more.
 */
export type Proof = 'sign-in' | 'link'

/** A browser in which somebody has signed in before. */
export interface Device {
  /** A random id that this instance has made. */
  id: string
  /** Each mark belongs to one person, but does not reveal which one. */
  marks: readonly string[]
}

/** The values that a mark is bound to. */
type Person = Pick<store.UserRow, 'id' | 'password_hash' | 'totp_secret'>

/** Stands in when nobody has the e-mail, so that the check takes the same time. */
const NOBODY: Person = { id: '', password_hash: '', totp_secret: null }

/**
 * Recognizes the browsers in which people have signed in, by a signed cookie that no table stores. The cookie lets nobody in. It
 * only gives its person a lane and a count of their own, which strangers cannot fill. A mark holds as long as the password and
 * the second factor stay the same, so marks made with an old password are worthless.
 */
export class KnownDevices {
  readonly #clock: Clock
  readonly #key: Buffer

  /** @param options.secret the secret of the instance */
  constructor({ clock, secret }: { clock: Clock; secret: string }) {
    this.#clock = clock
    this.#key = createHmac('sha256', secret).update('known devices').digest()
  }

  /** @returns undefined for a cookie that this instance did not make, or that has expired */
  read(cookie: string | undefined): Device | undefined {
    const [, id = '', until = '', signature = '', marks = ''] = FORM.exec(cookie ?? '') ?? []
    if (id === '' || !isSame(signature, this.#sign('device', id, until))) return undefined
    if (!isLive(Number(until), this.#clock(), DEVICE_LIFETIME)) return undefined
    return { id, marks: marks.split('.').slice(1) }
  }

  /** Returns how this person was let in on that device before. @param person undefined if nobody has the e-mail */
  proofOf(device: Device | undefined, person: Person = NOBODY): Proof | undefined {
    const { id, marks } = device ?? { id: '', marks: [] }
    const [full, byLink] = (['sign-in', 'link'] as const).map(proof => this.#markOf(id, person, proof))
    if (marks.some(mark => isSame(mark, full as string))) return 'sign-in'
    return marks.some(mark => isSame(mark, byLink as string)) ? 'link' : undefined
  }

  /** @param cookie what the browser has @returns the new cookie: letters, digits, `-`, `_` and points */
  remember(cookie: string | undefined, person: Person, proof: Proof): string {
    const { id, marks } = this.read(cookie) ?? { id: randomBytes(BYTES).toString('base64url'), marks: [] }
    const own = [this.#markOf(id, person, 'sign-in'), this.#markOf(id, person, 'link')]
    const others = marks.filter(mark => !own.includes(mark)).slice(0, MOST_PEOPLE - 1)
    const until = String(this.#clock() + DEVICE_LIFETIME)
    return [id, until, this.#sign('device', id, until), this.#markOf(id, person, proof), ...others].join('.')
  }

  /** Does the same for a user as the database has them now. */
  async rememberUser(
    tx: InstanceReadTx,
    userId: string,
    { cookie, proof }: { cookie: string | undefined; proof: Proof },
  ): Promise<string | undefined> {
    const user = await store.find(tx, userId)
    return user && this.remember(cookie, user, proof)
  }

  #markOf(id: string, { id: userId, password_hash, totp_secret }: Person, proof: Proof): string {
    return this.#sign(proof, id, userId, password_hash, totp_secret ?? '')
  }

  #sign(...parts: readonly string[]): string {
    const signature = createHmac('sha256', this.#key).update(parts.join('\n')).digest()
    return signature.subarray(0, BYTES).toString('base64url')
  }
}
