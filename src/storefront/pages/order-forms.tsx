import type { Problem } from '../../problem.ts'
import { Banner } from '../../web/components/parts.tsx'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import { inSpeech } from '../voice.ts'
import { Holder } from './holder.tsx'
import { Frame, type OrderProps } from './order-page.tsx'

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

/** Asks whether to cancel, or to withdraw what waits. */
export function CancelDocument({ problem, ...props }: OrderProps & { problem: Problem | undefined }) {
  const { order, event, path, speech, voice } = props
  const { texts, format } = voice
  const { checkout } = texts
  const count = order.registrations
    .filter(({ status }) => status === 'confirmed' || status === 'pending')
    .reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Frame {...props} title={checkout.cancelTitle}>
      <h1>{checkout.cancelTitle}</h1>
      {problem !== undefined && (
        <Banner tone="bad">
          <p role="alert">{tellProblem(texts, problem)}</p>
        </Banner>
      )}
      <div class="card">
        <ul class="will">
          <li>{checkout.will.void(count)}</li>
          <li>{checkout.will.back}</li>
          {order.status === 'confirmed' && event.cancel_until !== null && (
            <li>{checkout.cancelUntil(format.dateTime(event.cancel_until))}</li>
          )}
        </ul>
        <form method="post" action={inSpeech(speech, `${path}/cancel`)}>
          <div class="end-bar">
            <button type="submit" class="button danger">
              {order.status === 'pending' ? checkout.withdrawSubmit : checkout.cancelSubmit}
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
