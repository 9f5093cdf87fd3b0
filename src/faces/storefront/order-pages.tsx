import { recordedWrite } from '../access-log/recorded-write.ts'
import type { WriteTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as fields from '../fields.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'
import { documentOf, validTickets } from '../orders/documents.ts'
import { readLinkSecret } from '../orders/links.ts'
import { rename } from '../orders/names.ts'
import * as orders from '../orders/rules.ts'
import type { Order, OrderDetails } from '../orders/schemas.ts'
import { tellAgain } from '../orders/telling.ts'
import { cancelByBuyer, withdrawByBuyer } from '../payments/buyer-ending.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { ticketPdf } from '../ticket-documents/ticket-pdf.ts'
import { leadTo } from '../web/answer-page.ts'
import { optionalTextField, textField } from '../web/forms/field.ts'
import { type Fields, newForm, parseForm, readForm, refusedForm } from '../web/forms/form.ts'
import type { Offers } from './offers.tsx'
import { OrderVisits, problemOf, scaleOf } from './order-visits.ts'
import { BACK, CancelDocument, NamesDocument, WithdrawDocument } from './pages/order-forms.tsx'
import { OrderDocument, TicketDocument } from './pages/order-page.tsx'
import { GO_ON, PAID } from './paths.ts'
import { SAID, type SeenOrder } from './seen-order.ts'
import type { Visited } from './visited.ts'

/** Gives an order up. @param back what its buyer was shown to get back, in minor units */
type End = (tx: WriteTx, seen: SeenOrder, back: number | undefined) => Promise<Order>

/** Answers whoever has the link to an order or a ticket. */
export class OrderPages {
  readonly #services: Visited
  readonly #visits: OrderVisits
  readonly #offers: Offers

  constructor(services: Visited, offers: Offers) {
    this.#services = services
    this.#offers = offers
    this.#visits = new OrderVisits(services)
  }

  async showOrder(context: Context): Promise<void> {
    const seen = await this.#visits.find(context)
    if (seen.order.waits_for === 'answer') return this.#offers.show(context, seen)
    const query = new URLSearchParams(context.querystring)
    const said = SAID.find(each => each === query.get('said'))
    const going = ([GO_ON, PAID] as const).find(each => query.has(each))
    this.#askAbout(seen)
    this.#visits.answer(context, 200, seen, props => <OrderDocument {...props} said={said} going={going} />)
  }

  /** Whoever looks at the page may have paid just now. */
  #askAbout({ order, money }: SeenOrder): void {
    const open = money?.payments.find(({ ended_at }) => ended_at === null)
    const { payments } = this.#services
    if (open !== undefined && open.url !== null) payments.glance(order.account_id, open.id)
  }

  /** All tickets of the order that admit somebody, to be printed. */
  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, db, orderLimit } = this.#services
    const { order, event, organizer, path } = await this.#visits.find(context)
    const types = await db.read(tx => registrationTypes.listDetails(tx, order.account_id, event.id))
    const tickets = validTickets(order, types)
    if (tickets.length === 0) throw this.#visits.unknown(context)
    // Each takes a while to draw.
    orderLimit.apply(context)
    const { language } = order
    const url = baseUrl + path
    const file = await ticketPdf(
      documentOf(order, event, { organizer: organizer.name, url, language, tickets }),
    )
    this.#send(context, 'application/pdf', `${order.reference}.pdf`, file)
  }

  async sendCalendar(context: Context): Promise<void> {
    const { baseUrl, db } = this.#services
    const { order, event, path } = await this.#visits.find(context)
    const file = await db.read(tx => eventPages.readCalendar(tx, order.account_id, event, baseUrl + path))
    if (file === undefined) throw this.#visits.unknown(context)
    this.#send(context, 'text/calendar; charset=utf-8', `${event.slug}.ics`, Buffer.from(file))
  }

  #send(context: Context, type: string, name: string, file: Buffer): void {
    context.set('Content-Disposition', `attachment; filename="${name}"`)
    context.set('Cache-Control', 'no-store')
    context.body = bodyOf(context.res, file)
    context.type = type
    context.length = file.length
  }

  async showTicket(context: Context): Promise<void> {
    const { db, secret } = this.#services
    const target = readLinkSecret(secret, 'ticket', context.captures[0] ?? '')
    const found =
      target &&
      (await db.read(async tx => {
        const of = await orders.findTicket(tx, target.id)
        return of && { ...of, seen: await this.#visits.read(tx, of.accountId, of.orderId) }
      }))
    if (target === undefined || found === undefined || found.seen.order.secret_version !== target.version)
      throw this.#visits.unknown(context)
    const { seen } = found
    this.#visits.answer(context, 200, seen, props => <TicketDocument {...props} ticketId={target.id} />)
  }

  async showNames(context: Context): Promise<void> {
    const seen = await this.#visits.find(context)
    const state = newForm(nameFields(seen.order), scaleOf(seen), namesOf(seen.order))
    this.#visits.answer(context, 200, seen, props => <NamesDocument {...props} state={state} />)
  }

  async changeNames(context: Context): Promise<void> {
    const { body, seen } = await this.#visits.receive(context)
    const { order, event } = seen
    const wanted = nameFields(order)
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(wanted, scaleOf(seen), sent, refused)
      this.#visits.answer(context, status, seen, props => <NamesDocument {...props} state={state} />)
    }
    const parsed = parseForm(wanted, scaleOf(seen), sent)
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
        this.#visits.actorOf(context, seen),
        tx => rename(tx, order.account_id, order.id, event, holders),
        {
          action: 'order.rename',
          targetType: 'order',
          targetId: order.id,
          details: (_, changed) => ({ fields: changed }),
          hasChanged: changed => changed.length > 0,
        },
      )
      leadTo(context, `${seen.path}?said=saved`)
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }

  async showCancel(context: Context): Promise<void> {
    const seen = await this.#visits.find(context)
    this.#visits.answer(context, 200, seen, props => <CancelDocument {...props} problem={undefined} />)
  }

  cancel(context: Context): Promise<void> {
    const end: End = (tx, { order, event }, seen) =>
      cancelByBuyer(tx, order.account_id, order.id, { event, seen })
    return this.#end(context, 'order.cancel', end, CancelDocument)
  }

  async showWithdraw(context: Context): Promise<void> {
    const seen = await this.#visits.find(context)
    this.#visits.answer(context, 200, seen, props => <WithdrawDocument {...props} problem={undefined} />)
  }

  withdraw(context: Context): Promise<void> {
    const end: End = (tx, { order, event }, seen) =>
      withdrawByBuyer(tx, order.account_id, order.id, { event, seen })
    return this.#end(context, 'order.withdraw', end, WithdrawDocument)
  }

  async #end(context: Context, action: string, end: End, Asking: typeof CancelDocument): Promise<void> {
    const { body, seen } = await this.#visits.receive(context)
    const { id } = seen.order
    const shown = Number.parseInt(body.get(BACK) ?? '', 10)
    const back = Number.isNaN(shown) ? undefined : shown
    try {
      const actor = this.#visits.actorOf(context, seen)
      const entry = { action, targetType: 'order', targetId: id }
      await recordedWrite(this.#services.db, actor, tx => end(tx, seen, back), entry)
      leadTo(context, seen.path)
    } catch (error) {
      const problem = problemOf(error)
      this.#visits.answer(context, statusOf(problem), seen, props => <Asking {...props} problem={problem} />)
    }
  }

  async resend(context: Context): Promise<void> {
    const { seen } = await this.#visits.receive(context)
    const { order } = seen
    // Each makes a mail.
    this.#services.orderLimit.apply(context)
    if (order.status === 'confirmed')
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, seen),
        tx => tellAgain(tx, order.account_id, order),
        { action: 'order.resend', targetType: 'order', targetId: order.id },
      )
    leadTo(context, `${seen.path}?said=resent`)
  }
}

/** Those whose registration is neither cancelled nor at an end. */
export function ticketsThatStand(order: OrderDetails) {
  return order.registrations
    .filter(({ status }) => status === 'confirmed' || status === 'pending')
    .flatMap(({ attendees }) => attendees)
}

function nameFields(order: OrderDetails): Fields {
  return Object.fromEntries(
    order.registrations.flatMap(line =>
      line.attendees.flatMap((ticket, at) => {
        const n = { type: line.registration_type_name ?? '', n: at + 1, of: line.attendees.length }
        return line.status !== 'confirmed' && line.status !== 'pending'
          ? []
          : [
              [
                `${ticket.id}.name`,
                textField(fields.name(), {
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
