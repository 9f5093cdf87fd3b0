import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { readGuest } from '#faces/dashboard/guests/guest.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { type Flash, flash } from '#machinery/web/flash.ts'
import { areaField, tickField } from '#machinery/web/forms/field.ts'
import { hasProcessor } from '#product/selling/payments/processor.ts'
import {
  type Refundable,
  readRefundable,
  refundableOf,
  refundMethods,
} from '#product/selling/payments/refundable.ts'
import { type Refunded, refundOf } from '#product/selling/payments/refunding.ts'
import { readOrder } from './order.tsx'
import { ChooseForm, type Chosen, EDIT, readChoice } from './refund-choice.tsx'

const MAX_NOTE = 500

const fields = {
  note: areaField(MAX_NOTE, 2, { label: texts => texts.refunds.note }),
  tell: tickField({ label: texts => texts.refunds.tell }),
}

interface Loaded {
  subject: Refundable
  /** The choice that the address makes. It is undefined if the address makes none yet, or an impossible one. */
  chosen: Chosen | undefined
}

/** Where a refund is asked for, and where it leads back to. */
interface Place {
  path: string
  read: (tx: ReadTx, request: EventRequest) => Promise<Refundable>
  /** The action as the access log calls it, and what it is about. */
  logged: { action: string; targetType: string; param: string }
  action: (request: EventRequest) => string
  back: (request: EventRequest) => string
}

/** Asks which tickets become void and how much goes back, and then once more with the exact figures. */
function refundPage({ path, read, logged, action, back }: Place) {
  return formPage('event', {
    path,
    permission: 'refunds',
    load: async (tx, request): Promise<Loaded> => {
      const subject = await read(tx, request)
      const choice = readChoice(subject, request)
      return { subject, chosen: 'ticketIds' in choice ? choice : undefined }
    },
    fields: () => fields,
    initial: () => ({ tell: true }),
    preview: ({ subject, chosen }) =>
      chosen === undefined ? '' : JSON.stringify([chosen, ...figuresOf(subject, chosen)]),
    parts: ({ subject, chosen }, request) => {
      const { refunds: texts, orders } = request.voice.texts
      const { name } = subject.buyer
      const crumb = subject.order === undefined ? name : orders.of(subject.order.reference)
      const address = { action: action(request), leave: back(request) }
      const crumbs = <NamedLink href={address.leave} name={crumb} />
      if (chosen !== undefined)
        return {
          ...{ title: texts.confirm(name), isOfPeople: true, crumbs },
          ...confirmation(subject, chosen, request, address.action),
        }
      const instead = (
        <div class="card">
          <ChooseForm subject={subject} request={request} {...address} />
        </div>
      )
      return { title: texts.heading(name), isOfPeople: true, crumbs, submit: '', instead }
    },
    act: (tx, _, { values, loaded: { subject, chosen } }) => {
      if (chosen === undefined) throw new Problem('seen_changed')
      const { note, tell: isNotified } = values
      return refundOf(tx, subject, { ...chosen, reason: 'organizer', note, isNotified })
    },
    entry: ({ params }) => ({
      action: logged.action,
      targetType: logged.targetType,
      targetId: params[logged.param],
      details: (_, done?: Refunded) => ({ tickets: done?.tickets, amount: done && sumOf(done) }),
    }),
    next: (done, request) => ({
      path: back(request),
      flash: flashOf(done),
    }),
  })
}

/** Says whose turn it is to move the money: the processor's, or the member's. */
function flashOf(done: Refunded): Flash {
  if (sumOf(done) === 0) return flash('ticketsVoid', { n: done.tickets })
  const isByHand = done.refunds.some(({ is_by_hand }) => is_by_hand)
  return isByHand ? flash('refundByHand', {}) : flash('refundAsked', {})
}

function sumOf({ refunds }: Refunded): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Returns what the page says: how many tickets become void, how many of them are checked in, what goes back by which methods, and
 * what is left.
 */
function figuresOf(subject: Refundable, { ticketIds, amount }: Chosen) {
  const chosen = subject.tickets.filter(({ id }) => ticketIds.includes(id))
  const checkedIn = chosen.filter(({ isCheckedIn }) => isCheckedIn).length
  const stays = chosen.length === 0 ? [] : standingExtras(subject, ticketIds)
  return [
    chosen.length,
    checkedIn,
    [...refundMethods(subject, amount)],
    subject.left - amount,
    stays,
  ] as const
}

/** Counts the extras that stay though a ticket beside them becomes void, by their types. */
function standingExtras({ tickets, order }: Refundable, ticketIds: readonly string[]): [string, number][] {
  const isExtra = ({ registrationId }: Refundable['tickets'][number]) => order?.extras.has(registrationId)
  const isChosen = ({ id }: Refundable['tickets'][number]) => ticketIds.includes(id)
  if (!tickets.some(ticket => isChosen(ticket) && !isExtra(ticket))) return []
  const staying = tickets.filter(ticket => ticket.stands && isExtra(ticket) && !isChosen(ticket))
  return [...Map.groupBy(staying, ({ type }) => type)].map(([type, some]) => [type, some.length])
}

/** @param action the address of the form, without the choice */
function confirmation(subject: Refundable, chosen: Chosen, { voice, query }: EventRequest, action: string) {
  const { refunds: texts, checkout } = voice.texts
  const say = (amount: number) => voice.format.money(amount, subject.currency)
  const [count, checkedIn, ways, rest, stays] = figuresOf(subject, chosen)
  const lines = stays.map(([type, n]) => checkout.line(n, type)).join(', ')
  const edit = new URLSearchParams(query)
  edit.set(EDIT, '')
  return {
    action: `${action}?${query}`,
    submit: chosen.amount === 0 ? texts.submitVoid : texts.submit(say(chosen.amount)),
    leave: `${action}?${edit}`,
    leaveText: texts.change,
    isDanger: true,
    will: [
      ...(count === 0 ? [texts.will.noTicket] : [texts.will.void(count), texts.will.freed(count)]),
      ...(checkedIn === 0 ? [] : [texts.will.checkedIn(checkedIn)]),
      ...ways.map(([method, amount]) =>
        (hasProcessor(method) ? texts.will.by : texts.will.byHand)(say(amount), texts.methods[method]),
      ),
      ...(chosen.amount === 0 ? [texts.will.noMoney] : []),
      ...(rest === 0 ? [] : [texts.will.leaves(say(rest))]),
      ...(stays.length === 0 ? [] : [<bdi key="stays">{texts.will.extrasStay(lines)}</bdi>]),
    ],
    rows: [subject.order === undefined ? ['note'] : ['note', 'tell']],
  }
}

export const refundOfOrder = refundPage({
  path: '/e/{event}/orders/{order}/refund',
  read: async (tx, request) => refundableOf(tx, await readOrder(tx, request)),
  logged: { action: 'order.refund', targetType: 'order', param: 'order' },
  action: ({ event, params }) => paths.refundOrder(event.id, params.order as string),
  back: ({ event, params }) => paths.order(event.id, params.order as string),
})

/** Refunds a registration that was paid without an order. For any other registration it refunds the order. */
export const refundOfGuest = refundPage({
  path: '/e/{event}/guests/{registration}/refund',
  read: async (tx, request) => {
    const { id: registrationId, order_id: orderId } = await readGuest(tx, request)
    return readRefundable(tx, orderId === null ? { registrationId } : { orderId })
  },
  logged: { action: 'registration.refund', targetType: 'registration', param: 'registration' },
  action: ({ event, params }) => paths.refundGuest(event.id, params.registration as string),
  back: ({ event, params }) => paths.guest(event.id, params.registration as string),
})
