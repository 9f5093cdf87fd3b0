import type { ComponentChildren } from 'preact'
import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { RegistrationState } from '#faces/dashboard/guests/registration-status.tsx'
import { nameOfKind } from '#faces/dashboard/mailing/message-parts.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Email } from '#machinery/mail/schemas.ts'
import { ButtonLink, Facts, Head, Mail, Money, PostButton, Time } from '#machinery/web/components/parts.tsx'
import { may } from '#product/administration/users/roles.ts'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { type BuyerMailState, readMailState } from '#product/selling/orders/mail-state.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { languageNames } from '#texts/languages.ts'
import { MoneySection, type OrderMoney, RefundLink, readMoney } from './order-money.tsx'
import { invoiceFacts, OrderReceipts } from './order-receipts.tsx'
import { OrderState } from './order-state.tsx'
import { PaymentCard } from './payment-card.tsx'

/** The page shows this many mails of its order. */
const MOST_MAILS = 20

/** Reads the order that a page is about. @throws Problem not_found, also for an order of another event */
export async function readOrder(tx: ReadTx, { event, params }: EventRequest): Promise<OrderDetails> {
  const id = params.order ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const order = await orders.getDetails(tx, id.toLowerCase())
  if (order.event_id !== event.id) throw new Problem('not_found')
  return order
}

/** Shows one order: its registrations, its mails, and what can be done with it. */
export const orderPage = showPage('event', {
  path: '/e/{event}/orders/{order}',
  permission: 'guests.read',
  load: async (tx, request, services) => {
    const order = await readOrder(tx, request)
    const mails = await emails.list(tx, { subjectId: order.id }, { limit: MOST_MAILS })
    const made = await receipts.listByOrder(tx, order.id)
    const money = await readMoney(tx, order.id)
    const mailState = await readMailState(tx, order, services.clock())
    return { order, mails, made, money, mailState, url: orderUrl(services, order) }
  },
  view: ({ order, mails, made, money, mailState, url }, request) => {
    const { texts } = request.voice
    return {
      title: texts.orders.of(order.reference),
      body: (
        <>
          <Head
            title={texts.orders.of(order.reference)}
            crumbs={<a href={paths.orders(request.event.id)}>{texts.orders.title}</a>}
            pill={<OrderState order={order} texts={texts} />}
            actions={<Actions order={order} money={money} url={url} request={request} />}
          />
          <div class="two">
            <div class="stack">
              <Untold order={order} mailState={mailState} request={request} />
              <PaymentCard order={order} payments={money.payments} request={request} />
              <Lines order={order} request={request} />
              <MoneySection order={order} money={money} request={request} />
              <OrderReceipts receipts={made} request={request} />
              <Mails mails={mails} request={request} />
            </div>
            <About order={order} request={request} />
          </div>
        </>
      ),
    }
  },
})

interface OfOrder {
  order: OrderDetails
  request: EventRequest
}

function Actions({ order, money, url, request }: OfOrder & { money: OrderMoney; url: string }) {
  const { event, member, voice } = request
  const { orders: texts } = voice.texts
  const to = (action: Parameters<typeof paths.orderAction>[2]) =>
    paths.orderAction(event.id, order.id, action)
  const mayEdit = may(member.role, 'guests.edit')
  return (
    <>
      {/* A member who opens the link may do what the buyer may. */}
      {mayEdit && <ButtonLink href={url}>{texts.open}</ButtonLink>}
      {mayEdit && (
        <ButtonLink href={to('renew')} isDestructive>
          {texts.renew}
        </ButtonLink>
      )}
      {mayEdit && (order.status === 'confirmed' || order.waits_for === 'answer') && (
        <PostButton action={to('resend')}>
          {order.waits_for === 'answer' ? texts.resendOffer : texts.resend}
        </PostButton>
      )}
      <RefundLink order={order} money={money} request={request} />
      {mayEdit && order.status === 'pending' && (
        <>
          <ButtonLink href={to('decline')} isDestructive>
            {order.waits_for === 'approval' ? texts.decline : texts.cancel}
          </ButtonLink>
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

/** Shows who is not notified yet, why, and what a member may do about it. */
function Untold({ order, mailState, request }: OfOrder & { mailState: BuyerMailState }) {
  const { event, member, voice } = request
  const { orders: texts } = voice.texts
  const untold = unnotifiedOf(order)
  if (untold.length === 0 && mailState === undefined) return null
  const mayEdit = may(member.role, 'guests.edit')
  return (
    <section class="card stack" aria-labelledby="untold">
      <h2 id="untold">{texts.untold.title}</h2>
      {mailState !== undefined && (
        <p>
          {mailState.state === 'later'
            ? texts.untold.later(order.buyer.email, voice.format.dateTime(mailState.at))
            : texts.untold.none(order.buyer.email)}
          {mayEdit && order.status === 'confirmed' && ` ${texts.untold.resend}`}
        </p>
      )}
      {untold.length > 0 && (
        <>
          <p>{texts.untold.others(untold.length)}</p>
          <ul class="will">
            {untold.map(email => (
              <li key={email}>
                <Mail address={email} />
              </li>
            ))}
          </ul>
          {mayEdit && (
            <PostButton action={paths.orderAction(event.id, order.id, 'verify')}>
              {texts.untold.send(untold.length)}
            </PostButton>
          )}
        </>
      )}
    </section>
  )
}

function Lines({ order, request }: OfOrder) {
  const { event, voice } = request
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
            {order.exchangedFor.has(line.id) && <span class="small quiet">{texts.exchanges.tookPlace}</span>}
            <ExchangeLink order={order} line={line} request={request} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Leads to the exchange of the ticket of a line that has one. Those of several are exchanged on the line's page, and extras and the
 * tickets of people who are erased are not.
 */
function ExchangeLink({ line, order, request }: OfOrder & { line: OrderDetails['registrations'][number] }) {
  const { event, member, voice } = request
  const [ticket, ...others] = line.attendees
  const isExchangeable = !order.extras.has(line.id) && line.buyer.email !== ERASED_EMAIL
  const isGood = isExchangeable && line.status === 'confirmed' && order.event.status !== 'cancelled'
  if (ticket === undefined || others.length > 0 || !isGood || ticket.voided || ticket.checked_in) return null
  if (!may(member.role, 'guests.edit')) return null
  return (
    <a
      class="button"
      href={paths.exchangeTicket(event.id, { registration: line.id, ticket: ticket.id })}
      aria-label={voice.texts.exchanges.openOf(ticket.name ?? order.buyer.name)}
    >
      {voice.texts.exchanges.open}
    </a>
  )
}

function Mails({ mails, request: { voice } }: { mails: readonly Email[]; request: EventRequest }) {
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
              {nameOfKind(mail.kind, texts)}
              <div class="small">
                <Mail address={mail.recipient} />
              </div>
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

function About({ order, request: { voice } }: OfOrder) {
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

/** Returns the number of tickets that an order waits with. */
export const countOf = ({ registrations }: OrderDetails) =>
  registrations
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { attendees }) => sum + attendees.filter(({ voided }) => !voided).length, 0)
