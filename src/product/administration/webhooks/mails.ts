import type { WriteTx } from '#machinery/db/port.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import * as users from '#product/administration/users/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import * as endpointStore from './endpoint-store.ts'

/** Tells an organizer about an endpoint that has failed for a day. It says nothing if the endpoint works again or is gone. */
export const failingMail: MailKind = {
  name: 'webhook_failing',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'address', 'since'],
  async read(tx, { account_id, subject_id, language }, { baseUrl }) {
    const id = subject_id as string
    const endpoint = (await endpointStore.listStanding(tx)).find(each => each.id === id)
    if (endpoint === undefined || endpoint.failing_since === null) return undefined
    const { name: organizer, email, timezone } = await accounts.get(tx)
    return {
      from: organizer,
      replyTo: email,
      values: {
        organizer,
        // The part after the host may be a secret.
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
 * Mails the account once for each failure. The language is that of the user who signs in with its e-mail.
 *
 * @param since when the failure began, in milliseconds
 */
export async function queueFailing(tx: WriteTx, endpointId: string, since: number): Promise<void> {
  const { email: recipient } = await accounts.get(tx)
  const language = (await users.findUserByEmail(tx, recipient))?.language ?? 'en'
  const cause = `${endpointId} ${since}`
  await queue(tx, failingMail, { cause, recipient, language, subjectId: endpointId })
}
