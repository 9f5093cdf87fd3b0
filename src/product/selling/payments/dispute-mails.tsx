import * as accounts from '../accounts/rules.ts'
import type { WriteTx } from '../db/port.ts'
import type { KindOfMail, MailKind } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import * as events from '../events/rules.ts'
import * as orders from '../orders/rules.ts'
import { DASHBOARD_PATH } from '../users/links.ts'
import { may } from '../users/roles.ts'
import * as users from '../users/rules.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import * as store from './dispute-store.ts'

type Status = store.DisputeRow['status']

/** Whether somebody has still to answer a dispute, or the bank to decide it. */
export function isOpen(status: Status): boolean {
  return status === 'warning' || status === 'needs_response' || status === 'under_review'
}

/** To whoever looks after payments. @param isDue whether there is still something to say */
function disputeMail(name: 'dispute_opened' | 'dispute_ended', isDue: (status: Status) => boolean): MailKind {
  return {
    ...{ name, lane: 'others', isOfEvent: false },
    placeholders: ['organizer', 'event', 'reference', 'amount', 'state', 'until'],
    async read(tx, { account_id: accountId, subject_id: orderId, details, language }, { baseUrl }) {
      const all = await store.listByOrder(tx, accountId, orderId as string)
      const dispute = all.find(({ id }) => id === details.dispute)
      if (dispute === undefined || !isDue(dispute.status)) return undefined
      const { name: organizer, email, timezone } = await accounts.get(tx, accountId)
      const { reference } = await orders.get(tx, accountId, dispute.order_id)
      const { title } = await events.getDetails(tx, accountId, dispute.event_id)
      const { mail: texts } = textsIn(language)
      const { amount, currency, status, due_by } = dispute
      const format = new Format(language, timezone)
      const isAnswered = status === 'under_review' || due_by === null
      return {
        ...{ from: organizer, replyTo: email },
        values: {
          ...{ organizer, event: title, reference, amount: format.money(amount, currency) },
          state: texts.dispute[status],
          until: isAnswered ? '' : texts.answerBy(format.dateTime(due_by)),
        },
        button: {
          label: texts.buttons.disputed,
          url: `${baseUrl}${DASHBOARD_PATH}/e/${dispute.event_id}/orders/${dispute.order_id}`,
        },
      }
    },
  }
}

const openedMail = disputeMail('dispute_opened', isOpen)
const endedMail = disputeMail('dispute_ended', status => !isOpen(status))

export const disputeMails: readonly MailKind[] = [openedMail, endedMail]

/**
 * Tells each member who looks after payments, in their own language, what a dispute has come to, once: that the bank asks, that it has
 * taken the money, that it is over.
 *
 * @param was its status as it was known; undefined for a new one
 */
export async function tellDispute(
  tx: WriteTx,
  accountId: string,
  { id, event_id: eventId, order_id: subjectId, status }: store.DisputeRow,
  was: Status | undefined,
): Promise<void> {
  const step = stepOf(status)
  if (was !== undefined && stepOf(was) === step) return
  const kind: KindOfMail = step === 'ended' ? endedMail : openedMail
  for (const { user, role, event_ids } of await users.list(tx, accountId)) {
    if (!may(role, 'refunds') || (event_ids !== null && !event_ids.includes(eventId))) continue
    const { language } = await users.getUser(tx, user.id)
    const mail = { cause: `${id} ${step}`, recipient: user.email, language, subjectId }
    await queue(tx, accountId, kind, { ...mail, details: { dispute: id } })
  }
}

function stepOf(status: Status): 'asked' | 'taken' | 'ended' {
  if (!isOpen(status)) return 'ended'
  return status === 'warning' ? 'asked' : 'taken'
}
