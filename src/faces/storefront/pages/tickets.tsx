import { toDecimal } from '#base/money.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage, OfferedType } from '#product/catalog/event-pages/schemas.ts'
import { MAX_TICKETS } from '#product/selling/orders/schemas.ts'
import { givenName } from '../given-price.ts'
import { CODE, QUANTITY } from '../order-form.ts'
import { paths } from '../paths.ts'
import { BACK, inSpeech, type Speech } from '../voice.ts'
import { mayAskAgain } from './lost-page.tsx'

interface TicketsProps {
  page: EventPage
  speech: Speech
  voice: Voice
  /** The code that the visitor entered. The prices already take it into account. */
  code?: string | null
}

/** Shows which tickets are on offer, at which price, and until when. */
export function Tickets({ page, speech, voice, code = null }: TicketsProps) {
  const { event, types, organizer } = page
  const { storefront: texts, checkout } = voice.texts
  const orderable = types.filter(isTicket).filter(isOrderable)
  const waitlist =
    event.waitlist_mode === 'off' ? undefined : inSpeech(speech, paths.waitlist(organizer.slug, event.slug))
  return (
    <section class="card offers" aria-labelledby="tickets">
      <h2 id="tickets">{texts.tickets}</h2>
      {types.length === 0 ? (
        <p class="quiet">{texts.noTickets}</p>
      ) : (
        // The address carries the choice, so that the visitor can share it, and so that the way back has it.
        <form method="get" action={paths.register(organizer.slug, event.slug)}>
          <ul>
            {types.filter(isTicket).map(type => (
              <Offer
                key={type.id}
                type={type}
                page={page}
                voice={voice}
                isOnly={orderable.length === 1}
                isOrderable={isOrderable(type)}
                waitlist={waitlist}
              />
            ))}
          </ul>
          <Extras page={page} voice={voice} areOrderable={orderable.length > 0} />
          <CarriedSpeech speech={speech} />
          {code !== null && <input type="hidden" name={CODE} value={code} />}
          {orderable.length === 0 && page.others !== null && (
            <p>
              <a href={inSpeech(speech, paths.event(organizer.slug, page.others.slug))}>
                {voice.texts.series.chooseOther}
              </a>
            </p>
          )}
          {orderable.length > 0 && (
            <button type="submit" class="button main">
              {checkout.register}
            </button>
          )}
        </form>
      )}
      {code === null && page.hasCodes && !page.isOver && (
        <form method="get" action={paths.register(organizer.slug, event.slug)} class="code">
          <label for={CODE}>{checkout.haveCode}</label>
          <div class="row">
            <input id={CODE} name={CODE} maxlength={40} autocomplete="off" />
            <CarriedSpeech speech={speech} />
            <button type="submit" class="button">
              {checkout.useCode}
            </button>
          </div>
        </form>
      )}
      {types.some(({ hasTax }) => hasTax) && <p class="small quiet">{texts.taxIncluded}</p>}
      {event.requires_approval && <p class="small quiet">{texts.approval}</p>}
      {mayAskAgain(page) && (
        <p class="small quiet">
          {checkout.lost.before}{' '}
          <a href={inSpeech(speech, paths.lostTickets(organizer.slug, event.slug), code ?? page.code)}>
            {checkout.lost.link}
          </a>
        </p>
      )}
    </section>
  )
}

/** A form that goes to an address takes the language and the way back along. */
function CarriedSpeech({ speech: { isChosen, language, back } }: { speech: Speech }) {
  return (
    <>
      {isChosen && <input type="hidden" name="lang" value={language} />}
      {back !== undefined && <input type="hidden" name={BACK} value={back} />}
    </>
  )
}

/** Shows what can be taken beside a ticket. Nobody can take any of it while there is no ticket to take. */
function Extras({
  page,
  voice,
  areOrderable,
}: Pick<OfferProps, 'page' | 'voice'> & { areOrderable: boolean }) {
  const extras = page.types.filter(type => !isTicket(type))
  if (extras.length === 0) return null
  const { storefront: texts } = voice.texts
  return (
    <div class="extras">
      <h2>{texts.extras}</h2>
      <p class="small quiet">{texts.extrasAbout}</p>
      <ul>
        {extras.map(type => (
          <Offer
            key={type.id}
            type={type}
            page={page}
            voice={voice}
            isOnly={false}
            isOrderable={areOrderable && isOrderable(type)}
            waitlist={undefined}
          />
        ))}
      </ul>
    </div>
  )
}

function isTicket({ kind }: OfferedType): boolean {
  return kind === 'ticket'
}

