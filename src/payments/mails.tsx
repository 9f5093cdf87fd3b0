import type { MailKind, MailToSend } from '../emails/kind.ts'
import { momentOf, readAbout } from '../orders/about.ts'
import { orderExample } from '../orders/example.ts'
import { orderUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { paymentDueMail, refundMail, returnedMail, unpaidMail } from './kinds.ts'

/** What a mail about the money of an order tells. @param isDue whether there is still something to say */
function moneyMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: Order) => boolean = () => true,
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
      const { language } = mail
      const about = await readAbout(tx, mail.account_id, order.event_id, language)
      const url = orderUrl(server, order)
      const { mail: texts } = textsIn(language)
      return {
        ...{ from: about.from, replyTo: about.replyTo },
        values: {
          ...about.values,
          ...{ reference: order.reference, name: order.buyer.name, link: url, why: whyOf(mail) },
          amount: amountOf(order, sumOf(mail) ?? order.amount_total, language),
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

/** Minor units, where the mail says another amount than the order's. */
function sumOf({ details }: MailToSend): number | undefined {
  return typeof details.amount === 'number' ? details.amount : undefined
}

function whyOf({ details, language }: MailToSend): string {
  const { returned } = textsIn(language).mail
  return returned[details.reason as keyof typeof returned] ?? ''
}

export const paymentMails: readonly MailKind[] = [
  moneyMail(paymentDueMail, ({ waits_for }) => waits_for === 'payment'),
  moneyMail(unpaidMail, ({ failed_for }) => failed_for === 'unpaid'),
  moneyMail(returnedMail),
  moneyMail(refundMail),
]
