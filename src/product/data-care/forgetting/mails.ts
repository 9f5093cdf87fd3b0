import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import * as users from '#product/administration/users/rules.ts'
import { textsIn } from '#texts/catalogue.ts'

/** The owners know of it for this long before it begins, in milliseconds. */
export const AHEAD = 7 * DAY

/** Tells owners that guests of past events will be forgotten. It says nothing if that was turned off again. */
export const forgettingMail: MailKind = {
  name: 'guests_forgotten_soon',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'event', 'days', 'date'],
  async read(tx, { account_id, details, language }, { baseUrl }) {
    const { name: organizer, email, timezone, ...settings } = await accounts.getDetails(tx)
    const { forget_after_days: days, forget_told_at: told } = settings
    if (days === null || told === null) return undefined
    const format = new Format(language, timezone)
    return {
      ...{ from: organizer, replyTo: email },
      values: {
        ...{ organizer, event: String(details.event) },
        days: format.number(days),
        date: format.date(Date.parse(told) + AHEAD),
      },
      button: {
        label: textsIn(language).mail.buttons.personalData,
        url: `${baseUrl}${DASHBOARD_PATH}/a/${account_id}/settings/personal-data`,
      },
    }
  },
}

/**
 * Queues the mail to each owner, in their own language, once, and notes that they were told.
 *
 * @param event the title of the first event whose guests will be forgotten
 */
export async function tellOwners(tx: WriteTx, event: string): Promise<void> {
  await accounts.noteForgetTold(tx)
  const cause = `forgetting ${await tx.now()}`
  for (const { user, role } of await users.list(tx)) {
    if (role !== 'owner') continue
    const { language } = await users.getUser(tx, user.id)
    await queue(tx, forgettingMail, { cause, recipient: user.email, language, details: { event } })
  }
}
