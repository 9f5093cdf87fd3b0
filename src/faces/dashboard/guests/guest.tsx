import type { ComponentChildren } from 'preact'
import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { TicketState } from '#faces/dashboard/catalog/ticket-state.tsx'
import { readActorNames } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Timeline } from '#faces/dashboard/selling/timeline.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Head, Mail, Money, Time } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import { may } from '#product/administration/users/roles.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { type Details, getDetails } from '#product/guests/registrations/details.ts'
import { type Exchanges, readExchanges } from '#product/guests/registrations/exchange.ts'
import { findForPaid, refusalOfCancel } from '#product/guests/registrations/rules.ts'
import { timeline } from '#product/guests/registrations/timeline.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { AnswersCard } from './answers-card.tsx'
import { RegistrationState } from './registration-status.tsx'
import { TicketActions, type TicketRow } from './ticket-actions.tsx'
import { readShownTicket, TicketCard } from './ticket-card.tsx'

/** Reads the registration that a page is about. @throws Problem not_found, also for a registration of another event */
export async function readGuest(tx: ReadTx, { event, params }: EventRequest): Promise<Details> {
  const id = params.registration ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const registration = await getDetails(tx, id.toLowerCase())
  if (registration.event_id !== event.id) throw new Problem('not_found')
  return registration
}

/** Reads the registration, and one of its tickets. @throws Problem not_found */
export async function readGuestTicket(
  tx: ReadTx,
  request: EventRequest,
): Promise<{ guest: Details; ticket: Ticket }> {
  const guest = await readGuest(tx, request)
  const ticket = guest.attendees.find(({ id }) => id === request.params.ticket)
  if (ticket === undefined) throw new Problem('not_found')
  return { guest, ticket }
}

export type Ticket = Details['attendees'][number]

/** Shows one registration. */
export const guestPage = showPage('event', {
  path: '/e/{event}/guests/{registration}',
  permission: 'guests.read',
  load: async (tx, request, { baseUrl, secret }) => {
    const guest = await readGuest(tx, request)
    const order = guest.order_id === null ? undefined : await orders.get(tx, guest.order_id)
    return {
      ...{ guest, order },
      shown: await readShownTicket(tx, request, { guest }, { baseUrl, secret }),
      standIns: await findForPaid(tx, [guest]),
      exchanges: await readExchanges(tx, guest),
      extras: await registrationTypes.listExtras(tx, guest.event_id),
      happened: await timeline(tx, guest.id),
      names: await readActorNames(tx),
      allQuestions: await questions.list(tx, guest.event_id),
    }
  },
  view: ({ guest, order, shown, standIns, exchanges, extras, happened, names, allQuestions }, request) => {
    const { voice, event } = request
    const { guests: texts } = voice.texts
    const labels = new Map(allQuestions.map(({ key, label }) => [key, label]))
    return {
      title: guest.buyer.name,
      body: (
        <>
          <Head
            title={<bdi>{guest.buyer.name}</bdi>}
            crumbs={<a href={paths.guests(event.id)}>{texts.title}</a>}
            pill={<RegistrationState status={guest.status} texts={voice.texts} />}
            actions={<Actions guest={guest} standIns={standIns} request={request} />}
          />
          <div class="stack">
            <Tickets
              guest={guest}
              exchanges={exchanges}
              isExtra={extras.has(guest.registration_type_id ?? '')}
              request={request}
            />
            {shown !== undefined && <TicketCard guest={guest} shown={shown} request={request} />}
            <div class="two">
              <Timeline items={happened} labels={labels} {...{ guest, names, voice }} />
              <div class="stack">
                <About guest={guest} order={order} exchanges={exchanges} request={request} />
                <AnswersCard guest={guest} questions={allQuestions} voice={voice} />
              </div>
            </div>
          </div>
        </>
      ),
    }
  },
})

interface OfGuest {
  guest: Details
  request: EventRequest
}

/** Shows the actions that the state of the registration and the member's role allow. */
function Actions({ guest, standIns, request }: OfGuest & { standIns: ReadonlySet<string> }) {
  const { event, member, voice } = request
  const { guests: texts } = voice.texts
  const refusal = refusalOfCancel(guest, standIns)
  const isKept = guest.erased_at === null
  const other = guest.attendees.find(({ email }) => email !== null)
  return (
    <>
      {may(member.role, 'erase') && (isKept || other !== undefined) && (
        <ButtonLink
          href={withQuery(paths.eraseGuest(event.id, guest.id), { ticket: isKept ? undefined : other?.id })}
          isDestructive
        >
          {texts.erase}
        </ButtonLink>
      )}
      {may(member.role, 'refunds') && refusal === 'refund_required' && (
        <ButtonLink
          href={
            guest.order_id === null
              ? paths.refundGuest(event.id, guest.id)
              : withQuery(paths.refundOrder(event.id, guest.order_id), { line: guest.id })
          }
        >
          {voice.texts.refunds.open}
        </ButtonLink>
      )}
      {may(member.role, 'guests.edit') && refusal === undefined && (
        <ButtonLink href={paths.cancelGuest(event.id, guest.id)} isDestructive>
          {texts.cancel}
        </ButtonLink>
      )}
      {may(member.role, 'messages') && guest.status === 'confirmed' && guest.attendees.length > 1 && (
        <ButtonLink href={paths.sendTicketsOf(event.id, guest.id)}>{voice.texts.sending.sendAll}</ButtonLink>
      )}
      {may(member.role, 'guests.edit') && isKept && (
        <ButtonLink href={paths.editGuest(event.id, guest.id)} main>
          {texts.edit}
        </ButtonLink>
      )}
    </>
  )
}

