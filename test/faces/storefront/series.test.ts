import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { at, newEvent, newType } from '#test/support/people/organizer.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

/** Starts with a published event on 1 December and drafts of its series on the three days behind it. */
async function startWithSeries(t: Parameters<typeof startStorefront>[0]) {
  const server = await startStorefront(t)
  const { write, clock } = server
  clock.set('2026-11-21T12:00:00Z')
  const made = await write(async tx => {
    const { id } = await events.create(tx, newEvent({ title: 'Tour', starts_at: at('2026-12-01T09:00:00Z') }))
    await registrationTypes.create(tx, id, newType('Adult', { capacity: 12 }))
    const starts = [1, 2, 3].map(day => at('2026-12-01T09:00:00Z') + day * DAY)
    const repeated = await repeatEvent(tx, id, { name: 'Tower tours', starts })
    await events.setStatus(tx, id, 'published')
    return {
      ...repeated,
      ids: [id, ...repeated.made.map(event => event.id)] as [string, string, string, string],
    }
  })
  return { ...server, ...made }
}

test('the page of a series lists its public dates to come, with what is left of each, and names no other', async t => {
  const { visit, write, db, accountId, ids, client, clock } = await startWithSeries(t)
  const [first, second, third, fourth] = ids
  const page = async () => (await visit('/ada/tower-tours/')).text
  assert.match(await page(), /Tower tours/)
  assert.match(await page(), /Tuesday, 1 December 2026/)
  assert.ok(!(await page()).includes('2 December 2026'), 'a draft')
  await write(async tx => {
    for (const id of [second, third, fourth]) await events.setStatus(tx, id, 'published')
    await events.update(tx, third, { visibility: 'unlisted' })
  })
  assert.match(await page(), /2 December 2026[\s\S]*4 December 2026/)
  assert.ok(!(await page()).includes('3 December 2026'), 'an unlisted one')
  assert.match(await page(), /Places left/)
  const [type] = await db.read(accountId, tx => registrationTypes.listDetails(tx, first))
  const order = (quantity: number) =>
    client.post('/registrations', {
      ...{ event_id: first, registration_type_id: type?.id, quantity },
      buyer: { name: 'Ada', email: 'ada@example.org' },
    })
  await order(3)
  assert.match(await page(), /9 places left/)
  await order(9)
  assert.match(await page(), /Sold out/)
  clock.set('2026-12-02T10:00:00Z')
  assert.ok(!(await page()).includes('1 December 2026'), 'one that is over')
  clock.set('2026-12-10T10:00:00Z')
  assert.match(await page(), /No dates to come/)
})

