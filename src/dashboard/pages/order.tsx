import type { ComponentChildren } from 'preact'
import type { ReadTx, WriteTx } from '../../db/port.ts'
import * as emails from '../../emails/rules.ts'
import type { Email } from '../../emails/schemas.ts'
import { isUuid } from '../../ids.ts'
import { orderUrl } from '../../orders/mails.tsx'
import * as orders from '../../orders/rules.ts'
import type { Order, OrderDetails } from '../../orders/schemas.ts'
import { tellAgain } from '../../orders/telling.ts'
import { Problem } from '../../problem.ts'
import { may } from '../../users/roles.ts'
import { ButtonLink, Facts, Head, Mail, Money, PostButton, Time } from '../../web/components/parts.tsx'
import { type Flash, flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { languageNames } from '../../web/texts/languages.ts'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { OrderState } from '../order-state.tsx'
import { paths } from '../paths.ts'
import { RegistrationState } from '../registration-status.tsx'
import { showPage } from '../show.tsx'
import { MoneySection, type OrderMoney, RefundLink, readMoney } from './order-money.tsx'

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
    const money = await readMoney(tx, account.id, order.id)
    return { order, mails, money, url: orderUrl(services, order) }
  },
  view: ({ order, mails, money, url }, asked) => {
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
              <Lines order={order} asked={asked} />
              <MoneySection order={order} money={money} asked={asked} />
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

interface Question {
  what: 'approve' | 'decline' | 'renew'
  /** As the access log calls it. */
  logged: string
  title: (order: OrderDetails, texts: Texts['orders']) => string
  submit: (texts: Texts['orders']) => string
  will: (order: OrderDetails, texts: Texts['orders']) => string[]
  isDanger?: boolean
  act: (tx: WriteTx, accountId: string, id: string) => Promise<Order>
  told: (order: Order) => Flash
}

/** Asks first, as it sends a mail or ends links. */
function orderQuestion({ what, logged, title, submit, will, isDanger, act, told }: Question) {
  return formPage('event', {
    path: `/e/{event}/orders/{order}/${what}`,
    permission: 'guests.edit',
    load: (tx, asked) => readOrder(tx, asked),
    fields: () => ({}),
    seen: ({ status, secret_version }) => `${status} ${secret_version}`,
    view: (order, { event, voice }, state) => {
      const { texts } = voice
      const heading = title(order, texts.orders)
      const back = paths.order(event.id, order.id)
      return {
        title: heading,
        body: (
          <>
            <Head
              title={<bdi>{heading}</bdi>}
              crumbs={<a href={back}>{texts.orders.of(order.reference)}</a>}
            />
            <div class="card">
              <Form
                state={state}
                texts={texts}
                action={paths.orderAction(event.id, order.id, what)}
                submit={submit(texts.orders)}
                leave={back}
                isDanger={isDanger ?? false}
              >
                <ul class="will">
                  {will(order, texts.orders).map(sentence => (
                    <li key={sentence}>
                      <bdi>{sentence}</bdi>
                    </li>
                  ))}
                </ul>
              </Form>
            </div>
          </>
        ),
      }
    },
    act: (tx, { account }, { loaded }) => act(tx, account.id, loaded.id),
    entry: ({ params }) => ({ action: logged, targetType: 'order', targetId: params.order }),
    next: (order, { event }) => ({ path: paths.order(event.id, order.id), flash: told(order) }),
  })
}

const countOf = ({ registrations }: OrderDetails) =>
  registrations
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { attendees }) => sum + attendees.filter(({ voided }) => !voided).length, 0)

export const approveOrder = orderQuestion({
  what: 'approve',
  logged: 'order.approve',
  title: ({ buyer }, texts) => texts.approveTitle(buyer.name),
  submit: texts => texts.approveSubmit,
  will: (order, { will }) => [will.confirmed(countOf(order)), will.mailed(order.buyer.email)],
  act: orders.approve,
  told: ({ reference }) => flash('orderApproved', { reference }),
})

export const declineOrder = orderQuestion({
  what: 'decline',
  logged: 'order.decline',
  title: ({ buyer }, texts) => texts.declineTitle(buyer.name),
  submit: texts => texts.declineSubmit,
  will: (order, { will }) => [will.freed(countOf(order)), will.mailed(order.buyer.email)],
  isDanger: true,
  act: (tx, accountId, id) => orders.fail(tx, accountId, id, 'declined'),
  told: ({ reference }) => flash('orderDeclined', { reference }),
})

export const renewOrderLinks = orderQuestion({
  what: 'renew',
  logged: 'order.renew_links',
  title: (_, texts) => texts.renewTitle,
  submit: texts => texts.renewSubmit,
  will: (_, { will }) => [will.links, will.send],
  isDanger: true,
  act: orders.renewLinks,
  told: () => flash('linksRenewed', {}),
})

/** Sends the buyer all that was sent at the confirmation once more, or what is offered. */
export const resendOrder = button('event', {
  path: '/e/{event}/orders/{order}/resend',
  permission: 'guests.edit',
  act: async (tx, asked) => {
    const order = await readOrder(tx, asked)
    if (order.status !== 'confirmed' && order.waits_for !== 'answer') throw new Problem('order_ended')
    await tellAgain(tx, asked.account.id, order)
    return order
  },
  entry: ({ params }) => ({ action: 'order.resend', targetType: 'order', targetId: params.order }),
  next: ({ id, waits_for }, { event }) => ({
    path: paths.order(event.id, id),
    flash: flash(waits_for === 'answer' ? 'offerResent' : 'orderResent', {}),
  }),
  back: ({ event, params }) => paths.order(event.id, params.order ?? ''),
})
