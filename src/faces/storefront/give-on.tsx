import * as fields from '#base/fields.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { emailField, textField } from '#machinery/web/forms/field.ts'
import {
  FORM_PREVIEW,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type ValuesOf,
} from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import { giveOn, mayGiveOn } from '#product/selling/exchanges/give-on.ts'
import type { TicketOf } from '#product/selling/exchanges/rules.ts'
import { ticketLines } from '#product/selling/orders/schemas.ts'
import type { OrderView } from './order-view.ts'
import { OrderVisits, problemOf, scaleOf } from './order-visits.ts'
import { CHANGE, GiveOnDocument } from './pages/give-on-page.tsx'
import type { StorefrontServices } from './storefront-services.ts'
import type { FoundTicket } from './ticket-visits.ts'
import { TicketVisits } from './ticket-visits.ts'
import { speechOf } from './voice.ts'

const holderFields = {
  name: textField(fields.personName, { label: ({ exchanges }) => exchanges.giveOnName }),
  email: emailField({ label: ({ exchanges }) => exchanges.giveOnEmail }),
}

/** A form that was sent, by whom, and how it is answered. */
interface Sending {
  actor: Actor
  ticket: TicketOf
  view: Parameters<typeof scaleOf>[0]
  /** The path of the page that the form leads back to. */
  back: string
  show: Show
}

/** Shows the form, or asks whether somebody is to have the ticket. */
type Show = (status: number, state: FormState, holder?: ValuesOf<typeof holderFields>) => void

/** A ticket of an order, with its line. */
interface Place {
  line: OrderView['order']['registrations'][number]
  ticket: Place['line']['attendees'][number]
}

/** Lets holders and buyers give tickets to somebody else. */
export class GiveOn {
  readonly #services: StorefrontServices
  readonly #orders: OrderVisits
  readonly #tickets: TicketVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#orders = new OrderVisits(services)
    this.#tickets = new TicketVisits(services)
  }

  async showOfTicket(context: Context): Promise<void> {
    const { view } = await this.#tickets.find(context)
    if (!view.mayGiveOn) throw this.#tickets.unknown(context)
    this.#showTicket(context, view, 200, newForm(holderFields, scaleOf(view)))
  }

  async ofTicket(context: Context): Promise<void> {
    const { body, found } = await this.#tickets.receive(context)
    const { registrationId, ticketId, view } = found
    if (!view.mayGiveOn) throw this.#tickets.unknown(context)
    await this.#give(context, body, {
      ...{ actor: this.#tickets.actorOf(context, found), ticket: { registrationId, ticketId }, view },
      back: view.path,
      show: (...shown) => this.#showTicket(context, view, ...shown),
    })
  }

  async showOfOrder(context: Context): Promise<void> {
    const view = await this.#orders.find(context)
    const place = this.#findIn(context, view)
    this.#showOrder(context, { view, place }, 200, newForm(holderFields, scaleOf(view)))
  }

  async ofOrder(context: Context): Promise<void> {
    const { body, view } = await this.#orders.receive(context)
    const place = this.#findIn(context, view)
    await this.#give(context, body, {
      actor: this.#orders.actorOf(context, view),
      ticket: { registrationId: place.line.id, ticketId: place.ticket.id },
      ...{ view, back: view.path },
      show: (...shown) => this.#showOrder(context, { view, place }, ...shown),
    })
  }

  /** @throws Problem route_not_found for a ticket of another order, for an extra, and for one that cannot be given on */
  #findIn(context: Context, { order, event, now }: OrderView): Place {
    const id = context.captures[1] ?? ''
    const line = ticketLines(order).find(({ attendees }) => attendees.some(ticket => ticket.id === id))
    const ticket = line?.attendees.find(each => each.id === id)
    const of = line && { status: line.status, order_id: order.id, erased_at: null }
    if (line === undefined || ticket === undefined || of === undefined || !mayGiveOn(event, of, ticket, now))
      throw this.#orders.unknown(context)
    return { line, ticket }
  }

  async #give(context: Context, body: URLSearchParams, { actor, ticket, view, back, show }: Sending) {
    // A form that is shown again asks again.
    const sent = { ...readForm(holderFields, body), preview: undefined }
    const parsed = parseForm(holderFields, scaleOf(view), sent)
    const again = (refused: Parameters<typeof refusedForm>[3] = {}) =>
      refusedForm(holderFields, scaleOf(view), sent, refused)
    if ('faults' in parsed) return show(422, again({ faults: parsed.faults }))
    if (body.has(CHANGE)) return show(200, again())
    // A ticket that went to a mistyped address cannot be taken back.
    if (!body.has(FORM_PREVIEW)) return show(200, again(), parsed.values)
    try {
      const { order } = await recordedWrite(
        this.#services.db,
        actor,
        tx => giveOn(tx, ticket, parsed.values),
        {
          action: 'registration.give_on',
          targetType: 'registration',
          targetId: ticket.registrationId,
          details: (_, done) => ({ ticket_id: ticket.ticketId, new_registration_id: done?.made.id }),
        },
      )
      const { isChosen, language } = speechOf(context)
      const said = order.verified_at === null ? 'givenLater' : 'given'
      redirectTo(context, withQuery(back, { said, lang: isChosen ? language : undefined }))
    } catch (error) {
      const problem = problemOf(error)
      show(statusOf(problem), again({ problem }))
    }
  }

  #showTicket(
    context: Context,
    view: FoundTicket['view'],
    ...[status, state, holder]: Parameters<Show>
  ): void {
    const name = [view.line.registration_type_name, view.ticket.name].filter(Boolean).join(' · ')
    const address = { here: `${view.path}/give`, back: view.path, ticket: name, holder }
    this.#tickets.answer(context, status, view, props => (
      <GiveOnDocument {...props} {...address} backText={props.voice.texts.checkout.toTicket} state={state} />
    ))
  }

  #showOrder(
    context: Context,
    { view, place: { line, ticket } }: { view: OrderView; place: Place },
    ...[status, state, holder]: Parameters<Show>
  ): void {
    const name = [line.registration_type_name, ticket.name].filter(Boolean).join(' · ')
    const address = { here: `${view.path}/give/${ticket.id}`, back: view.path, ticket: name, holder }
    this.#orders.answer(context, status, view, props => (
      <GiveOnDocument {...props} {...address} backText={props.voice.texts.checkout.toOrder} state={state} />
    ))
  }
}
