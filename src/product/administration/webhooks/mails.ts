import * as accounts from '../accounts/rules.ts'
import type { WriteTx } from '../db/port.ts'
import type { MailKind } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import { DASHBOARD_PATH } from '../users/links.ts'
import * as users from '../users/rules.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import * as endpointStore from './endpoint-store.ts'

/** Tells an organizer of an endpoint that has failed for a day. Of one that works again, or is gone, there is nothing to say. */
export const failingMail: MailKind = {
  name: 'webhook_failing',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'address', 'since'],
  async read(tx, { account_id, subject_id, language }, { baseUrl }) {
    const id = subject_id as string
    const endpoint = (await endpointStore.listStanding(tx, account_id)).find(each => each.id === id)
    if (endpoint === undefined || endpoint.failing_since === null) return undefined
    const { name: organizer, email, timezone } = await accounts.get(tx, account_id)
    return {
      from: organizer,
      replyTo: email,
      values: {
        organizer,
        // What follows may be a secret.
        address: new URL(endpoint.url).host,
        since: new Format(language, timezone).dateTime(endpoint.failing_since),
      },
      button: {
        label: textsIn(language).mail.buttons.webhook,
        url: `${baseUrl}${DASHBOARD_PATH}/a/${account_id}/webhooks/${id}`,
      },
    }
  },
}

/**
 * Mails the account, once for each failure, in the language of whoever signs in with its e-mail.
 *
 * @param since when the failure began, in milliseconds
 */
export async function tellFailing(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  since: number,
): Promise<void> {
  const { email: recipient } = await accounts.get(tx, accountId)
  const language = (await users.findUserByEmail(tx, recipient))?.language ?? 'en'
  const cause = `${endpointId} ${since}`
  await queue(tx, accountId, failingMail, { cause, recipient, language, subjectId: endpointId })
}
