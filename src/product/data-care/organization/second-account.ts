import { emailKey } from '#base/fields.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/store.ts'
import * as events from '#product/catalog/events/store.ts'
import type { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'

/**
 * Finds whether no account has the e-mail of the file although another account has one of its events. The e-mail was then more
 * likely changed or mistyped than that the event has two organizers. Data that is imported twice is hard to separate.
 */
export async function findSecondAccount(
  tx: InstanceReadTx,
  file: Organization,
  refusals: Refusals,
): Promise<boolean> {
  const { email } = file.account
  if ((await accounts.findByEmailKey(tx, emailKey(email))) !== undefined) return false
  for (const other of await accounts.list(tx)) {
    for (const { slug } of file.events) {
      if ((await events.findBySlug(tx.of(other.id), slug)) === undefined) continue
      refusals.add(
        'account.email',
        `is of no account, and ${other.email} has the event ${slug}: this would make a second organizer. Take that e-mail, change it with "turnout account update", or add --new-account`,
      )
      return true
    }
  }
  return false
}
