import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { JSDOM } from 'jsdom'
import { calendarLinksOf } from '#product/catalog/event-pages/calendar-links.ts'
import * as series from '#product/catalog/events/series.ts'
import { organization } from '#test/support/organization.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const PAGE = '/ada/spring-meeting/'
const SITE = 'https://tickets.example'
const HOSTILE = '</title><script>alert(1)</script> & "quoted" \u0007 \u{1f389}'

const uidsOf = (file: string) =>
  new ICAL.Component(ICAL.parse(file))
    .getAllSubcomponents('vevent')
    .map(each => String(each.getFirstPropertyValue('uid')))
const readXml = (text: string) => new JSDOM(text, { contentType: 'application/xml' }).window.document
const textOf = (of: Element | Document, name: string) => of.querySelector(name)?.textContent ?? ''

test('the calendar of an organizer has the public events to come, with the UIDs of their own files', async t => {
  const { visit, change, setStatus, eventId, clock } = await startStorefront(t)
  const { status, headers, text } = await visit('/ada/events.ics')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
  assert.deepEqual(uidsOf(text), [eventId])
  assert.deepEqual(uidsOf((await visit(`${PAGE}calendar.ics`)).text), [eventId])
  const uids = async () => uidsOf((await visit('/ada/events.ics')).text)
  for (const visibility of ['unlisted', 'private'] as const) {
    await change({ visibility })
    assert.deepEqual(await uids(), [], visibility)
  }
  await change({ visibility: 'public' })
  for (const state of ['draft', 'cancelled', 'completed'] as const) {
    await setStatus(state)
    assert.deepEqual(await uids(), [], state)
  }
  await setStatus('published')
  assert.deepEqual(await uids(), [eventId])
  clock.set('2026-11-22T18:00:01Z')
  assert.deepEqual(await uids(), [], 'it is over, though nothing was written since')
})

test('an event without a date is in the feed and not in the calendar', async t => {
  const { visit, change } = await startStorefront(t)
  await change({ starts_at: null, ends_at: null })
  assert.deepEqual(uidsOf((await visit('/ada/events.ics')).text), [])
  const feed = readXml((await visit('/ada/events.atom')).text)
  assert.match(textOf(feed, 'entry summary'), /^Date to be announced · Main Hall/)
})

test('the feed is well-formed whatever a title contains, and says when, where and at which address', async t => {
  const { visit, change, eventId } = await startStorefront(t, organization(), {
    settings: { baseUrl: SITE },
  })
  await change({ title: HOSTILE, description: 'Bring a **coat**.' })
  const { headers, text } = await visit('/ada/events.atom?lang=es')
  assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8')
  const feed = readXml(text)
  assert.equal(feed.documentElement.getAttribute('xml:lang'), 'es')
  assert.equal(textOf(feed, 'feed > title'), 'Ada Events')
  assert.equal(feed.querySelector('link[rel=self]')?.getAttribute('href'), `${SITE}/ada/events.atom?lang=es`)
  const entry = feed.querySelector('entry') as Element
  assert.equal(textOf(entry, 'id'), `urn:uuid:${eventId}`)
  assert.equal(textOf(entry, 'title'), HOSTILE.replace('\u0007', ''))
  assert.equal(entry.querySelector('link')?.getAttribute('href'), `${SITE}${PAGE}?lang=es`)
  assert.match(textOf(entry, 'summary'), /21.*nov.*2026.* · Main Hall.* · Bring a coat\.$/)
  assert.ok(textOf(feed, 'feed > updated') >= textOf(entry, 'updated'))
})

test('a reader that has the feed already gets no second copy, and one of a changed event does', async t => {
  const { visit, change } = await startStorefront(t)
  for (const path of ['/ada/events.ics', '/ada/events.atom']) {
    const { headers } = await visit(path)
    const again = { 'if-none-match': String(headers.etag) }
    assert.equal((await visit(path, again)).status, 304, path)
    await change({ title: `Other ${path}` })
    assert.equal((await visit(path, again)).status, 200, path)
  }
})

test('nobody has a calendar at an address of no organizer', async t => {
  const { visit } = await startStorefront(t)
  for (const name of ['nobody', 'Ada', 'a.b'])
    for (const file of ['events.ics', 'events.atom'])
      assert.equal((await visit(`/${name}/${file}`)).status, 404, `${name} ${file}`)
})

test('the list leads to its calendar and its feed, and browsers find the feed', async t => {
  const { visit } = await startStorefront(t)
  const page = parsePage((await visit('/ada/')).text)
  const hrefs = [...page.querySelectorAll('.subscribe a')].map(link => link.getAttribute('href'))
  assert.deepEqual(hrefs, ['/ada/events.ics', '/ada/events.atom'])
  const found = page.querySelector('link[type="application/atom+xml"]')
  assert.equal(found?.getAttribute('href'), '/ada/events.atom')
})

test('the page leads to the form of each calendar on the web, which tells nobody a secret address', async t => {
  const { visit, change } = await startStorefront(t, organization(), { settings: { baseUrl: SITE } })
  await change({ online_url: 'https://meet.example/secret', ends_at: null })
  const queries = async () => {
    const page = parsePage((await visit(PAGE)).text)
    return [...page.querySelectorAll('.particulars a[rel*=nofollow]')]
      .map(link => new URL(link.getAttribute('href') ?? ''))
      .filter(({ host }) => /google|outlook/.test(host))
  }
  const [google, outlook] = await queries()
  assert.equal(google?.searchParams.get('dates'), '20261121T090000Z/20261121T100000Z')
  assert.equal(google?.searchParams.get('text'), 'Spring Meeting')
  assert.equal(google?.searchParams.get('details'), SITE + PAGE)
  assert.equal(outlook?.searchParams.get('startdt'), '2026-11-21T09:00:00Z')
  assert.equal(outlook?.searchParams.get('location'), 'Main Hall, Madrid')
  assert.doesNotMatch(String(google) + String(outlook), /meet\.example/)
  await change({ starts_at: null, ends_at: null })
  assert.deepEqual(await queries(), [])
})

