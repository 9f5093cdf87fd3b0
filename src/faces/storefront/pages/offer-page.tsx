import { Problem } from '#base/problem.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import { isOpen } from '#product/selling/orders/accept-offer.ts'
import { payableUntil } from '#product/selling/orders/reservation-time.ts'
import type { PaymentMethods } from '#product/selling/payments/methods.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Filled } from '../order-form.ts'
import { inSpeech } from '../voice.ts'
import { isOff } from './event-off.tsx'
import { MethodChoice, PausedNote } from './method-choice.tsx'
import { EventFacts, Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'
import { OrderRows } from './register-page.tsx'
import { Sum } from './sum.tsx'

/** Shows the places that are held for a person on a waitlist, and the form that takes them or turns them down. */
export function OfferDocument({
  filled,
  state,
  methods,
  method,
  ...props
}: OrderProps & { filled: Filled; state: FormState; methods: PaymentMethods; method: string | null }) {
  const { order, event, path, speech, voice, now } = props
  const { texts, format } = voice
  const { checkout } = texts
  const isOn = event.status === 'published' && now < eventPages.endOf(event)
  const to = (action: string) => inSpeech(speech, `${path}/${action}`)
  return (
    <Frame {...props} title={checkout.order(order.reference)} here={path} isRefused={isRefused(state)}>
      <header class="stack">
        <h1>{headOf(props)}</h1>
        {isOpen(order, now) && isOn && (
          <p>{checkout.offerAbout(filled.basket.quantity, format.dateTime(order.expires_at as string))}</p>
        )}
      </header>
      <EventFacts {...props} isHolder={false} />
      {isOpen(order, now) && isOn ? (
        <>
          <PausedNote methods={methods} texts={texts} />
          <Sum basket={filled.basket} voice={voice} />
          <Form
            state={state}
            texts={texts}
            action={to('take')}
            submit={filled.basket.total > 0 ? texts.payment.obligation : checkout.offerTake}
            other={{ action: to('turn-down'), text: checkout.offerDecline }}
          >
            <OrderRows filled={filled} state={state} voice={voice} />
            <MethodChoice
              methods={methods}
              chosen={method}
              legend={texts.payment.how}
              transferUntil={format.date(payableUntil(filled.basket.event, now))}
              texts={texts}
            />
          </Form>
        </>
      ) : (
        <Banner tone="warn">
          <p role="status">
            {isOff(event)
              ? checkout.off.offer
              : isOn
                ? checkout.about.lapsed
                : describeProblem(texts, new Problem('not_on_sale'))}
          </p>
        </Banner>
      )}
    </Frame>
  )
}

/** Returns what the page says first. It is somebody's turn only as long as the offer can be taken. */
function headOf({ order, event, voice: { texts }, now }: OrderProps): string {
  const { off, heads, offerTitle } = texts.checkout
  if (isOff(event)) return off.title
  return isOpen(order, now) && now < eventPages.endOf(event) ? offerTitle : heads.lapsed
}
