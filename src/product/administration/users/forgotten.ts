import { emailKey } from '#base/fields.ts'
import { type Clock, MINUTE } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { KnownDevices } from './known-device.ts'
import * as links from './links.ts'
import { queueReset } from './mails.ts'
import { type Claim, recognize } from './recognition.ts'
import { byUser, recordOfUser } from './record.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'
import { AddressTries, giveBackAll, type Places, Tries, takeAll } from './tries.ts'

/** How long strangers can have only one mail sent to a person, in milliseconds. The link in that mail works for an hour. */
const ONE_MAIL = 10 * MINUTE

interface ForgottenOptions {
  db: Pick<Database, 'read' | 'write'>
  clock: Clock
  devices: KnownDevices
  places: Places
}

/** Mails a link for a new password to people who have forgotten theirs. */
export class Forgotten {
  readonly #options: ForgottenOptions
  readonly #ofAddresses: AddressTries
  /** Counts mails by the id of the person, so that made-up e-mails do not displace these counts. */
  readonly #ofStrangers: Tries
  readonly #ofRecognized: Tries

  constructor(options: ForgottenOptions) {
    const { clock } = options
    this.#options = options
    this.#ofAddresses = new AddressTries(options)
    this.#ofStrangers = new Tries(clock, { span: ONE_MAIL, most: 1 })
    this.#ofRecognized = new Tries(clock)
  }

  /**
   * Mails a link. The answer is the same whether or not the e-mail belongs to anybody, and comes after one read and one write. A
   * mailbox gets one mail in ten minutes from all strangers together, whose link stays valid because asking again voids none. So
   * nobody can flood a mailbox, and nobody can keep a person out by asking in their name.
   *
   * @returns the seconds to wait, if this address has asked too often
   */
  async ask(email: string, by: Claim & { requestId: string | null }): Promise<number | undefined> {
    const { db } = this.#options
    const key = emailKey(email)
    const { user, recognized } = await db.read(INSTANCE, async tx => {
      const user = await store.findByEmailKey(tx, key)
      return { user, recognized: await recognize(tx, this.#options, by, { key, user }) }
    })
    const retryAfter = recognized.isStranger ? takeAll(this.#ofAddresses.of(by.address)) : undefined
    if (retryAfter !== undefined) return retryAfter
    const counted = recognized.isStranger
      ? ([this.#ofStrangers, user?.id ?? ''] as const)
      : ([this.#ofRecognized, recognized.password] as const)
    const isMailed = user !== undefined && takeAll([counted]) === undefined
    try {
      await db.write(INSTANCE, async tx => {
        // This writes even if nothing is mailed, because the time of the answer includes the write.
        await tx.now()
        const found = isMailed ? await rules.findUserByEmail(tx, email) : undefined
        const [first] = found === undefined ? [] : await rules.listMemberships(tx, found.id)
        if (found === undefined || first === undefined) return
        await recordOfUser(tx, found.id, byUser(found.id, by), 'user.reset_mail')
        const link = await links.makeRequestedReset(tx, found.id)
        await queueReset(tx.of(first.account.id), found, link)
      })
    } catch (error) {
      // No mail was sent, so the next one who asks must not wait because of it.
      if (isMailed) giveBackAll([counted])
      throw error
    }
    return undefined
  }
}
