import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Database, INSTANCE, type ReadTx, type WriteTx } from '../db/port.ts'
import { emailKey, isText } from '../fields.ts'
import { type Clock, MINUTE } from '../time.ts'
import { isOutdated, isPassword, isPossible, refuseCrowd, rehashPassword } from './passwords.ts'
import { byUser, recordOfUser } from './record.ts'
import { presentUser, type User } from './schemas.ts'
import * as sessionStore from './session-store.ts'
import * as sessions from './sessions.ts'
import * as store from './store.ts'
import { findTotpStep, hashRecoveryCode, isTotpCode } from './totp.ts'
import { Tries } from './tries.ts'

/** How long after the password the code may come, in milliseconds. */
const TICKET_LIFETIME = 5 * MINUTE
const LONGEST_EMAIL = 1000
const LONGEST_CODE = 100

export interface SignInOptions {
  db: Pick<Database, 'read' | 'write'>
  clock: Clock
  /** Of the instance: signs the tickets. */
  secret: string
  /** What tries are counted by: an address itself, or of IPv6 its /64. */
  addressGroup: (address: string) => string
}

/** Where somebody signs in, and by which request. */
export interface Visit {
  address: string
  /** The User-Agent, as it was sent. */
  browser: string | null
  requestId: string | null
}

/** @param retryAfter seconds */
export type Refused = { kind: 'refused' } | { kind: 'too-many'; retryAfter: number }

export type SignedIn = {
  kind: 'in'
  /** Of the session. */
  token: string
  /** Milliseconds. */
  expiresAt: number
  user: User
}

interface Counted {
  address: string
  email: string
}

/**
 * Signs people in. What can be guessed is counted before it is looked at: 10 tries a quarter of an hour for each address, and
 * for each e-mail, whether or not anybody has it. Nobody is locked out by others for longer, as what is refused does not count;
 * and at an address where a person has a session their tries count apart from those of everybody else.
 */
export class SignIn {
  readonly #options: SignInOptions
  readonly #ticketKey: Buffer
  readonly #ofAddresses: Tries
  readonly #ofEmails: Tries

  constructor(options: SignInOptions) {
    this.#options = options
    this.#ticketKey = createHmac('sha256', options.secret).update('tickets of a sign-in').digest()
    this.#ofAddresses = new Tries(options.clock)
    this.#ofEmails = new Tries(options.clock)
  }

  /**
   * Takes an e-mail and its password. The answer, and the time that it takes, are the same whether the password is wrong or
   * nobody has the e-mail.
   *
   * @returns a ticket for `continueWith` where a code is needed too
   * @throws Problem unavailable when too many passwords are being compared
   */
  async attempt({
    email,
    password,
    ...visit
  }: Visit & { email: string; password: string }): Promise<
    SignedIn | Refused | { kind: 'second-factor'; ticket: string }
  > {
    // Nobody has these, and so they are no guess.
    if (email.length > LONGEST_EMAIL || !isText(email) || !isPossible(password)) return { kind: 'refused' }
    const key = emailKey(email.trim())
    const { user, counted } = await this.#options.db.read(async tx => {
      const user = await store.findByEmailKey(tx, key)
      return { user, counted: await this.#countedFor(tx, key, user?.id, visit.address) }
    })
    const refused = await this.#compare(counted, password, user)
    if (refused !== undefined || user === undefined) return refused ?? { kind: 'refused' }
    const hash = await this.#upgrade(user, password)
    if (hash === undefined) return { kind: 'refused' }
    if (user.totp_secret !== null) {
      const expires = this.#options.clock() + TICKET_LIFETIME
      return { kind: 'second-factor', ticket: this.#makeTicket(user.id, hash, expires) }
    }
    return this.#finish(counted, user.id, hash, visit, async (_, row) => row.totp_secret === null)
  }

