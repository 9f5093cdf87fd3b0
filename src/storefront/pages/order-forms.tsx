import { withdrawableUntil } from '../../orders/withdrawal.ts'
import type { Problem } from '../../problem.ts'
import { Banner } from '../../web/components/parts.tsx'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import { inSpeech } from '../voice.ts'
import { Holder } from './holder.tsx'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

/** The names on the tickets. */
export function NamesDocument({ state, ...props }: OrderProps & { state: FormState }) {
  const { path, speech, voice, namesUntil, event } = props
  const { texts, format } = voice
  const isOpenEnded = event.names_locked_at === null && event.starts_at === null
  return (
    <Frame {...props} title={texts.checkout.namesTitle}>
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
        {props.order.registrations.flatMap(line =>
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

type Ending = OrderProps & { problem: Problem | undefined }

/** Asks whether to cancel, or to withdraw what waits. */
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
    />
  )
}

interface EndProps extends Ending {
  title: string
  action: string
  submit: string
  /** What else is to be known. */
  also: readonly string[]
}

/** Asks before all that stands of an order is given up. */
function EndDocument({ problem, title, action, submit, also, ...props }: EndProps) {
  const { order, path, speech, voice } = props
  const { texts } = voice
  const { checkout } = texts
  const count = order.registrations
    .filter(({ status }) => status === 'confirmed' || status === 'pending')
    .reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Frame {...props} title={title}>
      <h1>{title}</h1>
      {problem !== undefined && (
        <Banner tone="bad">
          <p role="alert">{tellProblem(texts, problem)}</p>
        </Banner>
      )}
      <div class="card">
        <ul class="will">
          <li>{checkout.will.void(count)}</li>
          <li>{checkout.will.back}</li>
          {also.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <form method="post" action={inSpeech(speech, `${path}/${action}`)}>
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
