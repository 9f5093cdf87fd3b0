import * as fields from '#base/fields.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { optionalTextField, textField } from '#machinery/web/forms/field.ts'
import { type Fields, newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { allTickets, documentOf } from '#product/selling/orders/documents.ts'
import { withoutExchanged } from '#product/selling/orders/exchanged.ts'
import { withPages } from '#product/selling/orders/links.ts'
import { SOON } from '#product/selling/orders/mail-state.ts'
import { rename } from '#product/selling/orders/names.ts'
import { queueRequested } from '#product/selling/orders/queue-mails.ts'
import { type Order, type OrderDetails, ticketLines } from '#product/selling/orders/schemas.ts'
import { cancelByBuyer, withdrawByBuyer } from '#product/selling/payments/buyer-ending.ts'
import { sendFile } from './answer.ts'
import type { Offers } from './offers.tsx'
import { ORDER_NOTICES, type OrderView } from './order-view.ts'
import { OrderVisits, problemOf, scaleOf, speakOf } from './order-visits.ts'
import { isOff } from './pages/event-off.tsx'
import { BACK, CancelDocument, NamesDocument, WithdrawDocument } from './pages/order-forms.tsx'
import { OrderDocument } from './pages/order-page.tsx'
import { GO_ON, PAID } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'

/** Ends an order for its buyer. @param agreedAmount the refund that the page showed to the buyer, in minor units */
type End = (tx: WriteTx, view: OrderView, agreedAmount: number | undefined) => Promise<Order>

/** Answers visitors who have the link to an order. */
export class OrderPages {
  readonly #services: StorefrontServices
  readonly #visits: OrderVisits
  readonly #offers: Offers

  constructor(services: StorefrontServices, offers: Offers) {
    this.#services = services
    this.#offers = offers
    this.#visits = new OrderVisits(services)
  }

  async showOrder(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    if (view.order.waits_for === 'answer') return this.#offers.show(context, view)
    const query = new URLSearchParams(context.querystring)
    const notice = ORDER_NOTICES.find(each => each === query.get('said'))
    const going = ([GO_ON, PAID] as const).find(each => query.has(each))
    this.#askAbout(view)
    this.#visits.answer(context, 200, view, props => (
      <OrderDocument {...props} notice={notice} going={going} />
    ))
  }

  /** The visitor may have paid just now, so the server asks the processor soon. */
  #askAbout({ order, money }: OrderView): void {
    const open = money?.payments.find(({ ended_at }) => ended_at === null)
    const { payments } = this.#services
    if (open !== undefined && open.url !== null) payments.glance(order.account_id, open.id)
  }

  /** Sends all tickets of the order for printing, if any of them admits somebody. The others say that they are void. */
  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, db, secret } = this.#services
    const view = await this.#visits.find(context)
    const { order, event } = view
    const { types, account, look } = await db.read(order.account_id, async tx => ({
      types: await registrationTypes.listDetails(tx, event.id),
      account: await accounts.getDetails(tx),
      look: await looks.carry(tx, event.id),
    }))
    const all = withPages({ baseUrl, secret }, order, allTickets(withoutExchanged(order), types))
    // An extra is printed below the tickets, and has no page to lead to.
    const extras = all.filter(({ isExtra }) => isExtra).map(extra => ({ ...extra, url: null }))
    const tickets = [...all.filter(({ isExtra }) => !isExtra), ...extras]
    if (tickets.every(({ code }) => code === null) || isOff(event)) throw this.#visits.unknown(context)
    const { language } = speakOf(context, view).speech
    const file = await ticketPdf(
      documentOf(order, event, { account, look, language, tickets }),
      this.#visits.askerOf(context, view),
    )
    sendFile(context, 'application/pdf', `${order.reference}.pdf`, file)
  }

  async sendCalendar(context: Context): Promise<void> {
    const { baseUrl, db } = this.#services
    const { order, event, organizer } = await this.#visits.find(context)
    const page = eventPages.pageForAll(baseUrl, organizer.slug, event)
    const file = await db.read(order.account_id, tx => eventPages.readCalendar(tx, event, page))
    if (file === undefined) throw this.#visits.unknown(context)
    sendFile(context, 'text/calendar; charset=utf-8', `${event.slug}.ics`, Buffer.from(file))
  }

  async showNames(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    const state = newForm(nameFields(view.order), scaleOf(view), namesOf(view.order))
    this.#visits.answer(context, 200, view, props => <NamesDocument {...props} state={state} />)
  }

  async changeNames(context: Context): Promise<void> {
    const { body, view } = await this.#visits.receive(context)
    const { order, event } = view
    const wanted = nameFields(order)
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(wanted, scaleOf(view), sent, refused)
      this.#visits.answer(context, status, view, props => <NamesDocument {...props} state={state} />)
    }
    const parsed = parseForm(wanted, scaleOf(view), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const values = parsed.values as Record<string, string | null>
    const holders = ticketsThatStand(order).map(({ id }) => ({
      id,
      name: values[`${id}.name`] as string,
      email: values[`${id}.email`] as string | null,
    }))
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, view),
        tx => rename(tx, order.id, event, holders),
        {
          action: 'order.rename',
          targetType: 'order',
          targetId: order.id,
          details: (_, changed) => ({ fields: changed }),
          hasChanged: changed => changed.length > 0,
        },
      )
      redirectTo(context, `${view.path}?said=saved`)
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }

  async showCancel(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    this.#visits.answer(context, 200, view, props => <CancelDocument {...props} problem={undefined} />)
  }

  cancel(context: Context): Promise<void> {
    const end: End = (tx, { order, event }, agreedAmount) =>
      cancelByBuyer(tx, order.id, { event, agreedAmount })
    return this.#end(context, 'order.cancel', end, CancelDocument)
  }

  async showWithdraw(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    this.#visits.answer(context, 200, view, props => <WithdrawDocument {...props} problem={undefined} />)
  }

  withdraw(context: Context): Promise<void> {
    const end: End = (tx, { order, event }, agreedAmount) =>
      withdrawByBuyer(tx, order.id, { event, agreedAmount })
    return this.#end(context, 'order.withdraw', end, WithdrawDocument)
  }

  async #end(context: Context, action: string, end: End, Asking: typeof CancelDocument): Promise<void> {
    const { body, view } = await this.#visits.receive(context)
    const { id } = view.order
    const shown = Number.parseInt(body.get(BACK) ?? '', 10)
    const back = Number.isNaN(shown) ? undefined : shown
    try {
      const actor = this.#visits.actorOf(context, view)
      const entry = { action, targetType: 'order', targetId: id }
      await recordedWrite(this.#services.db, actor, tx => end(tx, view, back), entry)
      redirectTo(context, view.path)
    } catch (error) {
      const problem = problemOf(error)
      this.#visits.answer(context, statusOf(problem), view, props => <Asking {...props} problem={problem} />)
    }
  }

  async resend(context: Context): Promise<void> {
    const { view } = await this.#visits.receive(context)
    const { order } = view
    const { db, clock, orderLimit } = this.#services
    // Each request makes a mail.
    orderLimit.apply(context)
    try {
      const due =
        order.status !== 'confirmed' || isOff(view.event)
          ? clock()
          : await recordedWrite(db, this.#visits.actorOf(context, view), tx => queueRequested(tx, order), {
              action: 'order.resend',
              targetType: 'order',
              targetId: order.id,
            })
      redirectTo(context, `${view.path}?said=${due - clock() > SOON ? 'resentLater' : 'resent'}`)
    } catch (error) {
      const problem = problemOf(error)
      const shown = { notice: undefined, going: undefined, problem }
      this.#visits.answer(context, statusOf(problem), view, props => <OrderDocument {...props} {...shown} />)
    }
  }
}