test('the page of an event names the next dates of its series, but for those that not everybody may see', async t => {
  const { visit, write, ids, clock } = await startWithSeries(t)
  const page = async () => (await visit('/ada/tour/')).text
  assert.ok(!(await page()).includes('Other dates'))
  await write(async tx => {
    await events.setStatus(tx, ids[1], 'published')
    await events.setStatus(tx, ids[2], 'published')
    await events.update(tx, ids[2], { visibility: 'private' })
  })
  assert.match(await page(), /Other dates[\s\S]*Wednesday, 2 December 2026[\s\S]*\/ada\/tower-tours\//)
  assert.ok(!(await page()).includes('3 December 2026'))
  clock.set('2026-12-03T10:00:00Z')
  assert.ok(!(await page()).includes('Other dates'))
})

test('the list of events has a series once, by its next date, and as an event of its own once one date is left', async t => {
  const { visit, write, ids, clock } = await startWithSeries(t)
  const [, second, third] = ids
  await write(async tx => {
    for (const id of [second, third]) await events.setStatus(tx, id, 'published')
    const lone = await events.create(tx, newEvent({ title: 'Lone', starts_at: at('2026-12-02T09:00:00Z') }))
    await registrationTypes.create(tx, lone.id, newType('Adult', { capacity: 12 }))
    await events.setStatus(tx, lone.id, 'published')
  })
  const list = async () => (await visit('/ada/')).text
  assert.match(await list(), /1 December 2026[\s\S]*Tower tours[\s\S]*3 dates to come[\s\S]*Lone/)
  assert.match(await list(), /href="\/ada\/tower-tours\/"/)
  assert.doesNotMatch(await list(), /3 December 2026|href="\/ada\/tour/)
  clock.set('2026-12-03T12:00:00Z')
  assert.match(await list(), /3 December 2026[\s\S]*Tour</)
  assert.doesNotMatch(await list(), /dates to come/)
})

test('beside each of the next dates stands what is left of it, and a date that sells nothing more leads to them from its tickets', async t => {
  const { visit, write, ids, client, db, accountId } = await startWithSeries(t)
  const [first, second] = ids
  await write(tx => events.setStatus(tx, second, 'published'))
  const page = async (slug: string) => (await visit(`/ada/${slug}/`)).text
  assert.match(await page('tour'), /Wednesday, 2 December 2026[\s\S]*Places left/)
  assert.doesNotMatch(await page('tour'), /Choose another date/)
  const [type] = await db.read(accountId, tx => registrationTypes.listDetails(tx, first))
  await client.post('/registrations', {
    ...{ event_id: first, registration_type_id: type?.id, quantity: 12 },
    buyer: { name: 'Ada', email: 'ada@example.org' },
  })
  assert.match(await page('tour'), /Sold out[\s\S]*href="\/ada\/tower-tours\/"[^>]*>Choose another date/)
  const { slug } = await db.read(accountId, tx => events.getDetails(tx, second))
  assert.match(await page(slug), /Tuesday, 1 December 2026[\s\S]*Sold out/)
})

test('a series whose dates nobody could ever see has no page, and another account has none of it', async t => {
  const { visit, write, ids, series: made } = await startWithSeries(t)
  assert.equal((await visit('/ada/tower-tours')).headers.location, 'tower-tours/')
  assert.equal((await visit('/ada/tower-tours?lang=es')).headers.location, 'tower-tours/?lang=es')
  assert.equal((await visit('/bob/tower-tours/')).status, 404)
  assert.equal((await visit('/ada/tower-tour/')).status, 404)
  await write(tx => events.setStatus(tx, ids[0], 'draft'))
  assert.equal((await visit('/ada/tower-tours/')).status, 404)
  await write(async tx => {
    await events.setStatus(tx, ids[0], 'published')
    await series.update(tx, made.id, { slug: 'visits' })
  })
  assert.equal((await visit('/ada/tower-tours/')).status, 404)
  assert.equal((await visit('/ada/visits/')).status, 200)
  const spanish = await visit('/ada/visits/?lang=es')
  assert.match(spanish.text, /Próximas fechas/)
})

test('a date that a transfer comes too late for says nothing of the later ones, which it can still pay', async t => {
  const { visit, write, clock, accountId, ids } = await startWithSeries(t)
  await write(async tx => {
    const bank = JSON.stringify({ holder: 'Ada', account: 'DE89370400440532013000', code: null, note: null })
    await tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at) VALUES ($1, 'transfer', $2, $3, $3)`,
      [accountId, bank, await tx.now()],
    )
    await tx.run('UPDATE registration_types SET price = 500 WHERE account_id = $1', [accountId])
    for (const [day, id] of ids.entries()) {
      await events.setStatus(tx, id, 'published')
      await events.update(tx, id, { ends_at: at('2026-12-01T11:00:00Z') + day * DAY })
    }
  })
  clock.set('2026-12-01T08:00:00Z')
  const { text } = await visit('/ada/tower-tours/')
  const said = (day: number) =>
    new RegExp(`${day} December 2026[\\s\\S]*?(Places left|Not on sale)`).exec(text)?.[1]
  assert.deepEqual([1, 2, 3, 4].map(said), ['Not on sale', 'Places left', 'Places left', 'Places left'])
})

test('a frame of a series has its public dates, each leads to its tickets in the same frame, and foreign sites have none', async t => {
  const { visit, write, ids } = await startWithSeries(t)
  const path = '/ada/tower-tours/embed'
  const site = 'https://www.ada.example'
  const framersOf = async () =>
    /frame-ancestors ([^;]+)/.exec(String((await visit(path)).headers['content-security-policy']))?.[1]
  assert.equal(await framersOf(), "'none'")
  await write(async tx => {
    await accounts.update(tx, { embed_origins: [site] })
    await events.setStatus(tx, ids[1], 'published')
  })
  assert.equal(await framersOf(), site)
  const back = `?${new URLSearchParams({ back: `${site}/tours` })}`
  const answer = await visit(path + back)
  assert.equal(answer.headers['set-cookie'], undefined)
  const page = parsePage(answer.text)
  assert.equal(page.querySelector('h1')?.textContent, 'Tower tours')
  assert.equal(page.querySelectorAll('.top, .foot, nav').length, 0)
  const links = [...page.querySelectorAll('.framed-dates a')]
  assert.deepEqual(
    links.map(link => link.getAttribute('target')),
    ['_self', '_self'],
  )
  assert.match(links[0]?.textContent ?? '', /Tuesday, 1 December 2026.*Places left/)
  for (const link of links) {
    const href = link.getAttribute('href') ?? ''
    assert.match(href, /^\/ada\/[a-z0-9-]+\/embed\?back=/)
    const tickets = await visit(href)
    assert.match(tickets.text, /How many of Adult/)
    const ways = parsePage(tickets.text).querySelectorAll('p.small a[target=_self]')
    assert.deepEqual(
      [...ways].map(way => way.getAttribute('href')),
      [path + back],
      'from a date back to all of the series',
    )
  }
  const whole = page.querySelector('p.small a')
  assert.deepEqual(
    [whole?.getAttribute('href'), whole?.getAttribute('target')],
    [`/ada/tower-tours/${back}`, null],
  )
  assert.doesNotMatch((await visit(`${path}?back=https://evil.example/`)).text, /evil/)
  await write(async tx => {
    for (const id of ids) await events.update(tx, id, { visibility: 'private' })
  })
  assert.equal((await visit(path)).status, 404)
})
