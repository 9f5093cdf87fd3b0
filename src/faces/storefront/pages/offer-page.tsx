import * as eventPages from '../../event-pages/rules.ts'
import { isOpen } from '../../orders/taking.ts'
import type { Method } from '../../payments/processor.ts'
import { Problem } from '../../problem.ts'
import { Banner } from '../../web/components/parts.tsx'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import type { Filled } from '../order-form.ts'
import { inSpeech } from '../voice.ts'
import { EventFacts, Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'
import { OrderRows } from './register-page.tsx'
import { Sum } from './sum.tsx'
import { Ways } from './ways.tsx'

/** What is held for somebody on a waitlist, and the form that takes it or turns it down. */
export function OfferDocument({
  filled,
  state,
  ways,
  way,
  ...props
}: OrderProps & { filled: Filled; state: FormState; ways: readonly Method[]; way: string | null }) {
  const { order, event, path, speech, voice, now } = props
  const { texts, format } = voice
  const { checkout } = texts
  const isOn = event.status === 'published' && now < eventPages.endOf(event)
  const to = (action: string) => inSpeech(speech, `${path}/${action}`)
  return (
    <Frame {...props} title={checkout.order(order.reference)}>
      <header class="stack">
        <h1>{checkout.offerTitle}</h1>
        {isOpen(order, now) && isOn && (
          <p>{checkout.offerAbout(filled.basket.quantity, format.dateTime(order.expires_at as string))}</p>
        )}
      </header>
      <EventFacts {...props} />
      {isOpen(order, now) && isOn ? (
        <>
          <Sum basket={filled.basket} voice={voice} />
          <Form
            state={state}
            texts={texts}
            action={to('take')}
            submit={filled.basket.total > 0 ? texts.payment.obligation : checkout.offerTake}
            other={{ action: to('turn-down'), text: checkout.offerDecline }}
          >
            <OrderRows filled={filled} state={state} voice={voice} />
            <Ways ways={ways} chosen={way} texts={texts} legend={texts.payment.how} />
          </Form>
        </>
      ) : (
        <Banner tone="warn">
          <p role="status">{isOn ? checkout.about.lapsed : tellProblem(texts, new Problem('not_on_sale'))}</p>
        </Banner>
      )}
    </Frame>
  )
}
