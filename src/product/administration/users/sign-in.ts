import { createHmac } from 'node:crypto'
import { emailKey, isText } from '#base/fields.ts'
import { type Clock, MINUTE } from '#base/time.ts'
import { type Database, INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import type { KnownDevices } from './known-device.ts'
import { isOutdated, isPassword, isPossible, refuseCrowd, rehashPassword } from './passwords.ts'
import { anywhere, type Claim, type Recognized, recognize } from './recognition.ts'
import { byUser, recordOfUser } from './record.ts'
import { presentUser, type User } from './schemas.ts'
import { ofPerson, type Waiter } from './scrypt-lanes.ts'
import * as sessions from './sessions.ts'
import * as store from './store.ts'
import { isSame } from './token.ts'
import { findTotpStep, hashRecoveryCode, isTotpCode } from './totp.ts'
import { AddressTries, type Counted, giveBackAll, type Places, Tries, takeAll } from './tries.ts'

/** How long after the password the code may come, in milliseconds. */
const TICKET_LIFETIME = 5 * MINUTE
const LONGEST_EMAIL = 1000
const LONGEST_CODE = 100

export interface SignInOptions {
  db: Pick<Database, 'read' | 'write'>
  clock: Clock
  /** The secret of the instance, which signs the tickets. */
  secret: string
  devices: KnownDevices
  places: Places
}

/** Where somebody signs in, and by which request. */
export interface Visit extends Claim {
  /** The User-Agent, as it was sent. */
  browser: string | null
  requestId: string | null
}

/** @param retryAfter in seconds */
export type Refused = { kind: 'refused' } | { kind: 'too-many'; retryAfter: number }

export type SignedIn = {
  kind: 'in'
  /** The token of the session. */
  token: string
  /** Unix milliseconds. */
  expiresAt: number
  user: User
  /** The cookie by which the browser is recognized later. */
  device: string
}

/**
 * Signs people in. Each guess is counted before it is checked: 10 tries in a quarter of an hour for each address and for each
 * e-mail, whether or not anybody has it. Others cannot lock a person out for longer, because refused tries do not count. At a
 * device where a person signed in before, or at an address where they have a session, their tries count apart from those of
 * everybody else, and come first. The counts are in memory. A restart, which no stranger can cause, resets them.
 */
export class SignIn {
  readonly #options: SignInOptions
  readonly #ticketKey: Buffer
  readonly #ofAddresses: AddressTries
  /**
   * The tries at passwords, counted by how somebody is recognized, and the tries at codes, which nobody reaches without the
   * password.
   */
  readonly #passwords: Tries
  readonly #codes: Tries

  constructor(options: SignInOptions) {
    const { clock, secret } = options
    this.#options = options
    this.#ticketKey = createHmac('sha256', secret).update('tickets of a sign-in').digest()
    this.#ofAddresses = new AddressTries(options)
    this.#passwords = new Tries(clock)
    this.#codes = new Tries(clock)
  }

  /**
   * Takes an e-mail and its password. The answer and the time that it takes are the same whether the password is wrong or nobody
   * has the e-mail.
   *
   * @returns a ticket for `continueWith` if a code is needed too
   * @throws Problem unavailable if too many passwords are being compared
   */
  async attempt({
    email,
    password,
    ...visit
  }: Visit & { email: string; password: string }): Promise<
    SignedIn | Refused | { kind: 'second-factor'; ticket: string }
  > {
    // Nobody has such an e-mail or password, so this does not count as a guess.
    if (email.length > LONGEST_EMAIL || !isText(email) || !isPossible(password)) return { kind: 'refused' }
    const key = emailKey(email.trim())
    const { user, recognized } = await this.#options.db.read(INSTANCE, async tx => {
      const user = await store.findByEmailKey(tx, key)
      return { user, recognized: await recognize(tx, this.#options, visit, { key, user }) }
    })
    const ofName = [this.#passwords, recognized.password] as const
    const ofAddress = recognized.isStranger ? this.#ofAddresses.of(visit.address) : []
    const refused = await this.#compare([...ofAddress, ofName], password, user, recognized.waiter)
    if (refused !== undefined || user === undefined) return refused ?? { kind: 'refused' }
    // The password is right, so this was no guess. Many people may sign in from one address.
    giveBackAll(ofAddress)
    const hash = await this.#upgrade(user, password)
    if (hash === undefined) return { kind: 'refused' }
    if (user.totp_secret !== null) {
      const expires = this.#options.clock() + TICKET_LIFETIME
      return { kind: 'second-factor', ticket: this.#makeTicket(user.id, hash, expires) }
    }
    return this.#finish(recognized, user.id, hash, visit, async (_, row) => row.totp_secret === null)
  }

  /**
   * Takes the code of the authenticator or a recovery code. Each is accepted once.
   *
   * @returns expired for a ticket that is no longer good. The person then begins with the password again
   */
  async continueWith({
    ticket,
    code,
    ...visit
  }: Visit & { ticket: string; code: string }): Promise<SignedIn | Refused | { kind: 'expired' }> {
    const { clock, db } = this.#options
    const [, userId = '', expires = ''] = /^([0-9a-f-]{36})\.(\d{1,16})\.[\w-]{43}$/.exec(ticket) ?? []
    const { user, recognized } = await db.read(INSTANCE, async tx => {
      const user = await store.find(tx, userId)
      const recognized = user && (await recognize(tx, this.#options, visit, { key: user.email_key, user }))
      return { user, recognized }
    })
    // A ticket is signed with the stored password. If that has changed in the meantime, the ticket no longer matches.
    const isGood =
      user !== undefined && isSame(ticket, this.#makeTicket(userId, user.password_hash, Number(expires)))
    if (!isGood || recognized === undefined || Number(expires) <= clock()) return { kind: 'expired' }
    const retryAfter = this.#codes.take(recognized.code)
    if (retryAfter !== undefined) return { kind: 'too-many', retryAfter }
    const typed = code.slice(0, LONGEST_CODE).replaceAll(/\s/g, '')
    return this.#finish(recognized, userId, user.password_hash, visit, (tx, row) => claimCode(tx, row, typed))
  }

  /**
   * Checks the password of somebody who is signed in, before an action that a stolen session must not be enough for. A session
   * has as many tries as a sign-in, and nobody else uses them up.
   *
   * @throws Problem unavailable if too many passwords are being compared
   */
  async confirm(
    { userId, sessionId }: { userId: string; sessionId: string },
    password: string,
  ): Promise<{ kind: 'confirmed' } | Refused> {
    if (!isPossible(password)) return { kind: 'refused' }
    const user = await this.#options.db.read(INSTANCE, tx => store.find(tx, userId))
    const name = `session ${sessionId}`
    const refused = await this.#compare([[this.#passwords, name]], password, user, ofPerson(userId, name))
    if (refused !== undefined) return refused
    this.#passwords.clear(name)
    return { kind: 'confirmed' }
  }

  /**
   * Lets somebody who has just used a link for a new password sign in from anywhere, however many tries others have made. The
   * tries at codes stay, because otherwise each link would give ten more to somebody who reads the mailbox.
   */
  clearTries(email: string): void {
    this.#passwords.clear(anywhere(emailKey(email)))
  }

  /** @throws Problem unavailable */
  async #compare(
    counted: Counted,
    password: string,
    user: store.UserRow | undefined,
    waiter: Waiter,
  ): Promise<Refused | undefined> {
    // Only tries that will be compared are counted, so nobody can fill the memory of tries faster than passwords are compared.
    refuseCrowd(waiter)
    const retryAfter = takeAll(counted)
    if (retryAfter !== undefined) return { kind: 'too-many', retryAfter }
    return (await isPassword(password, user?.password_hash, waiter)) ? undefined : { kind: 'refused' }
  }

  /**
   * Hashes the password again if its cost is outdated.
   *
   * @returns the stored hash, or undefined if it belongs to another password
   */
  async #upgrade(user: store.UserRow, password: string): Promise<string | undefined> {
    const from = user.password_hash
    if (!isOutdated(from)) return from
    const waiter = ofPerson(user.id, `upgrade ${user.id}`)
    const to = await rehashPassword(password, waiter)
    const stored = await this.#options.db.write(INSTANCE, async tx => {
      await store.upgradePassword(tx, user.id, { from, to }, await tx.now())
      return (await store.find(tx, user.id))?.password_hash
    })
    // The stored hash differs if the password was changed meanwhile, or if another sign-in has just upgraded it.
    return stored === to || (await isPassword(password, stored, waiter)) ? stored : undefined
  }

  /** Begins the session, unless the user was changed meanwhile or the proof fails. */
  async #finish(
    recognized: Recognized,
    userId: string,
    hash: string,
    { address, browser, requestId, device: cookie }: Visit,
    isProven: (tx: InstanceWriteTx, row: store.UserRow) => Promise<boolean>,
  ): Promise<SignedIn | Refused> {
    const done = await this.#options.db.write(INSTANCE, async (tx): Promise<SignedIn | Refused> => {
      const row = await store.find(tx, userId)
      if (row?.password_hash !== hash || !(await isProven(tx, row))) return { kind: 'refused' }
      const session = await sessions.open(tx, userId, { address, browser })
      await recordOfUser(tx, userId, byUser(userId, { requestId, address }), 'user.sign_in')
      const device = this.#options.devices.remember(cookie, row, 'sign-in')
      return { kind: 'in', ...session, user: presentUser(row), device }
    })
    if (done.kind === 'in') {
      this.#passwords.clear(recognized.password)
      this.#codes.clear(recognized.code)
    }
    return done
  }

  /** Makes a ticket that names the user whose password was right, until `expires`. Its signature covers the stored password. */
  #makeTicket(userId: string, hash: string, expires: number): string {
    const signature = createHmac('sha256', this.#ticketKey).update(`${userId}\n${expires}\n${hash}`)
    return `${userId}.${expires}.${signature.digest('base64url')}`
  }
}

/** Accepts a code once. If the same code comes twice at once, only one use succeeds. */
async function claimCode(tx: InstanceWriteTx, row: store.UserRow, code: string): Promise<boolean> {
  if (row.totp_secret === null) return false
  if (!isTotpCode(code)) return (await store.claimRecoveryCode(tx, row.id, hashRecoveryCode(code))) === 1
  const step = findTotpStep(row.totp_secret, code, tx.clock())
  if (step === undefined) return false
  return (await store.claimStep(tx, row.id, row.totp_secret, step, await tx.now())) === 1
}
