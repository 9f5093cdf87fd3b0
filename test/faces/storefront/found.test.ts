import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import * as accounts from '#product/administration/accounts/rules.ts'
import { organization } from '#test/support/organization.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const PAGE = '/ada/spring-meeting/'

const SITE = 'https://tickets.example'
const settings = { baseUrl: SITE }

const metaOf = (page: Document, name: string) =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')
const canonicalOf = (page: Document) => page.querySelector('link[rel=canonical]')?.getAttribute('href')
const alternatesOf = (page: Document) =>
  [...page.querySelectorAll('link[rel=alternate][hreflang]')].map(link => [
    link.getAttribute('hreflang'),
    link.getAttribute('href'),
  ])
// biome-ignore lint/suspicious/noExplicitAny: what search engines read is looked at as it is
const dataOf = (page: Document): any =>
  JSON.parse(page.querySelector('script[type="application/ld+json"]')?.textContent ?? '')

const countsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter(name => name.startsWith('x-ratelimit'))

test('a page and its files tell no count of requests, and what programs read still does', async t => {
  const { visit } = await startStorefront(t)
  const style = /href="(\/assets\/[^"]+\.css)"/.exec((await visit(PAGE)).text)?.[1] ?? ''
  const pages = [
    ...['/', '/ada/', PAGE, `${PAGE}register`, `${PAGE}calendar.ics`, '/nowhere/', '/a/b/c/d/e', style],
    ...[
      '/manage/sign-in',
      '/manage/e/nowhere',
      '/orders/unknown',
      '/tickets/unknown',
      '/unsubscribe/x',
      '/door/',
    ],
  ]
  for (const path of pages) assert.deepEqual(countsOf((await visit(path)).headers), [], path)
  const json = { accept: 'application/json' }
  for (const path of [
    '/v1/events',
    '/v1/openapi.json',
    '/v1/nowhere',
    '/nowhere/',
    '/orders/unknown',
    '/healthz',
  ])
    assert.equal(countsOf((await visit(path, json)).headers).length, 3, path)
})

test('a visitor who asks too often is told when to try again, and no count', async t => {
  const { visit } = await startStorefront(t)
  const codes = Array.from({ length: 121 }, (_, at) => `/nobody/${at}/`)
  for (const path of codes.slice(1)) await visit(path)
  const { status, headers } = await visit(codes[0] as string)
  assert.equal(status, 429)
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.deepEqual(countsOf(headers), [])
})

