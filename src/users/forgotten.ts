import { type Database, INSTANCE } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import type { Clock } from '../time.ts'
import * as links from './links.ts'
import { tellReset } from './mails.ts'
import { byUser, recordOfUser } from './record.ts'
import * as rules from './rules.ts'
import { Tries } from './tries.ts'

interface ForgottenOptions {
  db: Pick<Database, 'write'>
  clock: Clock
  /** What tries are counted by: an address itself, or of IPv6 its /64. */
  addressGroup: (address: string) => string
}

/** Mails a link for a new password to whoever has forgotten theirs: as often as somebody may try to sign in. */
export class Forgotten {
  readonly #db: ForgottenOptions['db']
  readonly #addressGroup: ForgottenOptions['addressGroup']
  readonly #ofAddresses: Tries
  readonly #ofEmails: Tries

  constructor({ db, clock, addressGroup }: ForgottenOptions) {
    this.#db = db
    this.#addressGroup = addressGroup
    this.#ofAddresses = new Tries(clock)
    this.#ofEmails = new Tries(clock)
  }

  /**
   * The answer is the same whether or not anybody has the e-mail, and comes after one write. A link voids those before it; the
   * second factor stays.
   *
   * @returns the seconds until one may ask again, where it was too often
   */
  async ask(email: string, by: { address: string; requestId: string | null }): Promise<number | undefined> {
    const group = this.#addressGroup(by.address)
    const ofAddress = this.#ofAddresses.take(group)
    if (ofAddress !== undefined) return ofAddress
    const ofEmail = this.#ofEmails.take(emailKey(email))
    if (ofEmail !== undefined) {
      this.#ofAddresses.giveBack(group)
      return ofEmail
    }
    await this.#db.write(INSTANCE, async tx => {
      // Also where nobody has it: what is written is waited for.
      await tx.now()
      const user = await rules.findUserByEmail(tx, email)
      const [first] = user === undefined ? [] : await rules.listMemberships(tx, user.id)
      if (user === undefined || first === undefined) return
      await recordOfUser(tx, user.id, byUser(user.id, by), 'user.reset_mail')
      const link = await links.makeReset(tx, user.id)
      await tellReset(tx, first.account.id, user, link)
    })
    return undefined
  }
}
