import type { ComponentChildren } from 'preact'
import { accentPath } from '#machinery/web/accent.ts'
import { assetPath } from '#machinery/web/assets/assets.ts'
import { Banner, Empty } from '#machinery/web/components/parts.tsx'
import { Format } from '#machinery/web/format.ts'
import type {
  EventPage,
  LegalOrganizer,
  ListedEvent,
  SeriesPage,
} from '#product/catalog/event-pages/schemas.ts'
import { placeOf } from '#product/catalog/events/when-and-where.ts'
import { When } from '../dates.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'
import { SeriesItem } from './series-page.tsx'
import { Tickets } from './tickets.tsx'

interface FrameProps {
  organizer: LegalOrganizer
  speech: Speech
  title: string
  children: ComponentChildren
}

/**
 * The document of a frame in another site. Whatever leads on opens in the whole window, where visitors see whose page they are on,
 * and no search engine lists it.
 */
function FrameDocument({ organizer: { look }, speech, title, children }: FrameProps) {
  return (
    <html lang={speech.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <base target="_top" />
        <link rel="stylesheet" href={assetPath('style.css')} />
        <link rel="stylesheet" href={assetPath('storefront.css')} />
        {look.colour !== null && <link rel="stylesheet" href={accentPath(look.colour)} />}
        <script src={assetPath('frame.js')} defer />
      </head>
      <body class="store framed">
        <main>{children}</main>
      </body>
    </html>
  )
}

interface DatesProps {
  organizer: LegalOrganizer
  events: readonly ListedEvent[]
  speech: Speech
}

/** Shows the dates of an organizer. Each leads to its tickets in the same frame. */
export function DatesFrame({ organizer, events, speech }: DatesProps) {
  const { storefront: texts } = voiceOf(speech, 'UTC').texts
  return (
    <FrameDocument organizer={organizer} speech={speech} title={organizer.name}>
      <h1 class="hidden">{texts.upcoming}</h1>
      {events.length === 0 ? (
        <Empty icon="calendar" title={texts.noEvents}>
          {texts.noEventsAbout}
        </Empty>
      ) : (
        <ul class="framed-dates">
          {events.map(event => (
            <DateItem key={event.id} event={event} speech={speech} />
          ))}
        </ul>
      )}
    </FrameDocument>
  )
}

function DateItem({ event, speech }: { event: ListedEvent; speech: Speech }) {
  const { organizer, slug, title, starts_at: from, ends_at: until, timezone, venue, city } = event
  const { storefront: texts } = voiceOf(speech, timezone).texts
  const place = placeOf({ venue, city })
  return (
    <li>
      <a class="card" href={inSpeech(speech, paths.embed(organizer.slug, slug))} target="_self">
        <h2 dir="auto">{title}</h2>
        <p class="when">
          {from === null ? (
            <span class="strong">{texts.dateOpen}</span>
          ) : (
            <When from={from} until={until} format={new Format(speech.language, timezone)} />
          )}
        </p>
        {place !== '' && <bdi class="quiet">{place}</bdi>}
      </a>
    </li>
  )
}

/** Shows the dates of a series. Each leads to its tickets in the same frame. */
export function SeriesFrame({ page: { organizer, series, dates }, speech }: SeriesProps) {
  const { series: texts, storefront } = voiceOf(speech, 'UTC').texts
  const { slug } = organizer
  return (
    <FrameDocument organizer={organizer} speech={speech} title={`${series.name} · ${organizer.name}`}>
      <header class="lead">
        <h1 dir="auto">{series.name}</h1>
      </header>
      {dates.length === 0 ? (
        <Empty icon="calendar" title={texts.noDates}>
          {texts.noDatesAbout}
        </Empty>
      ) : (
        <ul class="framed-dates">
          {dates.map(date => (
            <SeriesItem
              key={date.id}
              date={date}
              path={paths.embed(slug, date.slug)}
              name={series.name}
              speech={speech}
              target="_self"
            />
          ))}
        </ul>
      )}
      <p class="small row">
        <a href={inSpeech(speech, paths.event(slug, series.slug))}>{texts.seePage}</a>
        <a href={inSpeech(speech, paths.embedList(slug))} target="_self">
          {storefront.moreFrom(organizer.name)}
        </a>
      </p>
    </FrameDocument>
  )
}

interface SeriesProps {
  page: SeriesPage
  speech: Speech
}

/** Shows the tickets of an event. Its forms and links open in the whole window. */
export function TicketsFrame({ page, speech }: { page: EventPage; speech: Speech }) {
  const { event, organizer, isOver, others } = page
  const voice = voiceOf(speech, event.timezone)
  const { storefront: texts } = voice.texts
  const from = event.starts_at === null ? null : Date.parse(event.starts_at)
  const until = event.ends_at === null ? null : Date.parse(event.ends_at)
  const place = placeOf(event)
  const { slug } = organizer
  const dates = others === null ? paths.embedList(slug) : paths.embed(slug, others.slug)
  return (
    <FrameDocument organizer={organizer} speech={speech} title={`${event.title} · ${organizer.name}`}>
      <header class="lead">
        <h1 dir="auto">{event.title}</h1>
        <p class="when">
          {from === null ? (
            <span class="strong">{texts.dateOpen}</span>
          ) : (
            <When from={from} until={until} format={voice.format} />
          )}
        </p>
        {place !== '' && (
          <p class="quiet">
            <bdi>{place}</bdi>
          </p>
        )}
      </header>
      {event.status === 'cancelled' ? (
        <Banner tone="bad">
          <p>{texts.cancelled}</p>
        </Banner>
      ) : (
        <>
          {isOver && (
            <Banner tone="warn">
              <p>{texts.over}</p>
            </Banner>
          )}
          <Tickets page={page} speech={speech} voice={voice} />
        </>
      )}
      <p class="small row">
        <a href={inSpeech(speech, paths.event(organizer.slug, event.slug))}>{texts.wholePage}</a>
        <a href={inSpeech(speech, dates)} target="_self">
          {texts.allDates}
        </a>
      </p>
    </FrameDocument>
  )
}
