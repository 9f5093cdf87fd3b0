import type { Problem } from '#base/problem.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withoutExchanged } from '#product/selling/orders/exchanged.ts'
import { extraLines, ticketLines } from '#product/selling/orders/schemas.ts'
import { withdrawableUntil } from '#product/selling/orders/withdrawal.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { inSpeech } from '../voice.ts'
import { Holder } from './holder.tsx'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

/** Shows the form for the names on the tickets. */
export function NamesDocument({ state, ...props }: OrderProps & { state: FormState }) {
  const { path, speech, voice, namesUntil, event } = props
  const { texts, format } = voice
  const isOpenEnded = event.names_locked_at === null && event.starts_at === null
  return (
    <Frame {...props} title={texts.checkout.namesTitle} here={`${path}/names`} isRefused={isRefused(state)}>
      <h1>{texts.checkout.namesTitle}</h1>
      {!isOpenEnded && <p class="quiet">{texts.checkout.namesHelp(format.dateTime(namesUntil))}</p>}
      <Form
        state={state}
        texts={texts}
        action={inSpeech(speech, `${path}/names`)}
        submit={texts.checkout.save}
        leave={inSpeech(speech, path)}
        leaveText={texts.checkout.toOrder}
      >
        {ticketLines(withoutExchanged(props.order)).flatMap(line =>
          line.attendees.map(({ id }, at) => (
            <Holder
              key={id}
              ticket={texts.checkout.ticket(line.registration_type_name ?? '', at + 1, line.attendees.length)}
              names={[`${id}.name`, `${id}.email`].filter(name => name in state.fields)}
              state={state}
              texts={texts}
            />
          )),
        )}
      </Form>
    </Frame>
  )
}

/** The name of the field with the refund that the page showed, in minor units. The server refunds only what was shown. */
export const BACK = 'back'

type Ending = OrderProps & { problem: Problem | undefined }

/** Asks whether to cancel the order, or to withdraw a request that waits. */
export function CancelDocument(props: Ending) {
  const { order, event, voice } = props
  const { checkout } = voice.texts
  const isConfirmed = order.status === 'confirmed'
  const until =
    isConfirmed && event.cancel_until !== null ? voice.format.dateTime(event.cancel_until) : undefined
  return (
    <EndDocument
      {...props}
      title={checkout.cancelTitle}
      action="cancel"
      submit={isConfirmed ? checkout.cancelSubmit : checkout.withdrawSubmit}
      also={until === undefined ? [] : [checkout.cancelUntil(until)]}
      back={props.money?.back?.cancel}
    />
  )
}

/** Asks whether to withdraw from the contract. */
export function WithdrawDocument(props: Ending) {
  const { order, event, voice } = props
  const { contract } = voice.texts.checkout
  const until = withdrawableUntil(order, event)
  const about =
    until === undefined
      ? []
      : [contract.about(order.reference, order.buyer.name, voice.format.dateTime(until))]
  return (
    <EndDocument
      {...props}
      title={contract.title}
      action="withdraw"
      submit={contract.submit}
      also={[...about, contract.written(order.buyer.email)]}
      back={props.money?.back?.withdraw}
    />
  )
}

interface EndProps extends Ending {
  title: string
  action: string
  submit: string
  /** Further notes that the buyer should know. */
  also: readonly string[]
  /** The refund in minor units. It is undefined if nothing was paid. */
  back: number | undefined
}

/** Asks before the buyer gives up all that stands of an order. */
function EndDocument({ problem, title, action, submit, also, back, ...props }: EndProps) {
  const { order, path, speech, voice } = props
  const { texts } = voice
  const { checkout } = texts
  const [tickets, extras] = [countStanding(ticketLines(order)), countStanding(extraLines(order))]
  const paid = paidOf(props)
  const say = (amount: number) => voice.format.money(amount, order.currency)
  return (
    <Frame {...props} title={title} here={`${path}/${action}`} isRefused={problem !== undefined}>
      <h1>{title}</h1>
      {problem !== undefined && (
        <Banner tone="bad">
          <p role="alert">{describeProblem(texts, problem)}</p>
        </Banner>
      )}
      <div class="card">
        <ul class="will">
          {(tickets > 0 || extras === 0) && <li>{checkout.will.void(tickets)}</li>}
          {extras > 0 && (
            <li>
              {checkout.will.extras(extras)} <bdi>{namesOf(extraLines(order), checkout.line)}</bdi>
            </li>
          )}
          <li>{checkout.will.back}</li>
          {back !== undefined && (
            <li>
              <strong>
                {back === 0
                  ? checkout.will.nothingBack(say(paid))
                  : checkout.will.moneyBack(say(back), say(paid))}
              </strong>
            </li>
          )}
          {also.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <form method="post" action={inSpeech(speech, `${path}/${action}`)}>
          {back !== undefined && <input type="hidden" name={BACK} value={back} />}
          <div class="end-bar">
            <button type="submit" class="button danger">
              {submit}
            </button>
            <a class="button plain" href={inSpeech(speech, path)}>
              {checkout.keep}
            </a>
          </div>
        </form>
      </div>
    </Frame>
  )
}

/** Names what stands of these lines, each type once. */
function namesOf(
  lines: OrderProps['order']['registrations'],
  say: (count: number, type: string) => string,
): string {
  const byType = Map.groupBy(lines, ({ registration_type_name }) => registration_type_name ?? '')
  const counts = [...byType].map(([type, some]) => [type, countStanding(some)] as const)
  return counts.flatMap(([type, n]) => (n === 0 ? [] : [say(n, type)])).join(', ')
}

function countStanding(lines: OrderProps['order']['registrations']): number {
  return lines
    .filter(({ status }) => status === 'confirmed' || status === 'pending')
    .reduce((sum, { attendees }) => sum + attendees.filter(({ voided }) => !voided).length, 0)
}

/** Returns the price of the tickets that are given up, in minor units. */
function paidOf({ order: { registrations, prices } }: OrderProps): number {
  return registrations
    .filter(({ status }) => status === 'confirmed')
    .flatMap(({ attendees }) => attendees.filter(({ voided }) => !voided))
    .reduce((sum, { id }) => sum + (prices.get(id)?.price ?? 0) - (prices.get(id)?.discount ?? 0), 0)
}
