import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { examine } from '#product/catalog/events/pictures.ts'
import { organization } from '#test/support/organization.ts'
import { startStorefront, type Visit } from '#test/support/people/storefront.ts'
import { png } from '#test/support/pictures.ts'

const PAGE = '/ada/spring-meeting/'

/** All of an answer but for what each has of its own. */
function comparable({ status, headers, text }: Visit): unknown {
  const own = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  return [status, text, Object.entries(headers).filter(([name]) => !own.includes(name))]
}

test('everybody sees public and unlisted events, whatever became of them, and nobody else sees a draft or a private one', async t => {
  const { visit, change, setStatus } = await startStorefront(t)
  const unknown = comparable(await visit('/ada/nothing-like-it/'))
  for (const status of ['draft', 'published', 'cancelled', 'completed'] as const) {
    for (const visibility of ['public', 'unlisted', 'private', null] as const) {
      await setStatus(status)
      await change({ visibility })
      const isOpen = status !== 'draft' && (visibility === 'public' || visibility === 'unlisted')
      const seen = await visit(PAGE)
      assert.equal(seen.status, isOpen ? 200 : 404, `${status} ${visibility}`)
      if (!isOpen) assert.deepEqual(comparable(seen), unknown)
      for (const path of [`${PAGE}calendar.ics`, PAGE.slice(0, -1)]) {
        const { status: answered } = await visit(path)
        assert.equal(answered < 400, isOpen, `${path} ${status} ${visibility}`)
      }
      assert.equal(
        (await visit('/ada/')).text.includes('Spring Meeting'),
        status === 'published' && visibility === 'public',
      )
      if (isOpen) assert.equal(seen.text.includes('noindex'), visibility === 'unlisted')
    }
  }
})

test('what is not there, and what is not shown, is the same 404 of a page, and of JSON for programs', async t => {
  const { visit, change, setPicture } = await startStorefront(t)
  await setPicture(png())
  await change({ visibility: 'private' })
  const hash = examine(png()).hash
  const paths = ['/nobody/', '/nobody/x/', '/ada/x/', PAGE, '/ADA/', '/a%00a/', `${PAGE}cover/${hash}`]
  const first = comparable(await visit(PAGE))
  for (const path of paths) assert.deepEqual(comparable(await visit(path)), first, path)
  const json = await visit(PAGE, { accept: '*/*' })
  assert.equal(JSON.parse(json.text).error.code, 'route_not_found')
  assert.equal(
    (await visit('/nobody/', { accept: 'application/json' })).headers['content-type'],
    'application/json; charset=utf-8',
  )
})

test('members see drafts and private events with a banner, as far as they may see the event; nothing of it is kept', async t => {
  const { visit, change, setStatus, setPicture, member, apply, eventId, applied } = await startStorefront(
    t,
    organization({ events: [{ slug: 'other', title: 'Other' }] }),
  )
  await setPicture(png())
  await setStatus('draft')
  const bob = await apply(organization({ email: 'bob@example.org' }))
  const cookieOf = async (options: object) =>
    `session=${(await member('door', options)).cookies.get('session')}`
  const mine = await cookieOf({ eventIds: [eventId] })
  const elsewhere = await cookieOf({ email: 'e@example.org', eventIds: [applied.events.other?.id] })
  const foreign = await cookieOf({ email: 'f@example.org', accountId: bob.account_id })
  const open = await visit(PAGE, { cookie: mine })
  assert.equal(open.status, 200)
  assert.equal(open.headers['cache-control'], 'no-store')
  assert.match(open.text, /This is a preview\. The event is a draft/)
  assert.match(open.text, new RegExp(`/manage/e/${eventId}`))
  assert.match(open.text, /noindex/)
  const cover = /cover\/[0-9a-f]{64}/.exec(open.text)?.[0]
  const picture = await visit(PAGE + cover, { cookie: mine })
  assert.deepEqual([picture.status, picture.headers['cache-control']], [200, 'no-store'])
  for (const cookie of [elsewhere, foreign, 'session=', `session=${'A'.repeat(43)}`]) {
    assert.equal((await visit(PAGE, { cookie })).status, 404, cookie)
    assert.equal((await visit(PAGE + cover, { cookie })).status, 404, cookie)
  }
  assert.equal((await visit(PAGE)).status, 404, 'what a member has seen is shown to nobody else')
  await setStatus('published')
  await change({ visibility: 'private' })
  assert.match((await visit(PAGE, { cookie: mine })).text, /The event is private/)
  await change({ visibility: 'public' })
  assert.doesNotMatch((await visit(PAGE, { cookie: mine })).text, /preview/)
})