  /**
   * Takes the code of the authenticator, or a recovery code, each once.
   *
   * @returns expired for a ticket that is no longer good: the person begins with the password again
   */
  async continueWith({
    ticket,
    code,
    ...visit
  }: Visit & { ticket: string; code: string }): Promise<SignedIn | Refused | { kind: 'expired' }> {
    const { clock, db } = this.#options
    const [, userId = '', expires = ''] = /^([0-9a-f-]{36})\.(\d{1,16})\.[\w-]{43}$/.exec(ticket) ?? []
    const { user, counted } = await db.read(async tx => {
      const user = await store.find(tx, userId)
      return { user, counted: user && (await this.#countedFor(tx, user.email_key, user.id, visit.address)) }
    })
    // A password that was changed meanwhile has made another ticket of it.
    const isGood =
      user !== undefined && isSame(ticket, this.#makeTicket(userId, user.password_hash, Number(expires)))
    if (!isGood || counted === undefined || Number(expires) <= clock()) return { kind: 'expired' }
    const retryAfter = this.#take(counted)
    if (retryAfter !== undefined) return { kind: 'too-many', retryAfter }
    const typed = code.slice(0, LONGEST_CODE).replaceAll(/\s/g, '')
    const done = await this.#finish(counted, userId, user.password_hash, visit, (tx, row) =>
      claimCode(tx, row, typed),
    )
    if (done.kind === 'in') this.#ofAddresses.giveBack(counted.address)
    return done
  }

  /**
   * Takes the password of somebody who is signed in, before what a stolen session must not do. Counted as a sign-in is.
   *
   * @throws Problem unavailable when too many passwords are being compared
   */
  async confirm(userId: string, password: string, address: string): Promise<{ kind: 'confirmed' } | Refused> {
    if (!isPossible(password)) return { kind: 'refused' }
    const { user, counted } = await this.#options.db.read(async tx => {
      const user = await store.find(tx, userId)
      return { user, counted: await this.#countedFor(tx, user?.email_key ?? '', userId, address) }
    })
    const refused = await this.#compare(counted, password, user)
    if (refused !== undefined) return refused
    this.#ofEmails.clear(counted.email)
    return { kind: 'confirmed' }
  }

  /** @param userId undefined where nobody has the e-mail: it takes the same time */
  async #countedFor(tx: ReadTx, key: string, userId: string | undefined, address: string): Promise<Counted> {
    const { addressGroup } = this.#options
    const group = addressGroup(address)
    const known = await sessionStore.listByUser(tx, userId ?? '')
    const isKnown = known.some(session => session.address !== null && addressGroup(session.address) === group)
    // No e-mail that somebody makes up names the tries of a place that is known.
    return { address: group, email: isKnown ? `known ${group} ${key}` : `anywhere ${key}` }
  }

  /** @returns seconds, where there were too many */
  #take({ address, email }: Counted): number | undefined {
    const ofAddress = this.#ofAddresses.take(address)
    if (ofAddress !== undefined) return ofAddress
    const ofEmail = this.#ofEmails.take(email)
    if (ofEmail !== undefined) this.#ofAddresses.giveBack(address)
    return ofEmail
  }

  /** @throws Problem unavailable */
  async #compare(
    counted: Counted,
    password: string,
    user: store.UserRow | undefined,
  ): Promise<Refused | undefined> {
    // What is counted is also compared: nobody fills the memory of tries faster than that.
    refuseCrowd()
    const retryAfter = this.#take(counted)
    if (retryAfter !== undefined) return { kind: 'too-many', retryAfter }
    if (!(await isPassword(password, user?.password_hash))) return { kind: 'refused' }
    // That was no guess: many people may sign in at one address.
    this.#ofAddresses.giveBack(counted.address)
    return undefined
  }

  /** Keeps the password as a new one would be kept. @returns what is stored now, unless it is of another password */
  async #upgrade(user: store.UserRow, password: string): Promise<string | undefined> {
    const from = user.password_hash
    if (!isOutdated(from)) return from
    const to = await rehashPassword(password)
    const stored = await this.#options.db.write(INSTANCE, async tx => {
      await store.upgradePassword(tx, user.id, { from, to }, await tx.now())
      return (await store.find(tx, user.id))?.password_hash
    })
    // It was changed meanwhile, or somebody has just signed in with the same.
    return stored === to || (await isPassword(password, stored)) ? stored : undefined
  }

  /** Begins the session, unless the user was changed meanwhile, or the proof is none. */
  async #finish(
    counted: Counted,
    userId: string,
    hash: string,
    { address, browser, requestId }: Visit,
    isProven: (tx: WriteTx, row: store.UserRow) => Promise<boolean>,
  ): Promise<SignedIn | Refused> {
    const done = await this.#options.db.write(INSTANCE, async (tx): Promise<SignedIn | Refused> => {
      const row = await store.find(tx, userId)
      if (row?.password_hash !== hash || !(await isProven(tx, row))) return { kind: 'refused' }
      const session = await sessions.open(tx, userId, { address, browser })
      await recordOfUser(tx, userId, byUser(userId, { requestId, address }), 'user.sign_in')
      return { kind: 'in', ...session, user: presentUser(row) }
    })
    if (done.kind === 'in') this.#ofEmails.clear(counted.email)
    return done
  }

  /** Says whose password was right, until `expires`; in the signature is the password itself, as it is stored. */
  #makeTicket(userId: string, hash: string, expires: number): string {
    const signature = createHmac('sha256', this.#ticketKey).update(`${userId}\n${expires}\n${hash}`)
    return `${userId}.${expires}.${signature.digest('base64url')}`
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Accepts a code once: of two at the same time, one. */
async function claimCode(tx: WriteTx, row: store.UserRow, code: string): Promise<boolean> {
  if (row.totp_secret === null) return false
  if (!isTotpCode(code)) return (await store.claimRecoveryCode(tx, row.id, hashRecoveryCode(code))) === 1
  const step = findTotpStep(row.totp_secret, code, tx.clock())
  if (step === undefined) return false
  return (await store.claimStep(tx, row.id, row.totp_secret, step, await tx.now())) === 1
}
