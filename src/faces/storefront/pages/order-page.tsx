import type { ComponentChildren } from 'preact'
import type { Problem } from '#base/problem.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Pill } from '#machinery/web/components/parts.tsx'
import { safeLink } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import { isPrivate } from '#product/catalog/events/states.ts'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import { hasTicket } from '#product/selling/orders/schemas.ts'
import { withdrawableUntil } from '#product/selling/orders/withdrawal.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { CalendarLinks } from '../calendar-links.tsx'
import { When } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import type { OrderNotice } from '../order-view.ts'
import { paths } from '../paths.ts'
import { inSpeech } from '../voice.ts'
import { Contact } from './contact.tsx'
import { isOff, OffNote } from './event-off.tsx'
import { MailNotes } from './mail-notes.tsx'
import type { OrderProps } from './order-props.ts'
import { OrderTickets } from './order-tickets.tsx'
import { type Going, Onward, PaidNote, PaymentCard } from './payment.tsx'
import { ReceiptLinks } from './receipt-links.tsx'

const TONES = { confirmed: 'good', pending: 'warn', failed: 'bad', cancelled: 'off' } as const

interface FrameProps extends Pick<OrderProps, 'event' | 'speech' | 'voice'> {
  organizer: Omit<OrderProps['organizer'], 'origins'>
  title: string
  /** The path of this page, for its link to the other language. */
  here: string
  isRefused?: boolean
  head?: ComponentChildren
  children: ComponentChildren
}

