import type { Problem } from '#base/problem.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { inSpeech } from '../voice.ts'
import { Addresses } from './mail-notes.tsx'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

/**
 * Asks a buyer who has followed the link in their mail whether to send other people their tickets. The page itself sends nothing,
 * because programs that scan mails open every link in them.
 */
export function ConfirmDocument({
  action,
  problem,
  ...props
}: OrderProps & { action: string; problem: Problem | undefined }) {
  const { order, event, path, speech, voice } = props
  const { checkout } = voice.texts
  const { othersWait: texts } = checkout
  const untold = unnotifiedOf(order)
  return (
    <Frame {...props} title={texts.pageTitle} here={action} isRefused={problem !== undefined}>
      <h1>{texts.pageTitle}</h1>
      {problem !== undefined && (
        <Banner tone="warn">
          <p role="alert">
            {problem.code === 'too_many_mails' ? texts.tooMany : describeProblem(voice.texts, problem)}
          </p>
        </Banner>
      )}
      <div class="card stack">
        {untold.length === 0 ? (
          <p>{texts.nothing}</p>
        ) : (
          <>
            <p>{texts.pageAbout(order.reference, event.title)}</p>
            <Addresses of={untold} />
            <p class="quiet">{texts.notYou}</p>
          </>
        )}
        <form method="post" action={inSpeech(speech, action)}>
          <div class="end-bar">
            {untold.length > 0 && (
              <button type="submit" class="button main">
                {texts.submit}
              </button>
            )}
            <a class="button plain" href={inSpeech(speech, path)}>
              {checkout.toOrder}
            </a>
          </div>
        </form>
      </div>
    </Frame>
  )
}