test('the address of the service leads to the dashboard, to the only organizer, or to a list of all', async t => {
  const { visit, setStatus, apply, write } = await startStorefront(t)
  const led = async () => {
    const { status, headers } = await visit('/')
    return [status, headers.location]
  }
  await setStatus('draft')
  assert.deepEqual(await led(), [302, 'manage'])
  await setStatus('published')
  assert.deepEqual(await led(), [302, 'ada/'])
  assert.deepEqual((await visit('/ada')).headers.location, 'ada/')
  assert.deepEqual((await visit('/ada/spring-meeting?lang=es')).headers.location, 'spring-meeting/?lang=es')
  const bob = await apply(organization({ email: 'bob@example.org', event: { title: 'Bob’s Fair' } }))
  assert.doesNotMatch((await visit('/')).text, /Bob/)
  await write(tx => accounts.update(tx, { slug: 'bob' }), bob.account_id)
  const { status, text } = await visit('/')
  assert.equal(status, 200)
  assert.match(text, /Spring Meeting/)
  assert.match(text, /href="\/bob\/spring-meeting\/"/)
  assert.doesNotMatch((await visit('/ada/')).text, /Bob/)
})

test('a list has what is to come: what is over leaves it, what begins first stands first', async t => {
  const soon = { slug: 'soon', title: 'Soon', starts_at: '2026-12-01T10:00:00Z' }
  const sooner = { slug: 'sooner', title: 'Sooner', starts_at: '2026-11-25T10:00:00Z' }
  const open = { slug: 'open', title: 'Someday' }
  const { visit, clock } = await startStorefront(t, organization({ events: [open, soon, sooner] }))
  const titles = async () =>
    [...(await visit('/ada/')).text.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title)
  assert.deepEqual(await titles(), ['Spring Meeting', 'Sooner', 'Soon', 'Someday'])
  clock.advance(Date.parse('2026-11-22T18:00:00Z') - clock())
  assert.deepEqual(await titles(), ['Sooner', 'Soon', 'Someday'])
  assert.match((await visit(PAGE)).text, /This event is over/)
})

test('an office behind one address looks as much as it likes, and a flood from one is told to wait', async t => {
  const settings = { trustProxy: ['127.0.0.1'] }
  const { visit } = await startStorefront(t, organization(), { settings })
  const from = (address: string) => visit(PAGE, { 'x-forwarded-for': address })
  for (let wave = 0; wave < 60; wave++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => from('198.51.100.1')))
    assert.ok(
      answers.every(({ status }) => status === 200),
      `wave ${wave}`,
    )
  }
  const refused = await from('198.51.100.1')
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
  assert.match(refused.text, /Wait a minute/)
  assert.equal((await from('198.51.100.2')).status, 200)
  // Guessing is limited as for every address that leads nowhere.
  const guess = () => visit('/ada/guess/', { 'x-forwarded-for': '198.51.100.3' })
  const guesses = await Promise.all(Array.from({ length: 121 }, guess))
  assert.equal(guesses.filter(({ status }) => status === 429).length, 1)
})

test('no organizer has an address that something else is at', async t => {
  const { db, accountId, visit } = await startStorefront(t)
  for (const slug of [
    'v1',
    'manage',
    'door',
    'orders',
    'tickets',
    'assets',
    'trust',
    'healthz',
    'metrics',
    'setup',
  ]) {
    const update = db.write(accountId, tx => accounts.update(tx, { slug }))
    await assert.rejects(update, { code: 'already_taken', param: 'slug' }, slug)
    const { status, text } = await visit(`/${slug}/`)
    assert.ok(status >= 300 || !text.includes('Ada Events'), slug)
  }
})