/** Returns the tickets whose registration is confirmed or pending. */
export function ticketsThatStand(order: OrderDetails) {
  return ticketLines(withoutExchanged(order))
    .filter(({ status }) => status === 'confirmed' || status === 'pending')
    .flatMap(({ attendees }) => attendees)
}

function nameFields(order: OrderDetails): Fields {
  return Object.fromEntries(
    ticketLines(withoutExchanged(order)).flatMap(line =>
      line.attendees.flatMap((ticket, at) => {
        const n = { type: line.registration_type_name ?? '', n: at + 1, of: line.attendees.length }
        return line.status !== 'confirmed' && line.status !== 'pending'
          ? []
          : [
              [
                `${ticket.id}.name`,
                textField(fields.personName, {
                  label: ({ checkout }) => checkout.holderName,
                  of: ({ checkout }) => checkout.ticket(n.type, n.n, n.of),
                }),
              ],
              [
                `${ticket.id}.email`,
                optionalTextField(fields.email, {
                  label: ({ checkout }) => checkout.holderEmail,
                  of: ({ checkout }) => checkout.ticket(n.type, n.n, n.of),
                  control: { kind: 'input', type: 'email' },
                }),
              ],
            ]
      }),
    ),
  )
}

function namesOf(order: OrderDetails): Record<string, string | null> {
  return Object.fromEntries(
    ticketsThatStand(order).flatMap(({ id, name, email }) => [
      [`${id}.name`, name ?? ''],
      [`${id}.email`, email],
    ]),
  )
}
