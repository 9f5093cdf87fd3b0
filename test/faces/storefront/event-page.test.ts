import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { organization } from '#test/support/organization.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront, type Visit } from '#test/support/people/storefront.ts'
import { jpeg, png } from '#test/support/pictures.ts'

const PAGE = '/ada/spring-meeting/'
const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> "quoted" \u2028 & <!-- '

function pageOf({ text }: Visit): Document {
  return parsePage(text)
}

/** Returns the texts of an element, one by one. */
function words(element: Element | null): string {
  const texts: string[] = []
  const walk = (node: Node) => {
    if (node.nodeType === node.TEXT_NODE) texts.push(node.textContent ?? '')
    for (const child of node.childNodes) walk(child)
  }
  if (element !== null) walk(element)
  return texts.join(' ').replace(/\s+/gu, ' ').trim()
}

const metaOf = (page: Document, name: string) =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content')

// biome-ignore lint/suspicious/noExplicitAny: what search engines read is looked at as it is
const dataOf = (page: Document): any =>
  JSON.parse(page.querySelector('script[type="application/ld+json"]')?.textContent ?? '')

test('the page says what it is, when in its own time zone, where, what it costs, and who gives it', async t => {
  const { visit, change } = await startStorefront(t)
  await change({
    description: 'Bring a **coat**.',
    address: 'Gran Vía 1\n28013 Madrid',
    contact_email: 'hello@ada.example',
    online_url: 'https://meet.example/secret',
    terms: 'No dogs.',
    timezone: 'America/New_York',
  })
  const answer = await visit(PAGE)
  const page = pageOf(answer)
  assert.equal(words(page.querySelector('h1')), 'Spring Meeting')
  const lead = words(page.querySelector('.lead'))
  assert.match(lead, /21\s?[–-]\s?22 Nov 2026/u)
  assert.match(lead, /21 Nov, 04:00 – 22 Nov, 13:00 (EST|GMT-5)/u)
  assert.match(lead, /Main Hall Gran Vía 1 28013 Madrid/)
  assert.match(lead, /Also online/)
  assert.match(
    words(page.querySelector('.offers')),
    /Standard €50\.00 With lunch Not sold on this page\. Free Free/,
  )
  assert.equal(words(page.querySelector('.prose strong')), 'coat')
  const host = words(page.querySelector('.host'))
  assert.match(host, /Ada Events Ada Events SL Gran Vía 1 28013 Madrid Contact: hello@ada\.example/)
  const links = [...page.querySelectorAll('.foot a')].map(link => link.getAttribute('href'))
  assert.deepEqual(links, ['https://ada.example/imprint', 'https://ada.example/privacy'])
  assert.doesNotMatch(answer.text, /meet\.example/, 'the link is for those who have a ticket')
  assert.ok(answer.bytes.length < 30_000, `${answer.bytes.length} bytes`)
  assert.equal(page.querySelectorAll('script:not([type="application/ld+json"])').length, 0)
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
})

test('a page is in the language that the browser asks for, or that its address says, and then its links say it too', async t => {
  const { visit } = await startStorefront(t)
  const spanish = pageOf(await visit(PAGE, { 'accept-language': 'es-MX,es;q=0.9' }))
  assert.equal(spanish.documentElement.lang, 'es')
  assert.match(words(spanish.body), /Entradas/)
  assert.equal(spanish.querySelector('.home')?.getAttribute('href'), '/ada/')
  const switchTo = spanish.querySelector('.languages a')
  assert.deepEqual([words(switchTo), switchTo?.getAttribute('href')], ['English', `${PAGE}?lang=en`])
  const english = pageOf(await visit(`${PAGE}?lang=en`, { 'accept-language': 'es' }))
  assert.equal(english.documentElement.lang, 'en')
  assert.equal(english.querySelector('.home')?.getAttribute('href'), '/ada/?lang=en')
  assert.equal(pageOf(await visit(`${PAGE}?lang=xx`)).documentElement.lang, 'en')
  for (const header of ['accept-language', 'accept-encoding'])
    assert.match(String((await visit(PAGE)).headers.vary).toLowerCase(), new RegExp(header))
})