interface OfferProps {
  type: OfferedType
  page: EventPage
  voice: Voice
  /** The visitor can order nothing else. */
  isOnly: boolean
  isOrderable: boolean
  /** The address of the form that joins the waitlist. It is undefined if there is no waitlist. */
  waitlist: string | undefined
}

function Offer({ type, page, voice, isOnly, isOrderable: canTake, waitlist }: OfferProps) {
  const { name, description, state } = type
  return (
    <li class={state === 'on_sale' || state === 'draft' ? undefined : 'unavailable'}>
      <h3 dir="auto">{name}</h3>
      <p class="price">{printPrice(type, page, voice)}</p>
      {description !== null && (
        <p class="small quiet lines" dir="auto">
          {description}
        </p>
      )}
      {type.state === 'sold_out' ? (
        <SoldOut type={type} voice={voice} waitlist={waitlist} />
      ) : (
        <Availability type={type} page={page} voice={voice} />
      )}
      {canTake && type.open_price && <Given type={type} page={page} voice={voice} />}
      {canTake && <Quantity type={type} voice={voice} isOnly={isOnly} />}
    </li>
  )
}

function printPrice({ price, open_price }: OfferedType, { event }: EventPage, voice: Voice): string {
  const { storefront: texts } = voice.texts
  const least = price === 0 ? texts.free : voice.format.money(price, event.currency)
  if (!open_price) return least
  return price === 0 ? texts.anyPrice : texts.priceFrom(least)
}

/** Asks what the buyer gives for each. Without a least price, nothing is filled in, because nobody should give by mistake. */
function Given({ type, page, voice }: Pick<OfferProps, 'type' | 'page' | 'voice'>) {
  const field = givenName(type)
  const { currency } = page.event
  return (
    <p class="given">
      <label for={field}>
        <span class="hidden">{type.name}: </span>
        {voice.texts.checkout.given(currency)}
      </label>
      <input
        id={field}
        name={field}
        inputmode="decimal"
        autocomplete="off"
        maxlength={20}
        class="short"
        value={type.price === 0 ? '' : toDecimal(type.price, currency)}
      />
    </p>
  )
}

function Availability({ type, page, voice }: Pick<OfferProps, 'type' | 'page' | 'voice'>) {
  const { storefront: texts } = voice.texts
  const { state, left, sales_start: start, sales_end: end } = type
  if (state === 'ended') return <State tone="off">{texts.saleEnded}</State>
  if (state === 'later' && start !== null)
    return <State tone="warn">{texts.onSaleFrom(voice.format.dateTime(start))}</State>
  return (
    <>
      {state === 'no_way_to_pay' && <p class="small quiet">{page.isPaused ? texts.paused : texts.notHere}</p>}
      {left !== null && <State tone="warn">{texts.lastOnes(left)}</State>}
      {end !== null && <p class="small quiet">{texts.onSaleUntil(voice.format.dateTime(end))}</p>}
    </>
  )
}

function SoldOut({ type: { id, name }, voice, waitlist }: Pick<OfferProps, 'type' | 'voice' | 'waitlist'>) {
  const { storefront: texts, checkout } = voice.texts
  return (
    <>
      <State tone="off">{texts.soldOut}</State>
      {waitlist !== undefined && (
        <p>
          <a href={withQuery(waitlist, { type: id })} aria-label={checkout.waitlistOf(name)}>
            {checkout.waitlist}
          </a>
        </p>
      )}
    </>
  )
}

function State({ tone, children }: { tone: 'off' | 'warn'; children: string }) {
  return (
    <p>
      <Pill tone={tone}>{children}</Pill>
    </p>
  )
}

function isOrderable({ state }: OfferedType): boolean {
  return state === 'on_sale'
}

function Quantity({ type, voice, isOnly }: Pick<OfferProps, 'type' | 'voice' | 'isOnly'>) {
  const { id, name, min_per_order: min, max_per_order, left } = type
  const max = Math.min(max_per_order ?? MAX_TICKETS, left ?? MAX_TICKETS, MAX_TICKETS)
  const field = QUANTITY + id
  const some = Array.from({ length: Math.max(0, max - min + 1) }, (_, at) => min + at)
  return (
    <p class="quantity">
      <label for={field} class="hidden">
        {voice.texts.checkout.chooseOf(name)}
      </label>
      <select id={field} name={field}>
        {[0, ...some].map(quantity => (
          <option key={quantity} value={String(quantity)} selected={isOnly && quantity === min}>
            {quantity}
          </option>
        ))}
      </select>
    </p>
  )
}
