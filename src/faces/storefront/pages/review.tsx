import type { EventPage } from '../../event-pages/schemas.ts'
import type { Method } from '../../payments/processor.ts'
import type { Problem } from '../../problem.ts'
import { fieldOf } from '../../questions/answers.ts'
import type { Question } from '../../questions/schemas.ts'
import { Markdown } from '../../web/components/markdown.tsx'
import { Banner, Facts } from '../../web/components/parts.tsx'
import { FORM_SEEN } from '../../web/forms/form.ts'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import type { Voice } from '../../web/voice.ts'
import { StoreDocument } from '../document.tsx'
import { SHOWN } from '../form-guard.ts'
import { INVOICE_NAMES, invoiceForm } from '../invoice-form.ts'
import { type Filled, ticketsOf } from '../order-form.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { Sum } from './sum.tsx'
import { WAY, Ways } from './ways.tsx'

interface ReviewProps {
  page: EventPage
  filled: Filled
  /** All that the form has sent. */
  body: URLSearchParams
  values: Readonly<Record<string, unknown>>
  shown: string
  /** What the buyer agrees to with the button. */
  agreed: string
  problem: Problem | undefined
  /** In which it can be paid; none where that comes later, or is not needed. */
  ways: readonly Method[]
  speech: Speech
  voice: Voice
}

/** What was filled in, to be looked at once more, and the button that takes it. */
export function ReviewDocument(props: ReviewProps) {
  const { page, filled, body, shown, agreed, problem, ways, speech, voice } = props
  const { event, organizer } = page
  // Those that are agreed to: the page may have been read a moment earlier.
  const { terms } = filled.basket.event
  const { texts } = voice
  const { checkout } = texts
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[checkout.reviewTitle, event.title]}
      home={{ href: paths.account(organizer.slug), name: organizer.name }}
    >
      <div class="narrow">
        <h1>{checkout.reviewTitle}</h1>
        <p class="quiet" dir="auto">
          {event.title}
        </p>
        {problem !== undefined && (
          <Banner tone="warn">
            <p role="alert">{tellProblem(texts, problem)}</p>
          </Banner>
        )}
        <Said {...props} />
        {terms !== null && (
          <details class="card">
            <summary>{texts.storefront.terms}</summary>
            <Markdown text={terms} />
          </details>
        )}
        <Sum basket={filled.basket} voice={voice} />
        <form
          method="post"
          action={inSpeech(speech, paths.placeOrder(organizer.slug, event.slug), page.code)}
        >
          {[...body]
            .filter(([name]) => name !== SHOWN && name !== FORM_SEEN && name !== WAY)
            .map(([name, value], at) => (
              <input key={`${at}`} type="hidden" name={name} value={value} />
            ))}
          <input type="hidden" name={SHOWN} value={shown} />
          <input type="hidden" name={FORM_SEEN} value={agreed} />
          <Ways ways={ways} chosen={body.get(WAY)} texts={texts} legend={texts.payment.how} />
          {event.requires_approval && filled.basket.total > 0 && (
            <p class="small quiet">{texts.payment.afterApproval}</p>
          )}
          <div class="end-bar">
            <button type="submit" class="button main">
              {filled.basket.total > 0 ? texts.payment.obligation : checkout.submit}
            </button>
            <button
              type="submit"
              class="button"
              formaction={inSpeech(speech, paths.changeOrder(organizer.slug, event.slug), page.code)}
            >
              {checkout.changeIt}
            </button>
          </div>
        </form>
      </div>
    </StoreDocument>
  )
}

function Said({ filled, values, voice: { texts } }: Pick<ReviewProps, 'filled' | 'values' | 'voice'>) {
  const { basket, asked } = filled
  const { checkout } = texts
  const said = (name: string) => values[name] as string | null
  const answered = (some: readonly Question[], ticket?: number) =>
    some.flatMap(({ id, label }) => {
      const answer = said(fieldOf({ id }, ticket))
      return answer === null ? [] : [{ id, label, answer }]
    })
  const tickets = ticketsOf(basket)
  const ofTicket = (ticket: number) =>
    answered(asked.tickets[ticket] ?? [], ticket).map(({ id, label, answer }) => (
      <span key={id} class="answer small">
        <bdi class="quiet">{label}</bdi> <bdi>{answer}</bdi>
      </span>
    ))
  return (
    <div class="card">
      <Facts
        facts={[
          [checkout.name, <bdi key="n">{said('buyer.name')}</bdi>],
          [checkout.email, <bdi key="e">{said('buyer.email')}</bdi>],
          ...INVOICE_NAMES.flatMap(name => {
            const line = said(name)
            const label = invoiceForm[name].label(texts)
            return line === null || line === undefined ? [] : [[label, <bdi key={name}>{line}</bdi>] as const]
          }),
          ...[
            ...answered(asked.order),
            ...(tickets.length > 0 ? [] : answered(asked.tickets[0] ?? [], 0)),
          ].map(({ id, label, answer }) => [label, <bdi key={id}>{answer}</bdi>] as const),
          ...tickets.map(({ key, typeName, n, of }, at) => {
            const email = said(`${key}.email`)
            return [
              checkout.ticket(typeName, n, of),
              <>
                <bdi>
                  {said(`${key}.name`) ?? said('buyer.name')}
                  {email !== null && ` · ${email}`}
                </bdi>
                {ofTicket(at)}
              </>,
            ] as const
          }),
        ]}
      />
    </div>
  )
}
