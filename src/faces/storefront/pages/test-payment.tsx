import { Banner } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import type { TestAction, TestSession } from '#product/selling/payments/test-processor.ts'
import { StoreDocument } from '../document.tsx'
import { inSpeech, type Speech } from '../voice.ts'

interface TestPaymentProps {
  session: TestSession
  order: Order
  /** The path of this page, and the path back to the order. */
  action: string
  back: string
  speech: Speech
  voice: Voice
}

const OPEN: readonly TestAction[] = ['pay', 'decline', 'pay_later', 'close']
const PROCESSING: readonly TestAction[] = ['succeed', 'fail']

/** Shows the page of the sandbox's payment processor. */
export function TestPaymentDocument({ session, order, action, back, speech, voice }: TestPaymentProps) {
  const { texts, format } = voice
  const { test } = texts.payment
  const actions = { open: OPEN, processing: PROCESSING, paid: [], failed: [], expired: [] }[session.state]
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[test.title]}
      head={<meta name="robots" content="noindex" />}
    >
      <div class="narrow">
        <h1>{test.title}</h1>
        <p class="quiet">{test.about}</p>
        {session.isDeclined && session.state === 'open' && (
          <Banner tone="warn">
            <p role="alert">{test.declined}</p>
          </Banner>
        )}
        <section class="card stack" aria-labelledby="sum">
          <h2 id="sum">{texts.checkout.order(order.reference)}</h2>
          <p class="headline">{format.money(session.amount, session.currency)}</p>
          {actions.length === 0 && <p>{test.over}</p>}
          {actions.length > 0 && (
            <form method="post" action={inSpeech(speech, action)} class="end-bar">
              {actions.map(each => (
                <button
                  key={each}
                  type="submit"
                  name="action"
                  value={each}
                  class={each === 'pay' || each === 'succeed' ? 'button main' : 'button'}
                >
                  {test[each]}
                </button>
              ))}
            </form>
          )}
        </section>
        <p>
          <a href={inSpeech(speech, back)}>{test.back}</a>
        </p>
      </div>
    </StoreDocument>
  )
}