test('each ticket says how it stands: on sale, from when, until when, its last ones, sold out, over; hidden ones are not there', async t => {
  const type = (name: string, changes: object = {}) => ({ name, price: 0, capacity: 50, ...changes })
  const registration_types = [
    type('Plain'),
    type('Later', { sales_start: '2026-12-03T08:00:00Z' }),
    type('Until', { sales_end: '2026-12-03T08:00:00Z' }),
    type('Last', { capacity: 12 }),
    type('None', { capacity: 0 }),
    type('Ended', { sales_end: '2026-11-01T08:00:00Z' }),
    type('Off', { active: false }),
    type('Hidden', { hidden: true }),
    type('Taxed', { price: 100, tax_basis_points: 2100 }),
  ]
  const bought = {
    reference: 'r',
    registration_type: 'Last',
    buyer: { name: 'G', email: 'g@example.org' },
    quantity: 3,
  }
  const event = {
    starts_at: '2026-12-21T09:00:00Z',
    ends_at: null,
    registration_types,
    registrations: [bought],
  }
  const { visit, clock } = await startStorefront(t, organization({ event }))
  const offers = async () =>
    [...pageOf(await visit(PAGE)).querySelectorAll('.offers li')].map(offer => {
      const most = offer.querySelector('option:last-child')?.textContent
      for (const choice of offer.querySelectorAll('label, select')) choice.remove()
      return words(offer) + (most === undefined ? '' : ` (0 to ${most})`)
    })
  assert.deepEqual(await offers(), [
    'Plain Free (0 to 20)',
    'Later Free On sale from 3 Dec 2026, 09:00',
    'Until Free On sale until 3 Dec 2026, 09:00 (0 to 20)',
    'Last Free Last 9 left (0 to 9)',
    'None Free Sold out Join the waitlist',
    'Ended Free Sale has ended',
    'Taxed €1.00 Not sold on this page.',
  ])
  assert.match((await visit(PAGE)).text, /Prices include tax/)
  // Nothing is written, and the page changes all the same.
  clock.advance(Date.parse('2026-12-03T08:00:00Z') - clock())
  assert.deepEqual((await offers()).slice(1, 3), ['Later Free (0 to 20)', 'Until Free Sale has ended'])
})

test('what people wrote is shown as they wrote it, in every script, and ends no element', async t => {
  const { visit, change } = await startStorefront(t)
  const markdown = `${HOSTILE}\n\n[click](javascript:alert(1)) ![pixel](https://spy.example/p.png)\n\n<b onclick="x">b</b>`
  for (const title of [HOSTILE.slice(0, 60), 'مؤتمر القاهرة 2026', 'כנס ירושלים', 'งานกรุงเทพ', '北京大会']) {
    await change({
      title,
      venue: title,
      address: HOSTILE,
      city: title,
      description: markdown,
      terms: markdown,
    })
    const answer = await visit(PAGE)
    const page = pageOf(answer)
    assert.equal(page.querySelector('h1')?.textContent, title)
    assert.equal(page.querySelector('h1')?.getAttribute('dir'), 'auto')
    assert.equal(dataOf(page).name, title)
    assert.equal(metaOf(page, 'og:title'), title)
    assert.equal(page.querySelectorAll('script').length, 1)
    assert.equal(page.querySelectorAll('img, [onclick], [onerror]').length, 0)
    const links = [...page.querySelectorAll('a')].map(link => link.getAttribute('href') ?? '')
    assert.ok(links.every(href => !/^javascript/i.test(href)))
    assert.ok(!answer.text.includes('spy.example'))
  }
})

test('search engines and those who share the address are told of it, with whole addresses', async t => {
  const settings = { baseUrl: 'https://tickets.example' }
  const { visit, change, setPicture, setStatus } = await startStorefront(t, organization(), { settings })
  await change({ description: '# Hello\n\nBring a **coat** & [more](https://x.example).' })
  await setPicture(jpeg(1200, 630))
  const page = pageOf(await visit(PAGE))
  const url = `https://tickets.example${PAGE}`
  assert.equal(page.querySelector('link[rel=canonical]')?.getAttribute('href'), url)
  assert.deepEqual(
    ['description', 'og:description', 'og:url', 'og:image:width', 'twitter:card', 'og:site_name'].map(name =>
      metaOf(page, name),
    ),
    [
      'Hello Bring a coat & more.',
      'Hello Bring a coat & more.',
      url,
      '1200',
      'summary_large_image',
      'Ada Events',
    ],
  )
  assert.match(
    metaOf(page, 'og:image') ?? '',
    /^https:\/\/tickets\.example\/ada\/spring-meeting\/cover\/[0-9a-f]{64}$/,
  )
  const data = dataOf(page)
  assert.deepEqual(
    [
      data['@type'],
      data.startDate,
      data.eventStatus,
      data.location.address.addressLocality,
      data.image.length,
    ],
    ['Event', '2026-11-21T10:00:00+01:00', 'https://schema.org/EventScheduled', 'Madrid', 1],
  )
  assert.deepEqual(
    data.offers.map((offer: { price: string; priceCurrency: string }) => [offer.price, offer.priceCurrency]),
    [
      ['50.00', 'EUR'],
      ['0.00', 'EUR'],
    ],
  )
  await setStatus('cancelled')
  const cancelled = pageOf(await visit(PAGE))
  assert.equal(dataOf(cancelled).eventStatus, 'https://schema.org/EventCancelled')
  assert.match(words(cancelled.querySelector('.banner')), /cancelled/)
  assert.equal(cancelled.querySelector('.offers'), null)
})

