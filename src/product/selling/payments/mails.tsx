import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend } from '../emails/kind.ts'
import { momentOf, readAbout } from '../orders/about.ts'
import { orderExample } from '../orders/example.ts'
import { orderUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { paymentDueMail, refundMail, returnedMail, unpaidMail } from './kinds.ts'
import { showWayToPay } from './payment-parts.tsx'
import { listByOrder } from './rules.ts'
import { findBank } from './ways.ts'

type More = Pick<Content, 'parts' | 'attachments'>

/**
 * What a mail about the money of an order tells.
 *
 * @param isDue whether there is still something to say
 * @param enclose what stands below the text; undefined where there is nothing to say any more
 */
function moneyMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: Order) => boolean = () => true,
  enclose: (tx: ReadTx, mail: MailToSend) => Promise<More | undefined> = async () => ({}),
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    async example(tx, accountId, eventId, language) {
      const content = await orderExample(tx, accountId, eventId, language)
      const [order] = await orders.list(tx, accountId, { event_id: eventId }, { limit: 1 })
      if (content === undefined || order === undefined) return content
      const more = {
        amount: amountOf(order, order.amount_total, language),
        why: textsIn(language).mail.returned.late,
      }
      return { ...content, values: { ...content.values, ...more } }
    },
    async read(tx, mail, server) {
      const order = await orders.get(tx, mail.account_id, mail.subject_id as string)
      if (!isDue(order)) return undefined
      const more = await enclose(tx, mail)
      if (more === undefined) return undefined
      const { language } = mail
      const about = await readAbout(tx, mail.account_id, order.event_id, language)
      const url = orderUrl(server, order)
      const { mail: texts } = textsIn(language)
      return {
        ...{ from: about.from, replyTo: about.replyTo, ...more },
        values: {
          ...about.values,
          ...{ reference: order.reference, name: order.buyer.name, link: url, why: whyOf(mail) },
          amount: amountOf(order, sumOf(mail) ?? (await askedOf(tx, order)), language),
          until: momentOf(about.event, order.expires_at, language),
        },
        button: { label: texts.buttons.order, url },
        secrets: [url],
      }
    },
  }
}

function amountOf({ currency }: Order, amount: number, language: MailToSend['language']): string {
  return new Format(language, 'UTC').money(amount, currency)
}

/** What is to be paid, or was: what was cancelled before is not. */
async function askedOf(tx: ReadTx, { id, account_id, waits_for, amount_total }: Order): Promise<number> {
  return waits_for === 'payment' ? orders.dueOf(tx, account_id, id) : amount_total
}

/** Minor units, where the mail says another amount than the order's. */
function sumOf({ details }: MailToSend): number | undefined {
  return typeof details.amount === 'number' ? details.amount : undefined
}

function whyOf({ details, language }: MailToSend): string {
  const { returned } = textsIn(language).mail
  return returned[details.reason as keyof typeof returned] ?? ''
}

/** How to pay: nothing, where the buyer has to choose that first. */
async function encloseWay(
  tx: ReadTx,
  { account_id: accountId, subject_id: orderId, cause, language }: MailToSend,
): Promise<More | undefined> {
  const payments = await listByOrder(tx, accountId, orderId as string)
  // Another way was chosen since, which has a mail of its own.
  if (payments.some(({ id, ended_at }) => id === cause && ended_at !== null)) return undefined
  const open = payments.find(({ ended_at, reference }) => ended_at === null && reference !== null)
  return open === undefined ? {} : showWayToPay(open, await findBank(tx, accountId), language)
}

export const paymentMails: readonly MailKind[] = [
  moneyMail(paymentDueMail, ({ waits_for }) => waits_for === 'payment', encloseWay),
  moneyMail(unpaidMail, ({ failed_for }) => failed_for === 'unpaid'),
  moneyMail(returnedMail),
  moneyMail(refundMail),
]
