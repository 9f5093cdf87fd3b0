import type { Problem } from '#base/problem.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { fieldOf } from '#product/guests/questions/answers.ts'
import { Questions } from '#product/guests/questions/form.tsx'
import type { Basket } from '#product/selling/orders/basket.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { WhenLine } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { givenNames, namesToAsk } from '../given-price.ts'
import { Guarded } from '../guarded.tsx'
import { CODE, type Filled, QUANTITY, ticketsOf } from '../order-form.ts'
import { pathOf, paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { Holder } from './holder.tsx'
import { InvoiceRows } from './invoice-rows.tsx'
import { LegalFoot } from './legal-foot.tsx'
import { Sum, Total } from './sum.tsx'

interface RegisterProps {
  page: EventPage
  /** It is undefined if there is nothing to fill in. */
  filled: Filled | undefined
  state: FormState | undefined
  /** The sealed time at which the form was shown. */
  shown: string
  problem?: Problem
  speech: Speech
  voice: Voice
}

/** Shows the form of an order, which asks for the buyer and the holders. */
export function RegisterDocument({ page, filled, state, shown, problem, speech, voice }: RegisterProps) {
  const { event, organizer } = page
  const { texts } = voice
  const title = texts.checkout.title(event.title)
  const leave = inSpeech(speech, pathOf(page))
  const waitlistOf = (type: string) =>
    event.waitlist_mode === 'off' || page.types.some(({ id, kind }) => id === type && kind === 'extra')
      ? undefined
      : withQuery(paths.waitlist(organizer.slug, event.slug), {
          type,
          lang: speech.isChosen ? speech.language : undefined,
        })
  const waitlist =
    problem?.code === 'sold_out' ? waitlistOf(String(problem.details?.registration_type_id)) : undefined
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[title, organizer.name]}
      isRefused={problem !== undefined || (state !== undefined && isRefused(state))}
      home={organizer}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class={filled === undefined ? 'narrow' : 'narrow with-sum'}>
        <h1 dir="auto">{title}</h1>
        <WhenLine event={event} format={voice.format} />
        {filled === undefined || state === undefined ? (
          <Banner
            tone="warn"
            action={
              <a class="button" href={leave}>
                {texts.checkout.toEvent}
              </a>
            }
          >
            <p>{problem && describeProblem(texts, problem)}</p>
            {waitlist !== undefined && (
              <p>
                <a href={waitlist}>{texts.checkout.waitlistOf(String(problem?.details?.name))}</a>
              </p>
            )}
          </Banner>
        ) : (
          <>
            {page.isPaused && filled.basket.total > 0 && !event.requires_approval && (
              <Banner tone="warn">
                <p role="status">{texts.payment.allPaused}</p>
              </Banner>
            )}
            <Sum basket={filled.basket} voice={voice} />
            <Form
              state={state}
              texts={texts}
              action={inSpeech(speech, paths.register(organizer.slug, event.slug), page.code)}
              submit={texts.checkout.next}
              leave={leave}
              leaveText={texts.checkout.toEvent}
            >
              <Carried
                basket={filled.basket}
                soldOut={state.problem?.code === 'sold_out' ? state.problem : undefined}
                waitlistOf={waitlistOf}
                shown={shown}
                voice={voice}
              />
              <GivenRows state={state} voice={voice} />
              <OrderRows filled={filled} state={state} voice={voice} />
              <Total basket={filled.basket} voice={voice} />
            </Form>
          </>
        )}
      </div>
    </StoreDocument>
  )
}

/** Carries the prices that the buyer gives, and asks once more for those that are missing or cannot be. */
function GivenRows({ state, voice: { texts } }: { state: FormState; voice: Voice }) {
  const asked = namesToAsk(state)
  const carried = givenNames(state).filter(name => !asked.includes(name))
  return (
    <>
      {carried.map(name => (
        <input key={name} type="hidden" name={name} value={state.typed[name]?.[0]} />
      ))}
      {asked.length > 0 && (
        <FieldGroup legend={texts.checkout.givenLegend} state={state} texts={texts} names={asked} />
      )}
    </>
  )
}