test('the link to a calendar stays short however long the address is', () => {
  const place = { venue: 'v'.repeat(200), address: 'a\n'.repeat(500), city: null }
  const event = { title: 't', starts_at: '2026-11-21T09:00:00Z', ends_at: null, ...place }
  const { google = '', outlook = '' } = calendarLinksOf(event, undefined) ?? {}
  assert.ok(google.length < 2_000 && outlook.length < 2_000)
})

/** Starts with a spring meeting that is one of three dates, beside an event of its own. */
async function startWithSeries(t: Parameters<typeof startStorefront>[0]) {
  const date = (slug: string, changes: object = {}) => ({
    ...{ slug, title: `Tour ${slug}`, starts_at: '2026-12-01T09:00:00Z', series: 'tours', ...changes },
  })
  const file = organization({
    event: { series: 'tours' },
    events: [date('second'), date('draft', { status: 'draft' }), date('alone', { series: null })],
  })
  const series = [{ slug: 'tours', name: 'Tours & <b>more</b>' }]
  return startStorefront(t, { ...file, series } as never, { settings: { baseUrl: SITE } })
}

test('a series has a calendar and a feed of its own public dates to come, by its own name and address', async t => {
  const { visit, eventId, change } = await startWithSeries(t)
  const uids = async (path: string) => uidsOf((await visit(path)).text)
  const of = await uids('/ada/tours/events.ics')
  const all = await uids('/ada/events.ics')
  assert.equal(of.length, 2)
  assert.equal(of[0], eventId)
  assert.deepEqual([all.length, all.filter(uid => of.includes(uid))], [3, of])

  const feed = readXml((await visit('/ada/tours/events.atom?lang=es')).text)
  assert.equal(textOf(feed, 'feed > title'), 'Tours & <b>more</b>')
  assert.equal(textOf(feed, 'author name'), 'Ada Events')
  const hrefs = [...feed.querySelectorAll('feed > link')].map(link => link.getAttribute('href'))
  assert.deepEqual(hrefs, [`${SITE}/ada/tours/?lang=es`, `${SITE}/ada/tours/events.atom?lang=es`])
  const titles = [...feed.querySelectorAll('entry title')].map(title => title.textContent)
  assert.deepEqual(titles, ['Spring Meeting', 'Tour second'])
  const ofAll = readXml((await visit('/ada/events.atom')).text)
  assert.notEqual(textOf(feed, 'feed > id'), textOf(ofAll, 'feed > id'))

  await change({ visibility: 'unlisted' })
  assert.deepEqual(await uids('/ada/tours/events.ics'), of.slice(1))
})

test('the page of a series leads to its own calendar and feed, and browsers find the feed', async t => {
  const { visit, clock } = await startWithSeries(t)
  const page = parsePage((await visit('/ada/tours/')).text)
  const hrefs = [...page.querySelectorAll('.subscribe a')].map(link => link.getAttribute('href'))
  assert.deepEqual(hrefs, ['/ada/tours/events.ics', '/ada/tours/events.atom'])
  const found = page.querySelector('link[type="application/atom+xml"]')
  assert.equal(found?.getAttribute('href'), '/ada/tours/events.atom')
  assert.equal(found?.getAttribute('title'), 'Tours & <b>more</b>')
  clock.set('2027-01-01T00:00:00Z')
  const later = parsePage((await visit('/ada/tours/')).text)
  assert.equal(later.querySelector('.subscribe'), null, 'there is nothing to follow')
})

test('the feed of a series says when its name was changed', async t => {
  const { visit, write, clock } = await startWithSeries(t)
  const { headers, text } = await visit('/ada/tours/events.atom')
  clock.advance(60_000)
  const changed = clock()
  await write(async tx => {
    const of = (await series.findBySlug(tx, 'tours')) ?? assert.fail()
    await series.update(tx, of.id, { name: 'All tours' })
  })
  const later = await visit('/ada/tours/events.atom', { 'if-none-match': String(headers.etag) })
  assert.equal(later.status, 200)
  assert.notEqual(textOf(readXml(text), 'feed > updated'), new Date(changed).toISOString())
  assert.equal(textOf(readXml(later.text), 'feed > updated'), new Date(changed).toISOString())
})

test('nobody has the calendar of a series that nobody could ever see, or of an event', async t => {
  const { visit, write, accountId, clock } = await startWithSeries(t)
  const statuses = async (slug: string) => {
    const files = ['events.ics', 'events.atom'].map(file => visit(`/ada/${slug}/${file}`))
    return (await Promise.all(files)).map(({ status }) => status)
  }
  assert.deepEqual(await statuses('tours'), [200, 200])
  for (const slug of ['spring-meeting', 'nothing', 'To.urs', '%27'])
    assert.deepEqual(await statuses(slug), [404, 404], slug)
  assert.equal((await visit('/nobody/tours/events.ics')).status, 404)
  // What somebody follows stays while all dates are over, and there are none.
  clock.set('2027-01-01T00:00:00Z')
  assert.deepEqual(await statuses('tours'), [200, 200])
  assert.deepEqual(uidsOf((await visit('/ada/tours/events.ics')).text), [])
  for (const values of ["status = 'draft'", "status = 'published', visibility = 'private'"]) {
    await write(tx => tx.run(`UPDATE events SET ${values} WHERE account_id = $1`, [accountId]))
    assert.deepEqual(await statuses('tours'), [404, 404], values)
  }
})
