import { Empty } from '#machinery/web/components/parts.tsx'
import { Format } from '#machinery/web/format.ts'
import type { ListedEvent, Listing } from '#product/catalog/event-pages/schemas.ts'
import { placeOf } from '#product/catalog/events/when-and-where.ts'
import { Cover } from '../cover.tsx'
import { When } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'
import { PageMeta } from './page-meta.tsx'
import { FeedLink, Subscribe } from './subscribe.tsx'

/** A desktop shows this many events side by side. The pictures of all others are loaded once they are near the window. */
const ABOVE = 3

interface ListingProps {
  listing: Listing
  speech: Speech
  baseUrl: string
}

/** Shows the coming events of one organizer, or of all of them. */
export function ListingDocument({ listing, speech, baseUrl }: ListingProps) {
  const { organizer, events } = listing
  const voice = voiceOf(speech, 'UTC')
  const { storefront: texts, page } = voice.texts
  const path = organizer === null ? '/' : paths.account(organizer.slug)
  const title = organizer === null ? [texts.upcoming, page.product] : [organizer.name, texts.upcoming]
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={title}
      path={path}
      {...(organizer === null ? {} : { home: { ...organizer, isList: true } })}
      head={
        <>
          <PageMeta url={baseUrl + path} speech={speech} title={title[0] as string} />
          {organizer !== null && <FeedLink account={organizer.slug} speech={speech} title={organizer.name} />}
        </>
      }
      foot={organizer !== null && <LegalFoot organizer={organizer} speech={speech} voice={voice} />}
    >
      <div class="listing">
        <header class="lead">
          <h1 dir="auto">{organizer === null ? texts.upcoming : organizer.name}</h1>
          {organizer !== null && events.length > 0 && <p class="quiet">{texts.upcoming}</p>}
        </header>
        {events.length === 0 ? (
          <Empty icon="calendar" title={texts.noEvents}>
            {texts.noEventsAbout}
          </Empty>
        ) : (
          <ul class="occasions">
            {fold(events).map(({ event, dates }, at) => (
              <Item
                key={event.id}
                event={event}
                dates={dates}
                at={at}
                speech={speech}
                isOfAll={organizer === null}
              />
            ))}
          </ul>
        )}
        {organizer !== null && events.length > 0 && (
          <Subscribe account={organizer.slug} speech={speech} texts={texts} />
        )}
      </div>
    </StoreDocument>
  )
}

/** Returns the events with all dates of a series as its next one, so that no series hides what else there is. */
function fold(events: readonly ListedEvent[]): { event: ListedEvent; dates: number }[] {
  const shown = new Map<string, { event: ListedEvent; dates: number }>()
  for (const event of events) {
    const { id, series, organizer } = event
    const key = series === null ? id : `${organizer.slug}/${series.slug}`
    const first = shown.get(key)
    if (first === undefined) shown.set(key, { event, dates: 1 })
    else first.dates += 1
  }
  return [...shown.values()]
}

interface ItemProps {
  event: ListedEvent
  /** How many dates of its series there are to come. */
  dates: number
  /** Its place in the list, from 0. */
  at: number
  speech: Speech
  isOfAll: boolean
}

function Item({ event, dates, at, speech, isOfAll }: ItemProps) {
  const {
    id,
    organizer,
    slug,
    title,
    starts_at: from,
    ends_at: until,
    timezone,
    venue,
    city,
    picture,
    series,
  } = event
  const all = dates > 1 ? series : null
  const voice = voiceOf(speech, timezone)
  const { storefront: texts } = voice.texts
  const place = placeOf({ venue, city })
  return (
    <li>
      <a class="card" href={inSpeech(speech, paths.event(organizer.slug, all?.slug ?? slug))}>
        <Cover
          picture={picture}
          seed={id}
          addressOf={file => paths.cover(organizer.slug, slug, file)}
          shown="(min-width: 43rem) 29rem, calc(100vw - 2rem)"
          when={at === 0 ? 'first' : at < ABOVE ? 'soon' : 'later'}
        />
        <div class="words">
          <p class="when">
            {from === null ? (
              <span class="strong">{texts.dateOpen}</span>
            ) : (
              <When from={from} until={until} format={new Format(speech.language, timezone)} />
            )}
          </p>
          <h2 dir="auto">{all?.name ?? title}</h2>
          {all !== null && <p>{voice.texts.series.datesToCome(dates)}</p>}
          {place !== '' && <bdi class="quiet">{place}</bdi>}
          {isOfAll && <bdi class="quiet">{texts.by(organizer.name)}</bdi>}
        </div>
      </a>
    </li>
  )
}
