import type { ComponentChildren } from 'preact'
import type { ReadTx } from '../../db/port.ts'
import * as emails from '../../emails/rules.ts'
import type { Email } from '../../emails/schemas.ts'
import { isUuid } from '../../ids.ts'
import { orderUrl } from '../../orders/mails.tsx'
import * as orders from '../../orders/rules.ts'
import type { OrderDetails } from '../../orders/schemas.ts'
import { Problem } from '../../problem.ts'
import * as receipts from '../../receipts/rules.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Facts, Head, Mail, Money, PostButton, Time } from '../../web/components/parts.tsx'
import { languageNames } from '../../web/texts/languages.ts'
import type { OfEvent } from '../asked.ts'
import { invoiceFacts, OrderReceipts } from '../order-receipts.tsx'
import { OrderState } from '../order-state.tsx'
import { paths } from '../paths.ts'
import { RegistrationState } from '../registration-status.tsx'
import { showPage } from '../show.tsx'
import { MoneySection, type OrderMoney, RefundLink, readMoney } from './order-money.tsx'
import { PaymentCard } from './payment-card.tsx'

/** Mails of one order that its page shows. */
const MOST_MAILS = 20

/** The order that a page is about. @throws Problem not_found, also for one of another event */
export async function readOrder(tx: ReadTx, { account, event, params }: OfEvent): Promise<OrderDetails> {
  const id = params.order ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const order = await orders.getDetails(tx, account.id, id.toLowerCase())
  if (order.event_id !== event.id) throw new Problem('not_found')
  return order
}

/** One order: its registrations, its mails, and what can be done with it. */
export const orderPage = showPage('event', {
  path: '/e/{event}/orders/{order}',
  permission: 'guests.read',
  load: async (tx, asked, services) => {
    const order = await readOrder(tx, asked)
    const { account } = asked
    const mails = await emails.list(tx, account.id, { subjectId: order.id }, { limit: MOST_MAILS })
    const made = await receipts.listByOrder(tx, account.id, order.id)
    const money = await readMoney(tx, account.id, order.id)
    return { order, mails, made, money, url: orderUrl(services, order) }
  },
  view: ({ order, mails, made, money, url }, asked) => {
    const { texts } = asked.voice
    return {
      title: texts.orders.of(order.reference),
      body: (
        <>
          <Head
            title={texts.orders.of(order.reference)}
            crumbs={<a href={paths.orders(asked.event.id)}>{texts.orders.title}</a>}
            pill={<OrderState order={order} texts={texts} />}
            actions={<Actions order={order} money={money} url={url} asked={asked} />}
          />
          <div class="two">
            <div class="stack">
              <PaymentCard order={order} payments={money.payments} asked={asked} />
              <Lines order={order} asked={asked} />
              <MoneySection order={order} money={money} asked={asked} />
              <OrderReceipts receipts={made} asked={asked} />
              <Mails mails={mails} asked={asked} />
            </div>
            <About order={order} asked={asked} />
          </div>
        </>
      ),
    }
  },
})

interface OfOrder {
  order: OrderDetails
  asked: OfEvent
}

function Actions({ order, money, url, asked }: OfOrder & { money: OrderMoney; url: string }) {
  const { event, member, voice } = asked
  const { orders: texts } = voice.texts
  const to = (action: Parameters<typeof paths.orderAction>[2]) =>
    paths.orderAction(event.id, order.id, action)
  const mayEdit = may(member.role, 'guests.edit')
  return (
    <>
      {/* Whoever opens it may do what the buyer may. */}
      {mayEdit && <ButtonLink href={url}>{texts.open}</ButtonLink>}
      {mayEdit && <ButtonLink href={to('renew')}>{texts.renew}</ButtonLink>}
      {mayEdit && (order.status === 'confirmed' || order.waits_for === 'answer') && (
        <PostButton action={to('resend')}>
          {order.waits_for === 'answer' ? texts.resendOffer : texts.resend}
        </PostButton>
      )}
      <RefundLink order={order} money={money} asked={asked} />
      {mayEdit && order.status === 'pending' && (
        <>
          <ButtonLink href={to('decline')}>{texts.decline}</ButtonLink>
          {order.waits_for === 'approval' && (
            <ButtonLink href={to('approve')} main>
              {texts.approve}
            </ButtonLink>
          )}
        </>
      )}
    </>
  )
}

function Lines({ order, asked: { event, voice } }: OfOrder) {
  const { texts } = voice
  return (
    <section class="card" aria-labelledby="lines">
      <h2 id="lines">{texts.orders.lines}</h2>
      <ul class="stack">
        {order.registrations.map(line => (
          <li key={line.id} class="row">
            <a href={paths.guest(event.id, line.id)}>
              <bdi>{texts.guests.ofType(line.quantity, line.registration_type_name ?? '')}</bdi>
            </a>
            <RegistrationState status={line.status} texts={texts} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Mails({ mails, asked: { voice } }: { mails: readonly Email[]; asked: OfEvent }) {
  const { texts, format } = voice
  return (
    <section class="card" aria-labelledby="mails">
      <h2 id="mails">{texts.orders.mails}</h2>
      {mails.length === 0 ? (
        <p class="quiet">{texts.orders.noMails}</p>
      ) : (
        <ul class="stack">
          {mails.map(mail => (
            <li key={mail.id}>
              <Mail address={mail.recipient} />
              <div class="small quiet">
                {texts.orders.mailStates[mail.status]},{' '}
                <Time at={mail.sent_at ?? mail.created_at} format={format} />
              </div>
              {mail.status !== 'sent' && mail.answer !== null && (
                <div class="small">
                  <bdi>{mail.answer}</bdi>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function About({ order, asked: { voice } }: OfOrder) {
  const { texts, format } = voice
  const facts: [string, ComponentChildren][] = [
    [texts.orders.buyer, <bdi key="name">{order.buyer.name}</bdi>],
    [texts.guests.email, <Mail key="mail" address={order.buyer.email} />],
    [texts.orders.at, <Time key="at" at={order.created_at} format={format} />],
    [
      texts.orders.total,
      order.amount_total === 0 ? (
        texts.orders.free
      ) : (
        <Money key="total" amount={order.amount_total} currency={order.currency} format={format} />
      ),
    ],
    [texts.orders.language, languageNames[order.language]],
  ]
  facts.push(...invoiceFacts(order, texts))
  if (order.expires_at !== null)
    facts.push([texts.orders.expires, <Time key="until" at={order.expires_at} format={format} />])
  if (order.failed_for !== null) facts.push([texts.orders.state, texts.orders.failedFor[order.failed_for]])
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{texts.orders.facts}</h2>
      <Facts facts={facts} />
    </section>
  )
}

/** Tickets that an order waits with. */
export const countOf = ({ registrations }: OrderDetails) =>
  registrations
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { attendees }) => sum + attendees.filter(({ voided }) => !voided).length, 0)
