import type { EventPage } from '../../event-pages/schemas.ts'
import type { Basket } from '../../orders/basket.ts'
import type { Problem } from '../../problem.ts'
import { Questions } from '../../questions/form.tsx'
import { Banner } from '../../web/components/parts.tsx'
import type { FormState } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import type { Voice } from '../../web/voice.ts'
import { StoreDocument } from '../document.tsx'
import { Guarded } from '../guarded.tsx'
import { CODE, type Filled, QUANTITY, ticketsOf } from '../order-form.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { Sum } from './sum.tsx'

interface RegisterProps {
  page: EventPage
  /** Undefined where there is nothing to fill in. */
  filled: Filled | undefined
  state: FormState | undefined
  /** Says when the form was shown. */
  shown: string
  problem?: Problem
  speech: Speech
  voice: Voice
}

/** The form of an order: who takes it, and for whom. */
export function RegisterDocument({ page, filled, state, shown, problem, speech, voice }: RegisterProps) {
  const { event, organizer } = page
  const { texts } = voice
  const title = texts.checkout.title(event.title)
  const leave = inSpeech(speech, paths.event(organizer.slug, event.slug))
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[title, organizer.name]}
      home={{ href: paths.account(organizer.slug), name: organizer.name }}
    >
      <div class="narrow">
        <h1 dir="auto">{title}</h1>
        {filled === undefined || state === undefined ? (
          <Banner
            tone="warn"
            action={
              <a class="button" href={leave}>
                {texts.checkout.toEvent}
              </a>
            }
          >
            <p>{problem && tellProblem(texts, problem)}</p>
          </Banner>
        ) : (
          <>
            <Sum basket={filled.basket} voice={voice} />
            <Form
              state={state}
              texts={texts}
              action={inSpeech(speech, paths.register(organizer.slug, event.slug))}
              submit={texts.checkout.next}
              leave={leave}
            >
              <Carried basket={filled.basket} shown={shown} voice={voice} />
              <OrderRows filled={filled} state={state} voice={voice} />
            </Form>
          </>
        )}
      </div>
    </StoreDocument>
  )
}

/** What a person does not see: how many of what. */
function Carried({ basket, shown, voice }: { basket: Basket; shown: string; voice: Voice }) {
  return (
    <>
      {basket.lines.map(({ type, prices }) => (
        <input key={type.id} type="hidden" name={QUANTITY + type.id} value={String(prices.length)} />
      ))}
      {basket.code !== undefined && <input type="hidden" name={CODE} value={basket.code.code} />}
      <Guarded shown={shown} voice={voice} />
    </>
  )
}

/** All fields of an order: the buyer's, unless that is said already, the holders', the questions and the terms. */
export function OrderRows({ filled, state, voice }: { filled: Filled; state: FormState; voice: Voice }) {
  const { texts } = voice
  const tickets = ticketsOf(filled.basket)
  const names = tickets.flatMap(({ key }) => [`${key}.name`, `${key}.email`])
  return (
    <>
      {state.fields['buyer.name'] !== undefined && (
        <FieldGroup
          legend={texts.checkout.you}
          state={state}
          texts={texts}
          names={['buyer.name', 'buyer.email']}
        />
      )}
      {names.length > 0 && (
        <fieldset>
          <legend>{texts.checkout.holders}</legend>
          <p class="help">{texts.checkout.holdersHelp}</p>
          <div class="pair">
            <FieldRows state={state} texts={texts} names={names} />
          </div>
        </fieldset>
      )}
      <Questions asked={filled.asked} state={state} texts={texts} />
      {state.fields.terms !== undefined && <FieldRows state={state} texts={texts} names={['terms']} />}
    </>
  )
}
