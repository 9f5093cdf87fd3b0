import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { ErrorSummary } from '#machinery/web/forms/error-summary.tsx'
import { choiceField, choicesField, type Field, isBlank, moneyField } from '#machinery/web/forms/field.ts'
import {
  type FieldFault,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
} from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { costOf, type Refundable, type RefundableTicket } from '#product/selling/payments/refundable.ts'

/** What to refund, as the address says it. */
export interface Chosen {
  ticketIds: readonly string[]
  /** The amount in minor units. */
  amount: number
}

/** In an address with a choice, this says that the user wants to change it. */
export const EDIT = 'edit'
/** In an address, this names the registration whose tickets are ticked at first. */
export const LINE = 'line'

const HOW = ['cost', 'another', 'nothing'] as const

/** Returns a field for tickets of an order that still admit somebody, each with its holder, type and price. */
export function ticketsField(
  { tickets, currency }: Refundable,
  { texts, format }: Voice,
  options: Parameters<typeof choicesField>[2],
) {
  const say = (amount: number) => format.money(amount, currency)
  const standing = tickets.filter(({ stands }) => stands)
  const labelOf = ({ holder, type, paid, back }: RefundableTicket) => {
    const cost = back === 0 ? say(paid) : `${say(paid)}, ${texts.refunds.someBack(say(back))}`
    return texts.refunds.ticketOf(holder ?? texts.refunds.noName, type, cost)
  }
  return choicesField(
    standing.map(({ id }) => id),
    () => standing.map(ticket => ({ value: ticket.id, label: labelOf(ticket) })),
    options,
  )
}

function fieldsOf(subject: Refundable, voice: Voice) {
  const { currency, left } = subject
  const say = (amount: number) => voice.format.money(amount, currency)
  const amount = moneyField(Number.MAX_SAFE_INTEGER, {
    label: ({ refunds }) => refunds.amount,
    help: ({ refunds }) => refunds.amountHelp(say(left)),
  })
  return {
    ticket: ticketsField(subject, voice, {
      label: ({ refunds }) => refunds.tickets,
      help: ({ refunds }) => refunds.ticketsHelp,
    }),
    how: choiceField(
      HOW,
      ({ refunds }) => [
        { value: 'cost', label: refunds.whatTheyCost },
        { value: 'another', label: refunds.another },
        { value: 'nothing', label: refunds.nothing },
      ],
      { label: ({ refunds }) => refunds.howMuch },
      'radios',
    ),
    amount: {
      ...amount,
      required: false,
      parse: (typed, scale) => (isBlank(typed) ? { value: null } : amount.parse(typed, scale)),
    } satisfies Field<number | null> as Field<number | null>,
  }
}

/** Returns what the address says: a choice, or the form that asks for one. */
export function readChoice(
  subject: Refundable,
  { query, voice, event }: EventRequest,
): Chosen | { state: FormState } {
  const fields = fieldsOf(subject, voice)
  const scale = { timezone: event.timezone, currency: subject.currency }
  const sent = readForm(fields, query)
  if (!query.has('how')) {
    const line = query.get(LINE)
    const ticket = subject.tickets.flatMap(({ id, stands, registrationId }) =>
      stands && (line === null || line === registrationId) ? [id] : [],
    )
    return { state: newForm(fields, scale, { ticket, how: 'cost' }) }
  }
  const refuse = (faults: Map<string, FieldFault>) => ({
    state: refusedForm(fields, scale, sent, { faults }),
  })
  const parsed = parseForm(fields, scale, sent)
  if ('faults' in parsed) return refuse(parsed.faults)
  if (query.has(EDIT)) return refuse(new Map())
  const { ticket: ticketIds, how, amount: typed } = parsed.values
  if (how === 'another' && typed === null)
    return refuse(new Map([['amount', { say: ({ faults }) => faults.required({}) }]]))
  const amount = how === 'cost' ? costOf(subject, ticketIds) : how === 'another' ? (typed ?? 0) : 0
  if (amount > subject.left) {
    const most = voice.format.money(subject.left, subject.currency)
    return refuse(new Map([['amount', { say: ({ refunds }) => refunds.amountHelp(most) }]]))
  }
  if (amount === 0 && ticketIds.length === 0)
    return refuse(new Map([['ticket', { say: ({ refunds }) => refunds.chooseSomething }]]))
  return { ticketIds, amount }
}

interface ChooseProps {
  subject: Refundable
  request: EventRequest
  action: string
  leave: string
}

/** Leads to the page that asks once more. The form itself does nothing. */
export function ChooseForm({ subject, request, action, leave }: ChooseProps) {
  const { texts, format } = request.voice
  const choice = readChoice(subject, request)
  if (!('state' in choice)) return null
  const { state } = choice
  return (
    <form method="get" action={action} class="form" novalidate>
      <ErrorSummary state={state} texts={texts} />
      <p>{texts.refunds.leftNow(format.money(subject.left, subject.currency))}</p>
      <FieldRows
        state={state}
        texts={texts}
        names={subject.tickets.some(({ stands }) => stands) ? ['ticket', 'how', 'amount'] : ['how', 'amount']}
      />
      <div class="end-bar">
        <button type="submit" class="button main">
          {texts.refunds.goOn}
        </button>
        <a class="button plain" href={leave}>
          {texts.page.leave}
        </a>
      </div>
    </form>
  )
}
