import { Empty } from '#machinery/web/components/parts.tsx'
import { Format } from '#machinery/web/format.ts'
import type { SeriesDate, SeriesPage } from '#product/catalog/event-pages/schemas.ts'
import { placeOf } from '#product/catalog/events/when-and-where.ts'
import type { Texts } from '#texts/texts.ts'
import { When } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'
import { PageMeta } from './page-meta.tsx'
import { FeedLink, Subscribe } from './subscribe.tsx'

interface PageProps {
  page: SeriesPage
  speech: Speech
  baseUrl: string
}

/** Shows the coming dates of a series, with what is left of each. */
export function SeriesDocument({ page: { organizer, series, dates }, speech, baseUrl }: PageProps) {
  const voice = voiceOf(speech, 'UTC')
  const { series: texts, storefront } = voice.texts
  const path = paths.event(organizer.slug, series.slug)
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[series.name, organizer.name]}
      path={path}
      home={organizer}
      head={
        <>
          <PageMeta url={baseUrl + path} speech={speech} title={series.name} />
          <FeedLink account={organizer.slug} series={series.slug} speech={speech} title={series.name} />
        </>
      }
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} />}
    >
      <div class="listing">
        <header class="lead">
          <h1 dir="auto">{series.name}</h1>
          <p class="quiet">
            <bdi>{storefront.by(organizer.name)}</bdi>
          </p>
        </header>
        {dates.length === 0 ? (
          <Empty icon="calendar" title={texts.noDates}>
            {texts.noDatesAbout}
          </Empty>
        ) : (
          <>
            <h2>{texts.upcoming}</h2>
            <ul class="framed-dates">
              {dates.map(date => (
                <SeriesItem
                  key={date.id}
                  date={date}
                  path={paths.event(organizer.slug, date.slug)}
                  name={series.name}
                  speech={speech}
                />
              ))}
            </ul>
            <Subscribe account={organizer.slug} series={series.slug} speech={speech} texts={storefront} />
          </>
        )}
        <p class="small">
          <a href={inSpeech(speech, paths.account(organizer.slug))}>{storefront.moreFrom(organizer.name)}</a>
        </p>
      </div>
    </StoreDocument>
  )
}

interface ItemProps {
  date: SeriesDate
  /** The path that it leads to. */
  path: string
  /** The name of the series. */
  name: string
  speech: Speech
  target?: '_self'
}

/** Shows a date of a series in a list of all. */
export function SeriesItem({ date, path, name, speech, target }: ItemProps) {
  const { title, starts_at: from, ends_at: until, timezone, venue, city } = date
  const voice = voiceOf(speech, timezone)
  const place = placeOf({ venue, city })
  return (
    <li>
      <a class="card" href={inSpeech(speech, path)} target={target}>
        <span class="when">
          <When from={from} until={until} format={new Format(speech.language, timezone)} />
        </span>
        {title !== name && <bdi>{title}</bdi>}
        {place !== '' && <bdi class="quiet">{place}</bdi>}
        <span class={date.state === 'on_sale' ? 'strong' : 'quiet'}>{describePlaces(date, voice.texts)}</span>
      </a>
    </li>
  )
}

/** Says what is left of a date. */
export function describePlaces(
  { state, left }: Pick<SeriesDate, 'state' | 'left'>,
  { series }: Texts,
): string {
  const { states } = series
  if (state === 'on_sale') return left === null ? states.free : series.left(left)
  if (state === 'sold_out') return states.soldOut
  if (state === 'later') return states.later
  return state === 'ended' ? states.ended : states.closed
}
