import { recordedWrite } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import * as fields from '../fields.ts'
import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { bodyOf } from '../http/sending.ts'
import { documentOf, validTickets } from '../orders/documents.ts'
import { type Purpose, readLinkSecret } from '../orders/links.ts'
import { orderUrl } from '../orders/mails.tsx'
import { namesLockedAt, rename } from '../orders/names.ts'
import * as orders from '../orders/rules.ts'
import type { OrderDetails } from '../orders/schemas.ts'
import { tellAgain } from '../orders/telling.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { ticketPdf } from '../ticket-documents/ticket-pdf.ts'
import { leadTo } from '../web/answer-page.ts'
import { readFormBody } from '../web/form-body.ts'
import { optionalTextField, textField } from '../web/forms/field.ts'
import { type Fields, newForm, parseForm, readForm, refusedForm } from '../web/forms/form.ts'
import { answerOnce } from './answer.ts'
import { CancelDocument, NamesDocument, OrderDocument, TicketDocument } from './pages/order-page.tsx'
import { SAID, type SeenOrder } from './seen-order.ts'
import type { Visited } from './visited.ts'
import { speechOf, voiceOf } from './voice.ts'

/** Answers whoever has the link to an order or a ticket. */
export class OrderPages {
  readonly #services: Visited

  constructor(services: Visited) {
    this.#services = services
  }

  async showOrder(context: Context): Promise<void> {
    const seen = await this.#find(context)
    const asked = new URLSearchParams(context.querystring).get('said')
    const said = SAID.find(each => each === asked)
    this.#answer(context, 200, seen, props => <OrderDocument {...props} said={said} />)
  }

  /** All tickets of the order that admit somebody, to be printed. */
  async sendPdf(context: Context): Promise<void> {
    const { baseUrl, db, orderLimit } = this.#services
    const { order, event, organizer, path } = await this.#find(context)
    const types = await db.read(tx => registrationTypes.listDetails(tx, order.account_id, event.id))
    const tickets = validTickets(order, types)
    if (tickets.length === 0) throw this.#unknown(context)
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
    const { order, event, path } = await this.#find(context)
    const file = await db.read(tx => eventPages.readCalendar(tx, order.account_id, event, baseUrl + path))
    if (file === undefined) throw this.#unknown(context)
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
        return of && { ...of, seen: await this.#read(tx, of.accountId, of.orderId) }
      }))
    if (target === undefined || found === undefined || found.seen.order.secret_version !== target.version)
      throw this.#unknown(context)
    const { seen } = found
    this.#answer(context, 200, seen, props => <TicketDocument {...props} ticketId={target.id} />)
  }

  async showNames(context: Context): Promise<void> {
    const seen = await this.#find(context)
    const state = newForm(nameFields(seen.order), scaleOf(seen), namesOf(seen.order))
    this.#answer(context, 200, seen, props => <NamesDocument {...props} state={state} />)
  }

  async changeNames(context: Context): Promise<void> {
    const { body, seen } = await this.#receive(context)
    const { order, event } = seen
    const wanted = nameFields(order)
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) => {
      const state = refusedForm(wanted, scaleOf(seen), sent, refused)
      this.#answer(context, status, seen, props => <NamesDocument {...props} state={state} />)
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
        this.#actorOf(context, seen),
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
    const seen = await this.#find(context)
    this.#answer(context, 200, seen, props => <CancelDocument {...props} problem={undefined} />)
  }

  async cancel(context: Context): Promise<void> {
    const { seen } = await this.#receive(context)
    const { order, event } = seen
    try {
      await recordedWrite(
        this.#services.db,
        this.#actorOf(context, seen),
        tx => orders.cancelByBuyer(tx, order.account_id, order.id, event.cancel_until),
        { action: 'order.cancel', targetType: 'order', targetId: order.id },
      )
      leadTo(context, seen.path)
    } catch (error) {
      const problem = problemOf(error)
      this.#answer(context, statusOf(problem), seen, props => <CancelDocument {...props} problem={problem} />)
    }
  }

  async resend(context: Context): Promise<void> {
    const { seen } = await this.#receive(context)
    const { order } = seen
    // Each makes a mail.
    this.#services.orderLimit.apply(context)
    if (order.status === 'confirmed')
      await recordedWrite(
        this.#services.db,
        this.#actorOf(context, seen),
        tx => tellAgain(tx, order.account_id, order),
        { action: 'order.resend', targetType: 'order', targetId: order.id },
      )
    leadTo(context, `${seen.path}?said=resent`)
  }

  async #receive(context: Context): Promise<{ body: URLSearchParams; seen: SeenOrder }> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    return { body, seen: await this.#find(context) }
  }

  /** @throws Problem route_not_found, which costs and takes the same whatever was guessed */
  async #find(context: Context, purpose: Purpose = 'order'): Promise<SeenOrder> {
    const { db, secret } = this.#services
    const target = readLinkSecret(secret, purpose, context.captures[0] ?? '')
    const seen =
      target &&
      (await db.read(async tx => {
        const accountId = await orders.findAccount(tx, target.id)
        return accountId === undefined ? undefined : this.#read(tx, accountId, target.id)
      }))
    if (seen === undefined || seen.order.secret_version !== target?.version) throw this.#unknown(context)
    return seen
  }

  async #read(tx: ReadTx, accountId: string, orderId: string): Promise<SeenOrder> {
    const { secret, clock } = this.#services
    const order = await orders.getDetails(tx, accountId, orderId)
    const event = await events.getDetails(tx, accountId, order.event_id)
    const { name, slug } = await accounts.getDetails(tx, accountId)
    const path = orderUrl({ baseUrl: '', secret }, order)
    return { order, event, organizer: { name, slug }, path, now: clock(), namesUntil: namesLockedAt(event) }
  }

  #actorOf(context: Context, { order }: SeenOrder): Actor {
    return {
      accountId: order.account_id,
      who: `order:${order.id}`,
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
    }
  }

  #answer(
    context: Context,
    status: number,
    seen: SeenOrder,
    make: (props: SeenOrder & ReturnType<typeof speakOf>) => Parameters<typeof answerOnce>[2],
  ): void {
    answerOnce(context, status, make({ ...seen, ...speakOf(context, seen) }))
    context.set('Cache-Control', 'no-store')
  }

  #unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** In the buyer's own language, unless the address says another. */
function speakOf(context: Context, { order, event }: SeenOrder) {
  const asked = speechOf(context)
  const speech = asked.isChosen ? asked : { language: order.language, isChosen: false }
  return { speech, voice: voiceOf(speech, event.timezone) }
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

function scaleOf({ event: { timezone, currency } }: SeenOrder) {
  return { timezone, currency }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem && statusOf(error) < 500) return error
  throw error
}