test('pages have Turnout’s mark, as a drawing for good and as an icon that is asked for again', async t => {
  const { visit } = await startStorefront(t)
  for (const path of ['/ada/', PAGE, '/manage/sign-in', '/nowhere/']) {
    const page = parsePage((await visit(path)).text)
    const icons = [...page.querySelectorAll('link[rel=icon]')].map(link => link.getAttribute('href') ?? '')
    assert.equal(icons[0], '/favicon.ico')
    assert.match(icons[1] ?? '', /^\/assets\/mark\.[\w-]{12}\.svg$/)
    const drawing = await visit(icons[1] ?? '')
    assert.equal(drawing.headers['content-type'], 'image/svg+xml')
    assert.equal(drawing.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(drawing.text, /^<svg /)
  }
  const { status, headers, bytes } = await visit('/favicon.ico')
  assert.deepEqual([status, headers['content-type']], [200, 'image/x-icon'])
  assert.match(String(headers['cache-control']), /^public, max-age=\d{5,}$/)
  assert.deepEqual([...bytes.subarray(0, 6)], [0, 0, 1, 0, 3, 0], 'an icon of three sizes')
  assert.equal((await visit('/favicon.ico', { 'if-none-match': String(headers.etag) })).status, 304)
})

test('a page in a named language is a page of its own, and names the same page in each language', async t => {
  const { visit } = await startStorefront(t, organization(), { settings })
  for (const path of [PAGE, '/ada/']) {
    const url = SITE + path
    const all = [
      ['en', `${url}?lang=en`],
      ['es', `${url}?lang=es`],
      ['x-default', url],
    ]
    const pages = [
      { query: '', accepts: 'en', canonical: url, locale: 'en_GB', other: 'es_ES' },
      { query: '', accepts: 'es', canonical: url, locale: 'es_ES', other: 'en_GB' },
      { query: '?lang=en', accepts: 'es', canonical: `${url}?lang=en`, locale: 'en_GB', other: 'es_ES' },
      { query: '?lang=es', accepts: 'en', canonical: `${url}?lang=es`, locale: 'es_ES', other: 'en_GB' },
      {
        query: '?lang=es&utm_source=x',
        accepts: 'en',
        canonical: `${url}?lang=es`,
        locale: 'es_ES',
        other: 'en_GB',
      },
      { query: '?lang=xx', accepts: 'en', canonical: url, locale: 'en_GB', other: 'es_ES' },
    ]
    for (const { query, accepts, canonical, locale, other } of pages) {
      const page = parsePage((await visit(path + query, { 'accept-language': accepts })).text)
      assert.equal(canonicalOf(page), canonical, path + query)
      assert.equal(metaOf(page, 'og:url'), canonical)
      assert.deepEqual(alternatesOf(page), all)
      assert.deepEqual([metaOf(page, 'og:locale'), metaOf(page, 'og:locale:alternate')], [locale, other])
      assert.equal(
        page.querySelector('.languages a')?.getAttribute('rel'),
        null,
        'search engines may follow it',
      )
    }
  }
  const spanish = parsePage((await visit(`${PAGE}?lang=es`)).text)
  assert.equal(dataOf(spanish).url, `${SITE}${PAGE}?lang=es`)
})

test('a page without a description is described by its date and place, in its language', async t => {
  const { visit, change } = await startStorefront(t, organization(), { settings })
  const described = async (query = '') => {
    const page = parsePage((await visit(PAGE + query)).text)
    const summary = metaOf(page, 'description')
    assert.equal(metaOf(page, 'og:description'), summary)
    assert.equal(dataOf(page).description, summary)
    return summary?.replaceAll('\u202f', ' ').replaceAll('\u2009', ' ')
  }
  await change({ description: null, address: 'Gran Vía 1\n28013 Madrid', timezone: 'Europe/Madrid' })
  assert.equal(
    await described(),
    '21 – 22 Nov 2026, 21 Nov, 10:00 – 22 Nov, 19:00 CET · Main Hall, Gran Vía 1 28013 Madrid',
  )
  await change({ ends_at: null, description: '  \n ' })
  assert.equal(
    await described('?lang=es'),
    'sábado, 21 de noviembre de 2026, 10:00 CET · Main Hall, Gran Vía 1 28013 Madrid',
  )
  await change({ venue: null, address: null, city: null })
  assert.equal(await described(), 'Saturday, 21 November 2026, 10:00 CET')
  await change({ online_url: 'https://meet.example/x' })
  assert.equal(await described('?lang=es'), 'sábado, 21 de noviembre de 2026, 10:00 CET · En línea')
  await change({ starts_at: null })
  assert.equal(await described(), 'Date to be announced · Online')
  await change({ online_url: null })
  assert.equal(await described(), undefined)
  await change({ venue: '\u{1f389}'.repeat(150), address: 'x'.repeat(190), city: null })
  const long = await described()
  assert.equal([...(long ?? '')].length, 200)
  assert.ok(long?.isWellFormed() && long.endsWith('…'))
  await change({ description: 'Bring a **coat**.' })
  assert.equal(await described(), 'Bring a coat.')
})

test('search engines are told the times that the clocks of the event show, and since when each ticket is offered', async t => {
  const type = { price: 0, capacity: 5 }
  const registration_types = [
    { ...type, name: 'Early', sales_start: '2026-06-01T08:00:00Z' },
    { ...type, name: 'Always' },
  ]
  const event = { timezone: 'America/New_York', registration_types, registrations: [] }
  const { visit, change, write, eventId } = await startStorefront(t, organization({ event }), { settings })
  const created = Date.parse('2026-03-01T12:00:00Z')
  await write(tx => tx.run('UPDATE events SET created_at = $1 WHERE id = $2', [created, eventId]))
  const data = async () => dataOf(parsePage((await visit(PAGE)).text))
  const { startDate, endDate, offers } = await data()
  assert.deepEqual([startDate, endDate], ['2026-11-21T04:00:00-05:00', '2026-11-22T13:00:00-05:00'])
  assert.deepEqual(
    offers.map(({ validFrom }: { validFrom: string }) => validFrom),
    ['2026-06-01T04:00:00-04:00', '2026-03-01T07:00:00-05:00'],
  )
  await change({ timezone: 'Asia/Kathmandu', ends_at: null })
  assert.deepEqual(
    [(await data()).startDate, 'endDate' in (await data())],
    ['2026-11-21T14:45:00+05:45', false],
  )
  await change({ timezone: 'UTC' })
  assert.equal((await data()).startDate, '2026-11-21T09:00:00+00:00')
  await change({ starts_at: null })
  assert.equal('startDate' in (await data()), false)
})

test('crawlers are kept off what is somebody’s own, and off no page that a slug names', async t => {
  const { visit } = await startStorefront(t, organization(), { settings })
  const { status, headers, text } = await visit('/robots.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^User-agent: \*\n/)
  assert.match(text, /\nSitemap: https:\/\/tickets\.example\/sitemap\.xml\n$/)
  const rules = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => {
    const pattern = path.replace(/[.?+^()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')
    return new RegExp(`^${pattern}`)
  })
  const isOff = (path: string) => rules.some(rule => rule.test(path))
  const off = [
    ...['/manage', '/manage/', '/manage/e/x', '/orders/secret', '/tickets/secret', '/ada/x/register?a=1'],
    ...['/ada/x/register', '/ada/x/waitlist', '/ada/?q=x', '/ada/?lang=en&q=x', '/?q=x'],
  ]
  for (const path of off) assert.ok(isOff(path), path)
  const open = [
    '/',
    '/ada/',
    PAGE,
    `${PAGE}?lang=es`,
    '/manage-it/',
    '/orders-of-merit/',
    '/tickets-4-all/x/',
  ]
  for (const path of [...open, '/ada/register/', '/ada/register-now/', `${PAGE}cover/x`, '/sitemap.xml'])
    assert.ok(!isOff(path), path)
})

/** Returns the addresses of a map, as another reader of XML finds them. */
function readMap(text: string): {
  root: string
  all: string[]
  links: string[][]
  changed: (string | undefined)[]
} {
  const parser = new new JSDOM('').window.DOMParser()
  const { documentElement: root } = parser.parseFromString(text, 'application/xml')
  const entries = [...root.children]
  const one = (entry: Element, name: string) =>
    [...entry.children].find(({ localName }) => localName === name)?.textContent ?? undefined
  return {
    root: root.localName,
    all: entries.map(entry => one(entry, 'loc') ?? ''),
    links: entries.map(entry =>
      [...entry.children]
        .filter(({ localName }) => localName === 'link')
        .map(link => link.getAttribute('href') ?? ''),
    ),
    changed: entries.map(entry => one(entry, 'lastmod')),
  }
}

const threeOf = (path: string) => [`${SITE}${path}?lang=en`, `${SITE}${path}?lang=es`, SITE + path]

test('the map has the list and the public events to come, in each language, and nothing that not everybody may find', async t => {
  const { visit, change, setStatus, clock } = await startStorefront(t, organization(), { settings })
  const map = async () => readMap((await visit('/sitemap.xml')).text)
  const { status, headers } = await visit('/sitemap.xml')
  assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'])
  assert.equal((await visit('/sitemap.xml', { 'if-none-match': String(headers.etag) })).status, 304)
  const expected = [...threeOf('/ada/'), ...threeOf(PAGE)]
  const { root, all, links, changed } = await map()
  assert.equal(root, 'urlset')
  assert.deepEqual(all, expected)
  assert.deepEqual(links, [...Array(3).fill(threeOf('/ada/')), ...Array(3).fill(threeOf(PAGE))])
  assert.equal(changed[0], undefined)
  assert.match(changed[3] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  for (const address of all) {
    const page = parsePage((await visit(address.slice(SITE.length))).text)
    assert.equal(canonicalOf(page), address, 'each is the one address of its page')
  }
  for (const status of ['draft', 'cancelled', 'completed'] as const) {
    await setStatus(status)
    assert.deepEqual((await map()).all, [], status)
  }
  await setStatus('published')
  for (const visibility of ['unlisted', 'private'] as const) {
    await change({ visibility })
    assert.deepEqual((await map()).all, [], visibility)
  }
  await change({ visibility: 'public' })
  assert.deepEqual((await map()).all, expected)
  // Nothing is written when it is over, and the map loses it all the same.
  clock.advance(Date.parse('2026-11-22T18:00:01Z') - clock() + 60 * 60_000)
  assert.deepEqual((await map()).all, [])
  await change({ starts_at: null, ends_at: null })
  assert.deepEqual((await map()).all, expected, 'its date is still open')
})

test('the map has the legal texts that are written here of each organizer in it, and no link elsewhere', async t => {
  const { visit, change, write } = await startStorefront(t, organization(), { settings })
  const map = async () => readMap((await visit('/sitemap.xml')).text)
  const set = (changes: Parameters<typeof accounts.update>[1]) => write(tx => accounts.update(tx, changes))
  const whole = [...threeOf('/ada/'), ...threeOf(PAGE)]
  assert.deepEqual((await map()).all, whole, 'the imprint and the privacy notice are elsewhere')
  await set({ imprint_text: 'We are Ada.', terms_text: 'No dogs.' })
  const legal = [...threeOf('/ada/imprint.html'), ...threeOf('/ada/terms.html')]
  const { all, links } = await map()
  assert.deepEqual(all, [...threeOf('/ada/'), ...legal, ...threeOf(PAGE)])
  assert.deepEqual(links.slice(3, 6), Array(3).fill(threeOf('/ada/imprint.html')))
  for (const address of legal) {
    const { status, text } = await visit(address.slice(SITE.length))
    assert.equal(status, 200, address)
    assert.equal(canonicalOf(parsePage(text)), address)
  }
  await set({ terms_url: 'https://ada.example/terms' })
  assert.deepEqual(
    (await map()).all.filter(address => address.includes('.html')),
    threeOf('/ada/imprint.html'),
  )
  await change({ visibility: 'unlisted' })
  assert.deepEqual((await map()).all, [], 'nobody is led to an organizer without a public event')
})

test('the map has the series with a public date to come', async t => {
  const date = (slug: string, of: string, changes: object = {}) => ({
    ...{ slug, title: slug, starts_at: '2026-12-01T09:00:00Z', series: of, ...changes },
  })
  const file = organization({
    event: { series: 'tours' },
    events: [
      date('draft', 'drafts', { status: 'draft' }),
      date('hidden', 'hidden-ones', { visibility: 'unlisted' }),
      date('open', 'open-ones', { starts_at: null }),
    ],
  })
  const slugs = ['tours', 'drafts', 'hidden-ones', 'open-ones']
  const series = slugs.map(slug => ({ slug, name: slug }))
  const { visit, clock } = await startStorefront(t, { ...file, series } as never, { settings })
  const map = async () => readMap((await visit('/sitemap.xml')).text).all
  assert.deepEqual(await map(), ['/ada/', '/ada/tours/', PAGE, '/ada/open/'].flatMap(threeOf))
  clock.set('2027-01-01T00:00:00Z')
  assert.deepEqual(await map(), ['/ada/', '/ada/open/'].flatMap(threeOf), 'its dates are over')
})

test('a map of more than a thousand events is one of parts, each event in one of them, and of other parts there are none', async t => {
  const { visit, write, eventId } = await startStorefront(t, organization(), { settings })
  const columns =
    'account_id, title, timezone, currency, status, visibility, requires_approval, created_at, updated_at'
  await write(tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       INSERT INTO events (id, slug, starts_at, ${columns})
       SELECT 'e' || i, 'n-' || i, CASE WHEN i % 11 = 0 THEN NULL ELSE e.starts_at + i % 7 END,
         ${columns.replaceAll(/\w+/g, 'e.$&')} FROM n, events e WHERE e.id = $1`,
      [eventId],
    ),
  )
  const { root, all } = readMap((await visit('/sitemap.xml')).text)
  assert.equal(root, 'sitemapindex')
  const part = (name: string) => `${SITE}/sitemap.xml?part=${name}`
  assert.deepEqual(all, ['lists', 'dated-1', 'dated-2', 'undated-1'].map(part))
  const parts = await Promise.all(all.map(address => visit(address.slice(SITE.length))))
  const found = parts.flatMap(({ text }) => readMap(text).all)
  const wanted = ['/ada/', PAGE, ...Array.from({ length: 1100 }, (_, at) => `/ada/n-${at + 1}/`)]
  assert.deepEqual(found.sort(), wanted.flatMap(threeOf).sort())
  for (const { bytes } of parts) assert.ok(bytes.length < 3_000_000, `${bytes.length} bytes`)
  for (const name of ['dated-3', 'undated-2', 'dated-0', 'dated-51', 'dated-099', 'x', '', 'lists-1', '%27'])
    assert.equal((await visit(`/sitemap.xml?part=${name}`)).status, 404, name)
})
