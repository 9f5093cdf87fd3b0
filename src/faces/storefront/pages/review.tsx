import type { Problem } from '#base/problem.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Facts } from '#machinery/web/components/parts.tsx'
import { FORM_PREVIEW } from '#machinery/web/forms/form.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { fieldOf } from '#product/guests/questions/answers.ts'
import { printAnswer } from '#product/guests/questions/print-answer.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { payableUntil } from '#product/selling/orders/reservation-time.ts'
import type { PaymentMethods } from '#product/selling/payments/methods.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { WhenLine } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { SHOWN } from '../form-guard.ts'
import { INVOICE_NAMES, invoiceForm } from '../invoice-form.ts'
import { type Filled, ticketsOf } from '../order-form.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'
import { METHOD, MethodChoice, PausedNote } from './method-choice.tsx'
import { Sum } from './sum.tsx'

interface ReviewProps {
  page: EventPage
  filled: Filled
  /** Everything that the form has sent. */
  body: URLSearchParams
  values: Readonly<Record<string, unknown>>
  shown: string
  /** The hash of what the buyer agrees to with the button. */
  agreed: string
  problem: Problem | undefined
  /** The methods by which the order can be paid. There are none if the payment comes later, or is not needed. */
  methods: PaymentMethods
  /** Milliseconds of the clock. */
  now: number
  speech: Speech
  voice: Voice
}

/** Shows what was filled in, for a review, and the button that places the order. */
export function ReviewDocument(props: ReviewProps) {
  const { page, filled, body, shown, agreed, problem, methods, now, speech, voice } = props
  const { event, organizer } = page
  // The basket has the terms that the buyer agrees to. The page may have been read a moment earlier.
  const { terms } = filled.basket.event
  const { texts } = voice
  const { checkout } = texts
  // The review does not let a buyer order what nobody can pay for. It keeps what was filled in, for another try.
  const isPaused = methods.offered.length === 0 && methods.paused.length > 0
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[checkout.reviewTitle, event.title]}
      isRefused={problem !== undefined}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="narrow">
        <h1>{checkout.reviewTitle}</h1>
        <p dir="auto">{event.title}</p>
        <WhenLine event={event} format={voice.format} />
        <PausedNote methods={methods} texts={texts} />
        {problem !== undefined && !isPaused && (
          <Banner tone="warn">
            <p role="alert">{describeProblem(texts, problem)}</p>
          </Banner>
        )}
        <EnteredNames {...props} />
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
            .filter(([name]) => name !== SHOWN && name !== FORM_PREVIEW && name !== METHOD)
            .map(([name, value], at) => (
              <input key={`${at}`} type="hidden" name={name} value={value} />
            ))}
          <input type="hidden" name={SHOWN} value={shown} />
          <input type="hidden" name={FORM_PREVIEW} value={agreed} />
          <MethodChoice
            methods={methods}
            chosen={body.get(METHOD)}
            legend={texts.payment.how}
            transferUntil={voice.format.date(payableUntil(filled.basket.event, now))}
            texts={texts}
          />
          {event.requires_approval && filled.basket.total > 0 && (
            <p class="small quiet">{texts.payment.afterApproval}</p>
          )}
          <div class="end-bar">
            {isPaused ? (
              <button
                type="submit"
                class="button main"
                formaction={inSpeech(speech, paths.register(organizer.slug, event.slug), page.code)}
              >
                {texts.payment.tryAgain}
              </button>
            ) : (
              <button type="submit" class="button main">
                {filled.basket.total > 0 ? texts.payment.obligation : checkout.submit}
              </button>
            )}
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

function EnteredNames({ filled, values, voice }: Pick<ReviewProps, 'filled' | 'values' | 'voice'>) {
  const { basket, applicable } = filled
  const { texts } = voice
  const { checkout } = texts
  const entered = (name: string) => values[name] as string | null
  const answered = (some: readonly Question[], ticket?: number) =>
    some.flatMap(({ id, label, kind }) => {
      const answer = entered(fieldOf({ id }, ticket))
      return answer === null ? [] : [{ id, label, answer: printAnswer({ kind }, answer, voice) }]
    })
  const tickets = ticketsOf(basket)
  const ofTicket = (ticket: number) =>
    answered(applicable.tickets[ticket] ?? [], ticket).map(({ id, label, answer }) => (
      <span key={id} class="answer small">
        <bdi class="quiet">{label}</bdi> <bdi>{answer}</bdi>
      </span>
    ))
  return (
    <div class="card">
      <Facts
        facts={[
          [checkout.name, <bdi key="n">{entered('buyer.name')}</bdi>],
          [checkout.email, <bdi key="e">{entered('buyer.email')}</bdi>],
          ...INVOICE_NAMES.flatMap(name => {
            const line = entered(name)
            const label = invoiceForm[name].label(texts)
            return line === null || line === undefined ? [] : [[label, <bdi key={name}>{line}</bdi>] as const]
          }),
          ...[
            ...answered(applicable.order),
            ...(tickets.length > 0 ? [] : answered(applicable.tickets[0] ?? [], 0)),
          ].map(
            ({ id, label, answer }) => [<bdi key={id}>{label}</bdi>, <bdi key={id}>{answer}</bdi>] as const,
          ),
          ...tickets.flatMap(({ key, name, isNamed }, at) => {
            const email = isNamed ? entered(`${key}.email`) : null
            const answers = ofTicket(at)
            if (!isNamed && answers.length === 0) return []
            return [
              [
                <bdi key={key}>{name(texts)}</bdi>,
                <>
                  {isNamed && <bdi>{entered(`${key}.name`) ?? entered('buyer.name')}</bdi>}
                  {email !== null && (
                    <>
                      {' · '}
                      <bdi>{email}</bdi>
                    </>
                  )}
                  {answers}
                </>,
              ] as const,
            ]
          }),
        ]}
      />
    </div>
  )
}
