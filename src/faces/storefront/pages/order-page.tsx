import type { ComponentChildren } from 'preact'
import type { Problem } from '#base/problem.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Pill } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { safeLink } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import { isPrivate } from '#product/catalog/events/states.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import { withdrawableUntil } from '#product/selling/orders/withdrawal.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { When } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import type { OrderNotice } from '../order-view.ts'
import { paths } from '../paths.ts'
import { inSpeech } from '../voice.ts'
import { Contact } from './contact.tsx'
import { MailNotes } from './mail-notes.tsx'
import type { OrderProps } from './order-props.ts'
import { type Going, Onward, PaidNote, PaymentCard } from './payment.tsx'
import { ReceiptLinks } from './receipt-links.tsx'

type Ticket = Registration['attendees'][number]

const TONES = { confirmed: 'good', pending: 'warn', failed: 'bad', cancelled: 'off' } as const

/** Frames each page of an order. */
export function Frame({
  children,
  title,
  head,
  ...props
}: OrderProps & { title: string; head?: ComponentChildren; children: ComponentChildren }) {
  const { organizer, speech, voice, event } = props
  const home =
    organizer.slug === null ? undefined : { href: paths.account(organizer.slug), name: organizer.name }
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[title, event.title]}
      isOwn
      head={
        <>
          <meta name="robots" content="noindex" />
          {head}
        </>
      }
      {...(home === undefined ? {} : { home })}
    >
      <div class="narrow">{children}</div>
    </StoreDocument>
  )
}

/** The page of an order shows its state, its tickets, and what its buyer can do. */
export function OrderDocument({
  notice,
  going,
  problem,
  ...props
}: OrderProps & { notice: OrderNotice | undefined; going: Going; problem?: Problem }) {
  const { order, event, organizer, path, speech, voice, now, namesUntil } = props
  const { checkout } = voice.texts
  const title = checkout.order(order.reference)
  const stands = order.status === 'confirmed' || order.status === 'pending'
  const isMailed = order.status !== 'confirmed' || props.mail?.state !== 'none'
  const mayCancel =
    order.status === 'pending' ||
    (order.status === 'confirmed' && event.cancel_until !== null && now < Date.parse(event.cancel_until))
  // The server sends nothing more while the buyer's mail waits. A mail for other people has a button of its own.
  const mayAskForMail =
    order.status === 'confirmed' && props.mail?.state !== 'later' && unnotifiedOf(order).length === 0
  const to = (action: string) => inSpeech(speech, `${path}/${action}`)
  // The page tells below about a mail that waits for its turn, however often the buyer asks for it.
  const isUnsent = notice === 'resent' && props.mail !== undefined
  return (
    <Frame {...props} title={title} head={<Onward {...props} going={going} />}>
      {notice !== undefined && !isUnsent && (
        <Banner tone="good">
          <p role="status">{sentenceOf(notice, voice)}</p>
        </Banner>
      )}
      {problem !== undefined && (
        <Banner tone="warn">
          <p role="alert">{describeProblem(voice.texts, problem)}</p>
        </Banner>
      )}
      <header class="standing">
        <div class="row">
          <h1>{title}</h1>
          <Pill tone={TONES[order.status]}>{stateOfOrder(props)}</Pill>
        </div>
        <p class="headline">{headlineOf(props)}</p>
        {isMailed && <p class="quiet">{aboutOf(props)}</p>}
        <PaidNote {...props} />
        {stands && props.mailsWait && (
          <Banner tone="warn">
            <p>{checkout.mailsWait(order.buyer.email)}</p>
          </Banner>
        )}
        {order.status === 'confirmed' && (
          <div class="row no-print">
            <a class="button main" href={to('tickets.pdf')}>
              {checkout.pdf}
            </a>
            {event.starts_at !== null && (
              <a class="button" href={to('calendar.ics')}>
                {voice.texts.storefront.calendar}
              </a>
            )}
          </div>
        )}
      </header>
      <MailNotes {...props} />
      <PaymentCard {...props} going={going} />
      <EventFacts {...props} />
      <ReceiptLinks {...props} />
      {order.registrations.flatMap(line =>
        line.attendees.map((ticket, at) => (
          <TicketCard key={ticket.id} {...props} line={line} ticket={ticket} n={at + 1} />
        )),
      )}
      {stands && (
        <div class="end-bar no-print">
          {now < namesUntil && (
            <a class="button" href={to('names')}>
              {checkout.names}
            </a>
          )}
          {mayAskForMail && (
            <form method="post" action={to('resend')}>
              <button type="submit" class="button">
                {checkout.resend}
              </button>
            </form>
          )}
          {mayCancel && (
            <a class="button plain" href={to('cancel')}>
              {order.status === 'pending' ? checkout.withdraw : checkout.cancel}
            </a>
          )}
          {now < (withdrawableUntil(order, event) ?? now) && (
            <a class="button plain" href={to('withdraw')}>
              {checkout.contract.withdraw}
            </a>
          )}
          {organizer.slug !== null && !isPrivate(event.visibility) && (
            <a class="button plain" href={inSpeech(speech, paths.event(organizer.slug, event.slug))}>
              {checkout.toEvent}
            </a>
          )}
        </div>
      )}
      {order.terms !== null && (
        <details class="card no-print">
          <summary>{checkout.accepted}</summary>
          <Markdown text={order.terms} />
        </details>
      )}
    </Frame>
  )
}