/** Frames each page of an order or a ticket. */
export function Frame({ children, title, here, isRefused = false, head, ...props }: FrameProps) {
  const { organizer, speech, voice, event } = props
  const { slug } = organizer
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[title, event.title]}
      path={here}
      isOwn
      isRefused={isRefused}
      head={
        <>
          <meta name="robots" content="noindex" />
          {head}
        </>
      }
      {...(slug === null ? {} : { home: { ...organizer, slug } })}
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
  const isCancelled = isOff(event)
  // The server sends nothing more while the buyer's mail waits. A mail for other people has a button of its own.
  const mayAskForMail =
    order.status === 'confirmed' &&
    !isCancelled &&
    props.mail?.state !== 'later' &&
    unnotifiedOf(order).length === 0
  const to = (action: string) => inSpeech(speech, `${path}/${action}`)
  // The page tells below about a mail that waits for its turn, however often the buyer asks for it.
  const isUnsent = notice === 'resent' && props.mail !== undefined
  // Nothing goes out about tickets of a cancelled event, whatever an old page has asked for.
  const shown = isUnsent || (isCancelled && notice !== 'saved') ? undefined : notice
  return (
    <Frame
      {...props}
      title={title}
      here={path}
      isRefused={problem !== undefined}
      head={!isCancelled && <Onward {...props} going={going} />}
    >
      {shown !== undefined && (
        <Banner tone="good">
          <p role="status">{sentenceOf(shown, voice)}</p>
        </Banner>
      )}
      {problem !== undefined && (
        <Banner tone="warn">
          <p role="alert">{describeProblem(voice.texts, problem)}</p>
        </Banner>
      )}
      <Standing {...props} />
      {!isCancelled && (
        <>
          <MailNotes {...props} />
          <PaymentCard {...props} going={going} />
        </>
      )}
      <EventFacts {...props} isHolder={order.status === 'confirmed' && hasTicket(order) && !isCancelled} />
      <ReceiptLinks {...props} />
      <OrderTickets {...props} />
      {stands && (
        <div class="end-bar no-print">
          {now < namesUntil && hasTicket(order) && !isCancelled && (
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
          {mayCancel(props) && (
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

/** Says how an order stands, and leads to its files. */
function Standing(props: OrderProps) {
  const { order, event, path, speech, voice } = props
  const { checkout } = voice.texts
  const stands = order.status === 'confirmed' || order.status === 'pending'
  const isMailed = order.status !== 'confirmed' || props.mail?.state !== 'none'
  const isCancelled = isOff(event)
  const to = (file: string) => inSpeech(speech, `${path}/${file}`)
  return (
    <header class="standing">
      <div class="row">
        <h1>{checkout.order(order.reference)}</h1>
        <Pill tone={isCancelled ? 'bad' : TONES[order.status]}>
          {isCancelled ? checkout.off.state : stateOfOrder(props)}
        </Pill>
      </div>
      <p class="headline">{isCancelled ? checkout.off.title : headlineOf(props)}</p>
      {isCancelled && stands ? <OffNote {...props} /> : isMailed && <p class="quiet">{aboutOf(props)}</p>}
      <PaidNote {...props} />
      {stands && !isCancelled && props.mailsWait && (
        <Banner tone="warn">
          <p>{checkout.mailsWait(order.buyer.email)}</p>
        </Banner>
      )}
      {order.status === 'confirmed' && !isCancelled && (
        <div class="row no-print">
          <a class="button main" href={to('tickets.pdf')}>
            {checkout.pdf}
          </a>
          {event.starts_at !== null && hasTicket(order) && (
            <a class="button" href={to('calendar.ics')}>
              {voice.texts.storefront.calendar}
            </a>
          )}
        </div>
      )}
    </header>
  )
}

/** Returns whether the buyer may give the order up. With a cancelled event they may get back less than the organizer refunds. */
function mayCancel({ order, event, now }: OrderProps): boolean {
  if (order.status === 'pending') return true
  const isOpen = event.cancel_until !== null && now < Date.parse(event.cancel_until)
  return order.status === 'confirmed' && !isOff(event) && isOpen
}

function sentenceOf(notice: OrderNotice, { texts: { checkout, exchanges } }: Voice): string {
  if (notice === 'given' || notice === 'givenLater') return exchanges[notice]
  return notice === 'confirmed' || notice === 'confirmedLater'
    ? checkout.othersWait[notice]
    : checkout[notice]
}

function headOf({ status, failed_for: reason }: OrderProps['order']) {
  return reason === null || reason === 'declined' || reason === 'undecided' ? status : reason
}

function stateOfOrder({ order, voice: { texts } }: OrderProps): string {
  return order.waits_for === 'payment' ? texts.payment.state.pending : texts.checkout.states[order.status]
}

function headlineOf({ order, voice: { texts } }: OrderProps): string {
  if (order.status === 'confirmed' && !hasTicket(order)) return texts.checkout.extrasOnly.head
  return order.waits_for === 'payment' ? texts.payment.state.head : texts.checkout.heads[headOf(order)]
}

function aboutOf(props: OrderProps): string {
  const { order, voice } = props
  const { about } = voice.texts.checkout
  if (order.waits_for === 'payment')
    return voice.texts.payment.state.about(voice.format.dateTime(order.expires_at as string))
  if (order.status === 'confirmed' && !hasTicket(order)) {
    const { extrasOnly, cancel } = voice.texts.checkout
    return mayCancel(props) ? extrasOnly.aboutOpen(cancel) : extrasOnly.about
  }
  if (order.status === 'confirmed') return about.confirmed(order.buyer.email)
  if (order.status === 'pending') return about.pending(voice.format.dateTime(order.expires_at as string))
  return about[order.status === 'cancelled' ? 'cancelled' : (order.failed_for ?? 'cancelled')]
}

/** @param isHolder whether the visitor goes to the event, because nobody else may see the online link */
export function EventFacts({
  event,
  voice,
  isHolder,
}: Pick<OrderProps, 'event' | 'voice'> & { isHolder: boolean }) {
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
      {isHolder && event.starts_at !== null && (
        <p class="row small no-print">
          <span class="quiet">{texts.storefront.calendar}:</span>
          <CalendarLinks event={event} page={undefined} voice={voice} />
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
