import { toIso } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { withQuery } from '#machinery/web/link.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import { readPart, readSiteMap, type SiteMap } from '#product/catalog/event-pages/site-map.ts'
import { ABSTRACTS_PATH, SUBMITTERS_PATH } from '#product/programme/submissions/links.ts'
import { ORDERS_PATH, TICKETS_PATH } from '#product/selling/orders/links.ts'
import { languages } from '#texts/languages.ts'
import { answerKept, renderText } from './answer.ts'
import { PageCache } from './page-cache.ts'
import { paths } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { escapeXml, XML_HEAD } from './xml.ts'

export const ROBOTS_PATH = '/robots.txt'
export const SITE_MAP_PATH = '/sitemap.xml'
/** The parameter that names a part of a large map. */
const PART = 'part'

/** The files that are kept. Each may have some megabytes, and search engines ask for them rarely. */
const KEPT = 4

/**
 * What crawlers leave alone (RFC 9309): pages of organizers, pages that are someone's own, forms, and lists that are searched. A
 * rule ends with a slash or `$`, because a slug may begin with the same letters.
 */
const DISALLOWED = [
  ...[DASHBOARD_PATH, ORDERS_PATH, TICKETS_PATH, ABSTRACTS_PATH, SUBMITTERS_PATH].flatMap(path => [
    `${path}$`,
    `${path}/`,
  ]),
  ...['/*/*/register', '/*/*/waitlist', '/*/*/abstracts/'],
  ...['/*?q=', '/*&q='],
]

/** Tells search engines which pages there are, and which they should leave alone. */
export class SiteMaps {
  readonly #services: StorefrontServices
  readonly #kept: PageCache<SiteMap | null>

  constructor(services: StorefrontServices) {
    const { db, clock } = services
    this.#services = services
    this.#kept = new PageCache(clock, db.onCommit.bind(db), KEPT)
  }

  async sendRobots(context: Context): Promise<void> {
    const rules = DISALLOWED.map(path => `Disallow: ${path}\n`).join('')
    const text = `User-agent: *\n${rules}\nSitemap: ${this.#services.baseUrl}${SITE_MAP_PATH}\n`
    await answerKept(context, renderText(text, 'text/plain; charset=utf-8'))
  }

  /** Sends the map, or a part of a large one. @returns false if there is no such part */
  async send(context: Context): Promise<boolean> {
    const { db, baseUrl } = this.#services
    const part = new URLSearchParams(context.querystring).get(PART)
    if (part !== null && !/^[a-z]{1,8}(-\d{1,2})?$/.test(part)) return false
    const kept = await this.#kept.get(part ?? '', now =>
      db.read(INSTANCE, tx => (part === null ? readSiteMap(tx, now) : readPart(tx, part, now))),
    )
    if (kept.shown === null) return false
    let rendered = kept.rendered.get('')
    if (rendered === undefined) {
      rendered = renderText(toXml(kept.shown, baseUrl), 'application/xml; charset=utf-8')
      kept.rendered.set('', rendered)
    }
    await answerKept(context, rendered)
    return true
  }
}

const OF_SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const OF_LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'

/** Writes a map: https://www.sitemaps.org/protocol.html */
function toXml({ hasListOfAll, accounts, series, events, parts }: SiteMap, baseUrl: string): string {
  if (parts.length > 0) {
    const files = parts.map(part => baseUrl + withQuery(SITE_MAP_PATH, { [PART]: part }))
    const entries = files.map(file => `<sitemap><loc>${escapeXml(file)}</loc></sitemap>\n`).join('')
    return `${XML_HEAD}<sitemapindex ${OF_SITEMAPS}>\n${entries}</sitemapindex>\n`
  }
  const lists = [
    ...accounts.flatMap(({ slug, legal }) => [
      paths.account(slug),
      ...legal.map(kind => paths.legal(slug, kind)),
    ]),
    // The page of a series stands where that of an event would.
    ...series.map(({ account, slug }) => paths.event(account, slug)),
  ]
  const entries = [
    ...(hasListOfAll ? ['/', ...lists] : lists).map(path => entriesOf(baseUrl + path)),
    ...events.map(({ account, slug, changedAt }) =>
      entriesOf(baseUrl + paths.event(account, slug), changedAt),
    ),
  ]
  return `${XML_HEAD}<urlset ${OF_SITEMAPS} ${OF_LINKS}>\n${entries.join('')}</urlset>\n`
}

/**
 * Writes a page without a language and in each language. Each of these addresses names all of them:
 * https://developers.google.com/search/docs/specialty/international/localized-versions
 */
function entriesOf(url: string, changedAt?: number): string {
  const all = [
    ...languages.map(language => ({ name: language as string, href: withQuery(url, { lang: language }) })),
    { name: 'x-default', href: url },
  ].map(({ name, href }) => ({ name, href: escapeXml(href) }))
  const links = all
    .map(({ name, href }) => `<xhtml:link rel="alternate" hreflang="${name}" href="${href}"/>`)
    .join('')
  const changed = changedAt === undefined ? '' : `<lastmod>${toIso(changedAt)}</lastmod>`
  return all.map(({ href }) => `<url><loc>${href}</loc>${changed}${links}</url>\n`).join('')
}
