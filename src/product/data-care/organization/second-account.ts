import * as accounts from '../accounts/store.ts'
import type { ReadTx } from '../db/port.ts'
import * as events from '../events/store.ts'
import { emailKey } from '../fields.ts'
import type { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'

/**
 * Finds whether a file is one whose e-mail no account has, where another has an event of the file: more likely the e-mail was changed, or
 * written wrong, than that there are two organizers of it, and what is brought in twice is not easily taken apart.
 */
export async function findSecondAccount(
  tx: ReadTx,
  file: Organization,
  refusals: Refusals,
): Promise<boolean> {
  const { email } = file.account
  if ((await accounts.findByEmailKey(tx, emailKey(email))) !== undefined) return false
  for (const other of await accounts.list(tx)) {
    for (const { slug } of file.events) {
      if ((await events.findBySlug(tx, other.id, slug)) === undefined) continue
      refusals.add(
        'account.email',
        `is of no account, and ${other.email} has the event ${slug}: this would make a second organizer. Take that e-mail, change it with "turnout account update", or add --new-account`,
      )
      return true
    }
  }
  return false
}