const ticketList: List<TicketRow> = {
  caption: texts => texts.guests.tickets,
  columns: [
    {
      label: texts => texts.guests.ticket,
      place: 'name',
      cell: ({ ticket, number }, { texts }) => (
        <>
          <span class="quiet">{number}</span> <bdi>{ticket.name ?? texts.guests.noName}</bdi>
        </>
      ),
    },
    {
      label: texts => texts.guests.email,
      place: 'line',
      cell: ({ ticket }) => ticket.email !== null && <Mail address={ticket.email} />,
    },
    { label: texts => texts.guests.seat, place: 'wide', cell: ({ ticket }) => <bdi>{ticket.seat}</bdi> },
    {
      label: texts => texts.guests.state,
      place: 'amount',
      cell: ({ ticket, isExtra }, voice) => <TicketState ticket={ticket} isExtra={isExtra} voice={voice} />,
    },
    {
      label: texts => texts.guests.action,
      place: 'when',
      isAction: true,
      cell: row => <TicketActions {...row} />,
    },
  ],
}

function Tickets({ guest, ...of }: OfGuest & Pick<TicketRow, 'exchanges' | 'isExtra'>) {
  const { request } = of
  const rows = guest.attendees.map((ticket, at) => ({ ticket, number: at + 1, guest, ...of }))
  return <Table list={ticketList} rows={rows} voice={request.voice} hasHeading />
}

type Fact = [name: string, value: ComponentChildren]

function About({
  guest,
  order,
  exchanges,
  request,
}: OfGuest & { order: Order | undefined; exchanges: Exchanges }) {
  const { texts: all, format } = request.voice
  const { guests: texts } = all
  const { amount_subtotal, amount_total, refunded_amount, currency, erased_at } = guest
  const money = (amount: number) => <Money amount={amount} currency={currency} format={format} />
  const facts: Fact[] = [
    [texts.name, <bdi key="name">{guest.buyer.name}</bdi>],
    [texts.email, erased_at === null ? <Mail key="mail" address={guest.buyer.email} /> : all.page.none],
    [texts.tickets, <bdi key="type">{texts.ofType(guest.quantity, guest.registration_type_name ?? '')}</bdi>],
    [texts.registered, <Time key="at" at={guest.created_at as string} format={format} />],
    [texts.source, texts.sources[guest.source]],
    ...(order === undefined ? [] : [orderFact(order, request)]),
    ...(exchanges.former === undefined ? [] : [formerFact(exchanges.former, request)]),
    ...(guest.reference === guest.id
      ? []
      : ([[texts.reference, <bdi key="reference">{guest.reference}</bdi>]] as Fact[])),
    ...(amount_subtotal === 0 ? [] : ([[texts.worth, money(amount_subtotal)]] as Fact[])),
    ...(amount_total === 0 ? [] : ([[texts.paid, money(amount_total)]] as Fact[])),
    ...(refunded_amount === null ? [] : ([[texts.refunded, money(refunded_amount)]] as Fact[])),
    [texts.language, format.languageName(guest.language)],
    [texts.note, <Note key="note" guest={guest} request={request} />],
  ]
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">{texts.buyer}</h2>
      {erased_at !== null && <p>{texts.anonymous(format.date(erased_at))}</p>}
      <Facts facts={facts} />
    </section>
  )
}

function orderFact({ id, reference }: Order, { event, voice }: EventRequest): Fact {
  const link = (
    <a key="order" href={paths.order(event.id, id)}>
      {reference}
    </a>
  )
  return [voice.texts.guests.order, link]
}

function formerFact(id: string, { event, voice: { texts } }: EventRequest): Fact {
  const link = (
    <a key="former" href={paths.guest(event.id, id)}>
      {texts.exchanges.formerTicket}
    </a>
  )
  return [texts.exchanges.tookPlace, link]
}

function Note({ guest: { id, note, erased_at }, request: { event, member, voice } }: OfGuest) {
  const { guests: texts } = voice.texts
  if (note !== null) return <bdi class="lines">{note}</bdi>
  const mayWrite = erased_at === null && may(member.role, 'guests.edit')
  return (
    <>
      {texts.noNote} {mayWrite && <a href={`${paths.editGuest(event.id, id)}#note`}>{texts.writeNote}</a>}
    </>
  )
}
