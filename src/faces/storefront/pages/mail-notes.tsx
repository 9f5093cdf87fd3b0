import { Banner } from '#machinery/web/components/parts.tsx'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import { inSpeech } from '../voice.ts'
import type { OrderProps } from './order-props.ts'

/** Says which mails to the buyer and to others are not sent yet, and why. */
export function MailNotes(props: OrderProps) {
  const { order, path, speech, voice, mail } = props
  const { checkout } = voice.texts
  const { othersWait: texts } = checkout
  const untold = unnotifiedOf(order)
  return (
    <>
      {mail !== undefined && (
        <Banner tone="warn">
          <p>
            {mail.state === 'later'
              ? checkout.mailLater(voice.format.dateTime(mail.at))
              : checkout.mailNot(order.status === 'confirmed')}
          </p>
        </Banner>
      )}
      {untold.length > 0 && (
        <section class="card stack" aria-labelledby="others-wait">
          <h2 id="others-wait">{texts.title(untold.length)}</h2>
          <Addresses of={untold} />
          <p>{texts.onPage(order.buyer.email)}</p>
          {mail?.state !== 'later' && (
            <form method="post" action={inSpeech(speech, `${path}/resend`)} class="no-print">
              <button type="submit" class="button">
                {mail === undefined ? texts.again : texts.first}
              </button>
            </form>
          )}
        </section>
      )}
    </>
  )
}

/** Each address has a mark of its own, because a long one takes several lines. */
export function Addresses({ of }: { of: readonly string[] }) {
  return (
    <ul class="will">
      {of.map(email => (
        <li key={email}>
          <bdi>{email}</bdi>
        </li>
      ))}
    </ul>
  )
}
