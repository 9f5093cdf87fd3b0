import type { ReadTx } from '../../db/port.ts'
import { hasProcessor } from '../../payments/processor.ts'
import { type Refundable, readRefundable, waysBack } from '../../payments/refundable.ts'
import { type Refunded, refund } from '../../payments/refunding.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { areaField, tickField } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { readGuest } from './guest.tsx'
import { readOrder } from './order.tsx'
import { ChooseForm, type Chosen, EDIT, readChoice } from './refund-choice.tsx'

const MAX_NOTE = 500

const fields = {
  note: areaField(MAX_NOTE, 2, { label: texts => texts.refunds.note }),
  tell: tickField({ label: texts => texts.refunds.tell }),
}

interface Loaded {
  subject: Refundable
  /** What was chosen: the address says it. Undefined where it says nothing yet, or something that cannot be. */
  chosen: Chosen | undefined
}

/** Where a refund is asked for, and where it leads back to. */
interface Place {
  path: string
  read: (tx: ReadTx, asked: OfEvent) => Promise<Refundable>
  /** As the access log calls it, and what it is about. */
  logged: { action: string; targetType: string; param: string }
  action: (asked: OfEvent) => string
  back: (asked: OfEvent) => string
}

/** Asks which tickets become void and how much goes back, then once more with the exact figures. */
function refundPage({ path, read, logged, action, back }: Place) {
  return formPage('event', {
    path,
    permission: 'refunds',
    load: async (tx, asked): Promise<Loaded> => {
      const subject = await read(tx, asked)
      const choice = readChoice(subject, asked)
      return { subject, chosen: 'ticketIds' in choice ? choice : undefined }
    },
    fields: () => fields,
    initial: () => ({ tell: true }),
    seen: ({ subject, chosen }) =>
      chosen === undefined ? '' : JSON.stringify([chosen, ...figuresOf(subject, chosen)]),
    view: ({ subject, chosen }, asked, state) => {
      const { refunds: texts } = asked.voice.texts
      const { name } = subject.buyer
      const title = chosen === undefined ? texts.heading(name) : texts.confirm(name)
      const crumb = subject.order === undefined ? name : asked.voice.texts.orders.of(subject.order.reference)
      return {
        title,
        body: (
          <>
            <Head
              title={<bdi>{title}</bdi>}
              crumbs={
                <a href={back(asked)}>
                  <bdi>{crumb}</bdi>
                </a>
              }
            />
            <div class="card">
              {chosen === undefined ? (
                <ChooseForm subject={subject} asked={asked} action={action(asked)} leave={back(asked)} />
              ) : (
                <Confirm
                  subject={subject}
                  chosen={chosen}
                  asked={asked}
                  state={state}
                  action={action(asked)}
                />
              )}
            </div>
          </>
        ),
      }
    },
    act: (tx, { account }, { values, loaded: { subject, chosen } }) => {
      if (chosen === undefined) throw new Problem('seen_changed')
      const { note, tell: isTold } = values
      return refund(tx, account.id, subject.of, { ...chosen, reason: 'organizer', note, isTold })
    },
    entry: ({ params }) => ({
      action: logged.action,
      targetType: logged.targetType,
      targetId: params[logged.param],
      details: (_, done?: Refunded) => ({ tickets: done?.tickets, amount: done && sumOf(done) }),
    }),
    next: (done, asked) => ({
      path: back(asked),
      flash: sumOf(done) > 0 ? flash('refundAsked', {}) : flash('ticketsVoid', { n: done.tickets }),
    }),
  })
}

function sumOf({ refunds }: Refunded): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

/** What the page says: how many tickets become void, how many of them are in, and what goes back in which ways. */
function figuresOf(subject: Refundable, { ticketIds, amount }: Chosen) {
  const chosen = subject.tickets.filter(({ id }) => ticketIds.includes(id))
  const inside = chosen.filter(({ isCheckedIn }) => isCheckedIn).length
  return [chosen.length, inside, [...waysBack(subject, amount)], subject.left - amount] as const
}

interface ConfirmProps {
  subject: Refundable
  chosen: Chosen
  asked: OfEvent
  state: FormState
  action: string
}

function Confirm({ subject, chosen, asked, state, action }: ConfirmProps) {
  const { voice, query } = asked
  const { texts: all, format } = voice
  const { refunds: texts } = all
  const say = (amount: number) => format.money(amount, subject.currency)
  const [count, inside, ways, rest] = figuresOf(subject, chosen)
  const sentences = [
    ...(count === 0 ? [texts.will.noTicket] : [texts.will.void(count), texts.will.freed(count)]),
    ...(inside === 0 ? [] : [texts.will.checkedIn(inside)]),
    ...ways.map(([method, amount]) =>
      (hasProcessor(method) ? texts.will.by : texts.will.byHand)(say(amount), texts.methods[method]),
    ),
    ...(chosen.amount === 0 ? [texts.will.noMoney] : []),
    ...(rest === 0 ? [] : [texts.will.leaves(say(rest))]),
  ]
  const edit = new URLSearchParams(query)
  edit.set(EDIT, '')
  return (
    <Form
      state={state}
      texts={all}
      action={`${action}?${query}`}
      submit={chosen.amount === 0 ? texts.submitVoid : texts.submit(say(chosen.amount))}
      leave={`${action}?${edit}`}
      leaveText={texts.change}
      isDanger
    >
      <ul class="will">
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <FieldRows
        state={state}
        texts={all}
        names={subject.order === undefined ? ['note'] : ['note', 'tell']}
      />
    </Form>
  )
}

export const refundOfOrder = refundPage({
  path: '/e/{event}/orders/{order}/refund',
  read: async (tx, asked) => {
    const { id: orderId } = await readOrder(tx, asked)
    return readRefundable(tx, asked.account.id, { orderId })
  },
  logged: { action: 'order.refund', targetType: 'order', param: 'order' },
  action: ({ event, params }) => paths.refundOrder(event.id, params.order as string),
  back: ({ event, params }) => paths.order(event.id, params.order as string),
})

/** Of a registration that was paid without an order; of another, its order. */
export const refundOfGuest = refundPage({
  path: '/e/{event}/guests/{registration}/refund',
  read: async (tx, asked) => {
    const { id: registrationId, order_id: orderId } = await readGuest(tx, asked)
    return readRefundable(tx, asked.account.id, orderId === null ? { registrationId } : { orderId })
  },
  logged: { action: 'registration.refund', targetType: 'registration', param: 'registration' },
  action: ({ event, params }) => paths.refundGuest(event.id, params.registration as string),
  back: ({ event, params }) => paths.guest(event.id, params.registration as string),
})
