import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import { momentOf } from '#product/catalog/events/when-and-where.ts'
import { type AboutEvent, readAboutOf } from '#product/selling/orders/about.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { dueOf, type Order, type OrderDetails } from '#product/selling/orders/schemas.ts'
import {
  paymentDueMail,
  paymentUnderWayMail,
  refundMail,
  returnedMail,
  unpaidMail,
} from '#product/selling/payments/kinds.ts'
import { findBank } from '#product/selling/payments/methods.ts'
import { listByOrder } from '#product/selling/payments/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import { showHowToPay } from './payment-parts.tsx'
import { encloseStatement, readStatementPart } from './statement-part.tsx'

/** What a mail is about. */
type AboutOrder = AboutEvent & { order: OrderDetails }

type More = Pick<Content, 'parts' | 'attachments'>

/**
 * Returns a kind of mail about the money of an order.
 *
 * @param isDue tells whether there is still something to say
 * @param enclose returns what stands below the text, or undefined if there is nothing to say any more
 */
function moneyMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: Order) => boolean = () => true,
  enclose: (tx: ReadTx, mail: MailToSend, of: AboutOrder) => Promise<More | undefined> = encloseStatement,
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    async example(tx, eventId, language) {
      const content = await orderExample(tx, eventId, language)
      const [order] = await orders.list(tx, { event_id: eventId }, { limit: 1 })
      if (content === undefined || order === undefined) return content
      const more = {
        amount: amountOf(order, order.amount_total, language),
        why: textsIn(language).mail.returned.late,
      }
      return { ...content, values: { ...content.values, ...more } }
    },
    async read(tx, mail, server) {
      const order = await orders.getDetails(tx, mail.subject_id as string)
      if (!isDue(order)) return undefined
      const { language } = mail
      const about = await readAboutOf(tx, order.event, language)
      const more = await enclose(tx, mail, { ...about, order })
      if (more === undefined) return undefined
      const url = orderUrl(server, order)
      const { mail: texts } = textsIn(language)
      return {
        ...{ from: about.from, replyTo: about.replyTo, ...more },
        values: {
          ...about.values,
          ...{ reference: order.reference, name: order.buyer.name, link: url, why: whyOf(mail) },
          amount: amountOf(order, sumOf(mail) ?? dueOrPaid(order), language),
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

/** Returns what is to be paid, or was paid. It excludes what was cancelled before. */
function dueOrPaid(order: OrderDetails): number {
  return order.waits_for === 'payment' ? dueOf(order) : order.amount_total
}

/** Returns the amount in minor units, if the mail states another one than the order's. */
function sumOf({ details }: MailToSend): number | undefined {
  return typeof details.amount === 'number' ? details.amount : undefined
}

function whyOf({ details, language }: MailToSend): string {
  const { returned } = textsIn(language).mail
  return returned[details.reason as keyof typeof returned] ?? ''
}

/** Returns what was ordered, and how to pay it. The page of the order says how if the buyer has to choose a method first. */
async function encloseWay(
  tx: ReadTx,
  { cause, language }: MailToSend,
  of: AboutOrder,
): Promise<More | undefined> {
  const payments = await listByOrder(tx, of.order.id)
  // The buyer has chosen another way since, which has its own mail.
  if (payments.some(({ id, ended_at }) => id === cause && ended_at !== null)) return undefined
  const open = payments.find(({ ended_at, reference }) => ended_at === null && reference !== null)
  const way = open && showHowToPay(open, await findBank(tx), language)
  const more = { saysHowToPay: way !== undefined }
  const statement = await readStatementPart(tx, of.order, of, language, more)
  return { parts: [statement, ...(way?.parts ?? [])], attachments: way?.attachments ?? [] }
}

/** Returns what was ordered, while the payment that the mail is about is under way. */
async function encloseUnderWay(tx: ReadTx, mail: MailToSend, of: AboutOrder): Promise<More | undefined> {
  const payments = await listByOrder(tx, of.order.id)
  if (payments.every(({ id, status }) => id !== mail.cause || status !== 'pending')) return undefined
  const statement = await readStatementPart(tx, of.order, of, mail.language, {
    saysHowToPay: true,
    isUnderWay: true,
  })
  return { parts: [statement] }
}

export const paymentMails: readonly MailKind[] = [
  moneyMail(paymentDueMail, ({ waits_for }) => waits_for === 'payment', encloseWay),
  moneyMail(paymentUnderWayMail, ({ waits_for }) => waits_for === 'payment', encloseUnderWay),
  moneyMail(
    unpaidMail,
    ({ failed_for }) => failed_for === 'unpaid',
    async () => ({}),
  ),
  moneyMail(returnedMail),
  moneyMail(refundMail),
]
