import type { EventPage, OfferedType } from '../../event-pages/schemas.ts'
import { Pill } from '../../web/components/parts.tsx'
import type { Voice } from '../../web/voice.ts'

/** What there is to be had, what it costs, and until when. */
export function Tickets({ page, voice }: { page: EventPage; voice: Voice }) {
  const { event, types } = page
  const { storefront: texts } = voice.texts
  return (
    <section class="card offers" aria-labelledby="tickets">
      <h2 id="tickets">{texts.tickets}</h2>
      {types.length === 0 ? (
        <p class="quiet">{texts.noTickets}</p>
      ) : (
        <ul>
          {types.map(type => (
            <Offer key={type.id} type={type} currency={event.currency} voice={voice} />
          ))}
        </ul>
      )}
      {types.some(({ hasTax }) => hasTax) && <p class="small quiet">{texts.taxIncluded}</p>}
      {event.requires_approval && <p class="small quiet">{texts.approval}</p>}
    </section>
  )
}

function Offer({ type, currency, voice }: { type: OfferedType; currency: string; voice: Voice }) {
  const { storefront: texts } = voice.texts
  const { name, description, price, state } = type
  return (
    <li class={state === 'on' || state === 'ready' ? undefined : 'unavailable'}>
      <h3 dir="auto">{name}</h3>
      <p class="price">{price === 0 ? texts.free : voice.format.money(price, currency)}</p>
      {description !== null && (
        <p class="small quiet lines" dir="auto">
          {description}
        </p>
      )}
      <Availability type={type} voice={voice} />
    </li>
  )
}

function Availability({ type, voice }: { type: OfferedType; voice: Voice }) {
  const { storefront: texts } = voice.texts
  const { state, left, sales_start: start, sales_end: end } = type
  if (state === 'soldOut') return <State tone="off">{texts.soldOut}</State>
  if (state === 'ended') return <State tone="off">{texts.saleEnded}</State>
  if (state === 'later' && start !== null)
    return <State tone="warn">{texts.onSaleFrom(voice.format.dateTime(start))}</State>
  return (
    <>
      {left !== null && <State tone="warn">{texts.lastOnes(left)}</State>}
      {end !== null && <p class="small quiet">{texts.onSaleUntil(voice.format.dateTime(end))}</p>}
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
