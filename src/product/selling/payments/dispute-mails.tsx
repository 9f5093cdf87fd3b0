import type { WriteTx } from '#machinery/db/port.ts'
import type { KindOfMail, MailKind } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import { may } from '#product/administration/users/roles.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import * as store from './dispute-store.ts'

type Status = store.DisputeRow['status']

/** Tells whether a dispute still needs an answer from somebody, or a decision by the bank. */
export function isOpen(status: Status): boolean {
  return status === 'warning' || status === 'needs_response' || status === 'under_review'
}

/** Returns a kind of mail to the members who look after payments. @param isDue tells whether there is still something to say */
function disputeMail(name: 'dispute_opened' | 'dispute_ended', isDue: (status: Status) => boolean): MailKind {
  return {
    ...{ name, lane: 'others', isOfEvent: false },
    placeholders: ['organizer', 'event', 'reference', 'amount', 'state', 'until'],
    async read(tx, { subject_id: orderId, details, language }, { baseUrl }) {
      const all = await store.listByOrder(tx, orderId as string)
      const dispute = all.find(({ id }) => id === details.dispute)
      if (dispute === undefined || !isDue(dispute.status)) return undefined
      const { name: organizer, email, timezone } = await accounts.get(tx)
      const { reference } = await orders.get(tx, dispute.order_id)
      const { title } = await events.getDetails(tx, dispute.event_id)
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
 * Queues a mail to each member who looks after payments, in their own language, once for each step of a dispute: the bank asks,
 * it has taken the money, it is over.
 *
 * @param was the status that was known before; undefined for a new dispute
 */
export async function queueDispute(
  tx: WriteTx,
  { id, event_id: eventId, order_id: subjectId, status }: store.DisputeRow,
  was: Status | undefined,
): Promise<void> {
  const step = stepOf(status)
  if (was !== undefined && stepOf(was) === step) return
  const kind: KindOfMail = step === 'ended' ? endedMail : openedMail
  for (const { user, role, event_ids } of await users.list(tx)) {
    if (!may(role, 'refunds') || (event_ids !== null && !event_ids.includes(eventId))) continue
    const { language } = await users.getUser(tx, user.id)
    const mail = { cause: `${id} ${step}`, recipient: user.email, language, subjectId }
    await queue(tx, kind, { ...mail, details: { dispute: id } })
  }
}

function stepOf(status: Status): 'asked' | 'taken' | 'ended' {
  if (!isOpen(status)) return 'ended'
  return status === 'warning' ? 'asked' : 'taken'
}