function sentenceOf(said: OrderNotice, { texts: { checkout } }: Voice): string {
  return said === 'confirmed' || said === 'confirmedLater' ? checkout.othersWait[said] : checkout[said]
}

function headOf({ status, failed_for: reason }: OrderProps['order']) {
  return reason === null || reason === 'declined' || reason === 'undecided' ? status : reason
}

function stateOfOrder({ order, voice: { texts } }: OrderProps): string {
  return order.waits_for === 'payment' ? texts.payment.state.pending : texts.checkout.states[order.status]
}

function headlineOf({ order, voice: { texts } }: OrderProps): string {
  return order.waits_for === 'payment' ? texts.payment.state.head : texts.checkout.heads[headOf(order)]
}

function aboutOf({ order, voice }: OrderProps): string {
  const { about } = voice.texts.checkout
  if (order.waits_for === 'payment')
    return voice.texts.payment.state.about(voice.format.dateTime(order.expires_at as string))
  if (order.status === 'confirmed') return about.confirmed(order.buyer.email)
  if (order.status === 'pending') return about.pending(voice.format.dateTime(order.expires_at as string))
  return about[order.status === 'cancelled' ? 'cancelled' : (order.failed_for ?? 'cancelled')]
}

/** @param isHolder whether the visitor goes to the event, because nobody else may see the online link */
export function EventFacts({
  event,
  voice,
  order,
  isHolder = order.status === 'confirmed',
}: OrderProps & { isHolder?: boolean }) {
  const { texts, format } = voice
  const place = placesOf(event).join('\n')
  const online = event.online_url === null ? undefined : safeLink(event.online_url)
  return (
    <section class="card stack" aria-labelledby="occasion">
      <h2 id="occasion" dir="auto">
        {event.title}
      </h2>
      {event.starts_at !== null && (
        <p class="moment">
          <When
            from={Date.parse(event.starts_at)}
            until={event.ends_at === null ? null : Date.parse(event.ends_at)}
            format={format}
          />
        </p>
      )}
      {place !== '' && (
        <p class="lines">
          <bdi>{place}</bdi>
        </p>
      )}
      {online !== undefined && isHolder && (
        <p>
          {texts.checkout.online}:{' '}
          <a href={online} rel="noopener noreferrer">
            {online}
          </a>
        </p>
      )}
      <Contact address={event.contact_email} voice={voice} />
    </section>
  )
}

interface TicketProps extends OrderProps {
  line: Registration
  ticket: Ticket
  n: number
}

function TicketCard({ line, ticket, n, voice }: TicketProps) {
  const { checkout } = voice.texts
  const type = checkout.ticket(line.registration_type_name ?? '', n, line.attendees.length)
  const name = ticket.name ?? ''
  return (
    <section class="card ticket" aria-labelledby={`t-${ticket.id} of-${ticket.id}`}>
      <div class="stack">
        <h2 id={`t-${ticket.id}`} dir="auto">
          {name}
        </h2>
        <p id={`of-${ticket.id}`}>
          <bdi>{type}</bdi>
        </p>
        {ticket.seat !== null && (
          <p>
            <bdi>{ticket.seat}</bdi>
          </p>
        )}
        <p class="small quiet">{stateOf(line, ticket, voice)}</p>
      </div>
      {line.status === 'confirmed' && !ticket.voided && (
        <QrCode level="Q" text={ticket.qr_code} label={checkout.codeOf(name)} isKept />
      )}
    </section>
  )
}

function stateOf({ status }: Registration, ticket: Ticket, { texts: { checkout }, format }: Voice): string {
  if (ticket.voided) return checkout.void
  if (status === 'pending') return checkout.notYet
  if (ticket.checked_in_at !== null) return checkout.usedAt(format.dateTime(ticket.checked_in_at))
  return checkout.show
}

/** Shows one holder's ticket, without the other tickets and the money. */
export function TicketDocument({ ticketId, ...props }: OrderProps & { ticketId: string }) {
  const { order, event, voice } = props
  const line = order.registrations.find(each =>
    each.attendees.some(({ id }) => id === ticketId),
  ) as Registration
  const at = line.attendees.findIndex(({ id }) => id === ticketId)
  const ticket = line.attendees[at] as Ticket
  const title = voice.texts.checkout.ticketTitle(event.title)
  return (
    <Frame {...props} title={title}>
      <h1 dir="auto">{title}</h1>
      <TicketCard {...props} line={line} ticket={ticket} n={at + 1} />
      <EventFacts {...props} isHolder={line.status === 'confirmed' && !ticket.voided} />
    </Frame>
  )
}