/** Reads the file as a calendar does. */
async function readCalendar(visit: Awaited<ReturnType<typeof startStorefront>>['visit']) {
  const { headers, text } = await visit(`${PAGE}calendar.ics`)
  assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
  assert.ok(text.endsWith('\r\n') && !/[^\r]\n/.test(text))
  assert.ok(text.split('\r\n').every(line => Buffer.byteLength(line) <= 75))
  const found = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  assert.ok(found)
  return new ICAL.Event(found)
}

test('the calendar file is read by another parser: times, place, one UID, and a sequence that grows', async t => {
  const { visit, change, setStatus, eventId } = await startStorefront(t)
  const title = `Frühling; Ñandú, "día" \\n مؤتمر ${'長い題名'.repeat(20)}`
  await change({ title, address: 'Gran Vía 1\r\n28013 Madrid; Spain' })
  const first = await readCalendar(visit)
  assert.equal(first.summary, title)
  assert.equal(first.uid, eventId)
  assert.equal(first.startDate.toJSDate().toISOString(), '2026-11-21T09:00:00.000Z')
  assert.equal(first.endDate.toJSDate().toISOString(), '2026-11-22T18:00:00.000Z')
  assert.equal(first.location, 'Main Hall, Gran Vía 1\n28013 Madrid; Spain')
  assert.match(String(first.component.getFirstPropertyValue('url')), /\/ada\/spring-meeting\/$/)
  await change({ starts_at: Date.parse('2026-11-21T10:00:00Z') })
  const second = await readCalendar(visit)
  assert.equal(second.uid, first.uid)
  assert.ok(second.sequence > first.sequence)
  await setStatus('cancelled')
  assert.equal((await readCalendar(visit)).component.getFirstPropertyValue('status'), 'CANCELLED')
  await setStatus('published')
  await change({ starts_at: null, ends_at: null })
  assert.equal((await visit(`${PAGE}calendar.ics`)).status, 404)
})

async function coverOf(visit: Awaited<ReturnType<typeof startStorefront>>['visit']): Promise<string> {
  return (
    pageOf(await visit(PAGE))
      .querySelector('.cover img')
      ?.getAttribute('src') ?? ''
  )
}

test('a picture is at an address of its own for good, as what its bytes say, and nothing can be run from there', async t => {
  const { visit, setPicture } = await startStorefront(t)
  assert.equal(pageOf(await visit(PAGE)).querySelectorAll('.cover.none').length, 1)
  const [one, other] = [png(64, 36), jpeg()]
  await setPicture(one)
  const address = await coverOf(visit)
  const { status, headers, bytes } = await visit(address)
  assert.equal(status, 200)
  assert.deepEqual(bytes, one)
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(headers['content-security-policy']), /sandbox/)
  await setPicture(other)
  const second = await coverOf(visit)
  assert.notEqual(second, address)
  assert.equal((await visit(second)).headers['content-type'], 'image/jpeg')
  assert.equal((await visit(address)).status, 404, 'what was replaced is gone')
})

test('a page that is the same is not sent again, and one that has changed is there at once', async t => {
  const { visit, change, client, eventId, types } = await startStorefront(t)
  const first = await visit(PAGE, { 'accept-encoding': 'gzip' })
  assert.equal(first.headers['content-encoding'], 'gzip')
  assert.equal(first.headers['cache-control'], 'no-cache')
  const etag = String(first.headers.etag)
  assert.equal((await visit(PAGE, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status, 304)
  assert.notEqual((await visit(PAGE)).headers.etag, etag, 'other bytes have another tag')
  // The page does not show such a sale, and stays as it is.
  const body = {
    event_id: eventId,
    registration_type_id: types.Free,
    buyer: { name: 'G', email: 'g@example.org' },
  }
  assert.equal((await client.post('/registrations', body)).status, 201)
  assert.equal((await visit(PAGE, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status, 304)
  // After a sale that leaves the last places, the next answer shows them.
  assert.equal((await client.post('/registrations', { ...body, quantity: 90 })).status, 201)
  assert.match((await visit(PAGE)).text, /Last 9 left/)
  assert.equal((await client.post('/registrations', { ...body, quantity: 9 })).status, 201)
  assert.match((await visit(PAGE)).text, /Sold out/)
  await change({ title: 'Autumn Meeting' })
  assert.match((await visit(PAGE)).text, /Autumn Meeting/)
})

test('what another process has written is on the page soon', async t => {
  const { visit, db, accountId } = await startStorefront(t)
  assert.match((await visit(PAGE)).text, /Spring Meeting/)
  await db.write(accountId, tx => tx.run("UPDATE events SET title = 'Elsewhere'"))
  const until = performance.now() + 5_000
  while (!(await visit(PAGE)).text.includes('Elsewhere')) assert.ok(performance.now() < until)
})
