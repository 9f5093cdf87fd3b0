import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { plainText } from '#machinery/web/components/markdown.tsx'
import { Format } from '#machinery/web/format.ts'
import { calendarFileOf, placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import { calendarEntriesOf, type Feed, readFeed } from '#product/catalog/event-pages/feeds.ts'
import { answerKept, type Rendered, renderText } from './answer.ts'
import { whenIn } from './dates.tsx'
import { type Kept, PageCache } from './page-cache.ts'
import { paths } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { SLUG } from './view-page.tsx'
import { inSpeech, type Speech, speechOf, voiceOf } from './voice.ts'
import { escapeXml, XML_HEAD } from './xml.ts'

/** The feeds that are kept. Few programs ask for each, and rarely. */
const KEPT = 100
/** The most characters of what a feed says about an event. Its page says the rest. */
const MAX_ABOUT = 1_000

/** Answers programs that follow the public events of an organizer or of a series: calendars, and readers of feeds. */
export class Feeds {
  readonly #services: StorefrontServices
  readonly #kept: PageCache<Feed | null>

  constructor(services: StorefrontServices) {
    const { db, clock } = services
    this.#services = services
    this.#kept = new PageCache(clock, db.onCommit.bind(db), KEPT)
  }

  /** @throws Problem route_not_found */
  async sendCalendar(context: Context): Promise<void> {
    const { baseUrl } = this.#services
    await this.#send(context, 'ics', feed => {
      const entries = calendarEntriesOf(feed, ({ slug }) => baseUrl + paths.event(feed.organizer.slug, slug))
      return renderText(calendarFileOf(entries), 'text/calendar; charset=utf-8')
    })
  }

  /** @throws Problem route_not_found */
  async sendAtom(context: Context): Promise<void> {
    const { baseUrl } = this.#services
    const speech = speechOf(context)
    await this.#send(context, `atom ${speech.language} ${speech.isChosen}`, feed =>
      renderText(toAtom(feed, baseUrl, speech), 'application/atom+xml; charset=utf-8'),
    )
  }

  async #send(context: Context, name: string, make: (feed: Feed) => Rendered): Promise<void> {
    const [account = '', series] = context.captures
    const areSlugs = SLUG.test(account) && (series === undefined || SLUG.test(series))
    const kept = areSlugs ? await this.#find(account, series) : undefined
    if (!kept?.shown) {
      this.#services.addresses.apply(context)
      throw new Problem('route_not_found')
    }
    let rendered = kept.rendered.get(name)
    if (rendered === undefined) {
      rendered = make(kept.shown)
      kept.rendered.set(name, rendered)
    }
    await answerKept(context, rendered)
  }

  #find(slug: string, seriesSlug: string | undefined): Kept<Feed | null> | Promise<Kept<Feed | null>> {
    return this.#kept.get(seriesSlug === undefined ? slug : `${slug}/${seriesSlug}`, now =>
      this.#services.db.read(INSTANCE, tx => readFeed(tx, { slug, seriesSlug }, now)),
    )
  }
}

/** Writes a feed (RFC 4287). It and each entry are known by ids, which stay when an address changes. */
function toAtom({ organizer, series, changedAt, events }: Feed, baseUrl: string, speech: Speech): string {
  const { slug } = organizer
  const page = series === null ? paths.account(slug) : paths.event(slug, series.slug)
  const list = baseUrl + inSpeech(speech, page)
  const self = baseUrl + inSpeech(speech, paths.feed(slug, series?.slug))
  const { id, name } = series ?? organizer
  const entries = events.map(event => {
    const link = baseUrl + inSpeech(speech, paths.event(organizer.slug, event.slug))
    return [
      '<entry>',
      `<id>urn:uuid:${event.id}</id>`,
      `<title>${escapeXml(event.title)}</title>`,
      `<link href="${escapeXml(link)}"/>`,
      `<published>${toIso(event.created_at)}</published>`,
      `<updated>${toIso(event.updated_at)}</updated>`,
      `<summary>${escapeXml(aboutOf(event, speech))}</summary>`,
      '</entry>\n',
    ].join('')
  })
  return [
    `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${speech.language}">\n`,
    `<id>urn:uuid:${id}</id>`,
    `<title>${escapeXml(name)}</title>`,
    `<author><name>${escapeXml(organizer.name)}</name></author>`,
    `<link href="${escapeXml(list)}"/><link rel="self" href="${escapeXml(self)}"/>`,
    `<updated>${toIso(changedAt)}</updated>\n`,
    ...entries,
    '</feed>\n',
  ].join('')
}

/** Says when and where an event is, and then what it says of itself. */
function aboutOf(event: Feed['events'][number], speech: Speech): string {
  const format = new Format(speech.language, event.timezone)
  const { storefront } = voiceOf(speech, event.timezone).texts
  const when = event.starts_at === null ? storefront.dateOpen : whenIn(event.starts_at, event.ends_at, format)
  const place = placesOf(event).join(', ').replace(/\s+/gu, ' ').trim()
  const about = event.description === null ? '' : plainText(event.description, MAX_ABOUT)
  return [when, place, about].filter(part => part !== '').join(' · ')
}