interface CarriedProps {
  basket: Basket
  soldOut: Problem | undefined
  /** Returns the address of the form that joins the waitlist of a type, if it has one. */
  waitlistOf: (typeId: string) => string | undefined
  shown: string
  voice: Voice
}

/** Carries the quantities in hidden fields. A person sees only the type that has too few tickets left. */
function Carried({ basket, soldOut, waitlistOf, shown, voice }: CarriedProps) {
  const short = soldOut?.details?.registration_type_id
  const carried = basket.lines.filter(({ type }) => type.id !== short)
  return (
    <>
      {carried.map(({ type, prices }) => (
        <input key={type.id} type="hidden" name={QUANTITY + type.id} value={String(prices.length)} />
      ))}
      {basket.lines.map(({ type, prices }) =>
        type.id !== short ? null : (
          <Fewer
            key={type.id}
            type={type}
            most={Math.min(prices.length, Number(soldOut?.details?.available ?? 0))}
            waitlist={waitlistOf(type.id)}
            voice={voice}
          />
        ),
      )}
      {basket.code !== undefined && <input type="hidden" name={CODE} value={basket.code.code} />}
      <Guarded shown={shown} voice={voice} />
    </>
  )
}

interface FewerProps {
  type: Basket['lines'][number]['type']
  /** The buyer can still have this many. */
  most: number
  waitlist: string | undefined
  voice: Voice
}

/** Tells the buyer that somebody else was faster. The buyer can take what is left, and join the waitlist for the rest. */
function Fewer({ type: { id, name, min_per_order: min }, most, waitlist, voice }: FewerProps) {
  const { checkout } = voice.texts
  const field = QUANTITY + id
  const quantities = [...Array.from({ length: Math.max(0, most - min + 1) }, (_, fewer) => most - fewer), 0]
  return (
    <div class="field">
      <label for={field}>
        <bdi>{checkout.fewer(name)}</bdi>
      </label>
      <select id={field} name={field} class="short">
        {quantities.map(quantity => (
          <option key={quantity} value={String(quantity)}>
            {quantity}
          </option>
        ))}
      </select>
      {most === 0 && waitlist !== undefined && (
        <p>
          <a href={waitlist}>{checkout.waitlistOf(name)}</a>
        </p>
      )}
    </div>
  )
}

/** Shows all fields of an order: the buyer's, unless the buyer is known already, the holders', the questions and the terms. */
export function OrderRows({ filled, state, voice }: { filled: Filled; state: FormState; voice: Voice }) {
  const { texts } = voice
  const { terms } = filled.basket.event
  const tickets = ticketsOf(filled.basket)
  const { order, tickets: ofTickets } = filled.applicable
  const areNamed = tickets.some(({ isNamed }) => isNamed)
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
      <InvoiceRows state={state} texts={texts} />
      {tickets.some(({ isNamed }, at) => isNamed || (ofTickets[at] ?? []).length > 0) && (
        <fieldset class="holders">
          <legend>{areNamed ? texts.checkout.holders : texts.checkout.aboutEach}</legend>
          {areNamed && <p class="help">{texts.checkout.holdersHelp}</p>}
          {tickets.map(({ key, name, isNamed }, at) => (
            <Holder
              key={key}
              ticket={name(texts)}
              names={[
                ...(isNamed ? [`${key}.name`, `${key}.email`] : []),
                ...(ofTickets[at] ?? []).map(question => fieldOf(question, at)),
              ]}
              state={state}
              texts={texts}
            />
          ))}
        </fieldset>
      )}
      <Questions
        applicable={tickets.length > 0 ? { order, tickets: [] } : filled.applicable}
        state={state}
        texts={texts}
      />
      {terms !== null && (
        <div class="stack">
          <details class="card">
            <summary>{texts.storefront.terms}</summary>
            <Markdown text={terms} />
          </details>
          <FieldRows state={state} texts={texts} names={['terms']} />
        </div>
      )}
    </>
  )
}
