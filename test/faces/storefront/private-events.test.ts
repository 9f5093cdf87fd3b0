import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import ical from 'ical.js'
import { HOUR, SECOND } from '#base/time.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { NewCode } from '#product/catalog/codes/schemas.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { EngineTransaction } from '#test/support/engine-classes.ts'
import { organization } from '#test/support/organization.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { startStorefront, type Visit } from '#test/support/people/storefront.ts'
import { png } from '#test/support/pictures.ts'
import { recordStatements } from '#test/support/statements.ts'

const PAGE = '/ada/spring-meeting/'

/** All of an answer but for what each has of its own. */
function comparable({ status, headers, text }: Visit): unknown {
  const own = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  return [status, text, Object.entries(headers).filter(([name]) => !own.includes(name))]
}

/** Starts with a private event that has one code. */
async function start(t: TestContext, changes: Partial<NewCode> = {}) {
  const file = organization({
    event: {
      visibility: 'private',
      registration_types: [
        { name: 'Guest', price: 0, capacity: 5 },
        { name: 'Box', price: 0, capacity: 5 },
        { name: 'Gone', price: 0, capacity: 0 },
      ],
    },
    events: [{ slug: 'other', title: 'Other', status: 'published', visibility: 'private' }],
  })
  const server = await startStorefront(t, file)
  const { accountId, eventId, write, db, types } = server
  await write(tx => tx.run("UPDATE registration_types SET hidden = 1 WHERE name = 'Box'"))
  const addCode = (code: string, some: Partial<NewCode> = {}, id = eventId) =>
    write(tx =>
      codes.create(tx, id, {
        ...{ code, percent: null, amount: null, registration_type_ids: null, valid_from: null },
        ...{ valid_until: null, max_tickets: null, active: true, note: null },
        ...some,
      }),
    )
  const code = await addCode('Friends-1', changes)
  const listed = () => db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 50 }))
  return { ...server, code, addCode, listed, types }
}

/** Returns what the form of a page would send. */
function fieldsOf({ document }: ReadPage): Record<string, string> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main form input')]
  return Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
}

test('a private event is shown with a code of it, in any case of letters, and nothing of it is kept or indexed', async t => {
  const { visit, setPicture } = await start(t)
  await setPicture(png())
  for (const entered of ['Friends-1', 'friends-1', '%20FRIENDS-1%20']) {
    const { status, headers, text } = await visit(`${PAGE}?code=${entered}`)
    assert.equal(status, 200, entered)
    assert.deepEqual(
      [headers['cache-control'], headers['x-robots-tag'], headers.etag],
      ['no-store', 'noindex', undefined],
    )
    assert.match(text, /<meta name="robots" content="noindex"/)
    assert.match(text, /Spring Meeting/)
    assert.match(text, /Box/, 'what is hidden is shown with a code')
    assert.doesNotMatch(text, /preview|Join the waitlist/)
  }
  assert.equal((await visit(PAGE)).status, 404, 'what a guest has seen is shown to nobody else')
  for (const list of ['/', '/ada/']) assert.doesNotMatch((await visit(list)).text, /Spring Meeting/)
  const led = await visit('/ada/spring-meeting?code=Friends-1')
  assert.deepEqual([led.status, led.headers.location], [302, 'spring-meeting/?code=Friends-1'])
})

test('every link and picture of a private page leads on with the code, and none without it', async t => {
  const { visit, setPicture } = await start(t)
  await setPicture(png())
  const { text } = await visit(`${PAGE}?code=Friends-1&lang=es`)
  const within = [...text.matchAll(/(?:href|src|content)="([^"]*\/ada\/spring-meeting\/[^"]*)"/g)].map(
    ([, link = '']) => link.replaceAll('&amp;', '&').replace(/^https?:\/\/[^/]+/, ''),
  )
  assert.ok(within.length >= 7, String(within))
  for (const link of within) {
    assert.match(link, /[?&]code=Friends-1(?:&|$)/)
    const answer = await visit(link)
    assert.equal(answer.status, 200, link)
    assert.deepEqual(
      [answer.headers['cache-control'], answer.headers['x-robots-tag']],
      ['no-store', 'noindex'],
    )
    const bare = link.replace(/code=[^&]*/, '')
    assert.equal((await visit(bare)).status, 404, bare)
  }
  assert.match(text, /<input type="hidden" name="code" value="Friends-1"/)
  assert.doesNotMatch(text, /href="\/ada\/\?[^"]*code/, 'the organizer’s list needs none')
  const file = await visit(`${PAGE}calendar.ics?code=Friends-1`)
  const entry = new ical.Component(ical.parse(file.text)).getFirstSubcomponent('vevent')
  assert.equal(entry?.getFirstPropertyValue('summary'), 'Spring Meeting')
  assert.doesNotMatch(file.text, /friends-1|http/i, 'calendars are shared: the code stays with the guest')
})

test('a code that is wrong, over, too early, used up, off or of another event is the very 404 of what there is not', async t => {
  const { visit, addCode, setPicture, clock, applied, write, setStatus } = await start(t)
  await setPicture(png())
  await addCode('early', { valid_from: clock() + HOUR })
  await addCode('late', { valid_until: clock() })
  await addCode('off', { active: false })
  const used = await addCode('used', { max_tickets: 1 })
  await write(tx => tx.run('UPDATE codes SET used = 1 WHERE id = $1', [used.id]))
  await addCode('foreign', {}, applied.events.other?.id)
  const hash = /cover\/([0-9a-f]{64})/.exec((await visit(`${PAGE}?code=Friends-1`)).text)?.[1]
  const wrong = [
    '',
    'early',
    'late',
    'off',
    'used',
    'foreign',
    'x'.repeat(500),
    '%00',
    '%27 OR 1=1',
    'friends',
  ]
  const unknown = comparable(await visit('/ada/nothing-like-it/?code=Friends-1'))
  for (const entered of wrong) {
    for (const path of ['', 'calendar.ics', 'register', 'waitlist', `cover/${hash}`]) {
      const answer = comparable(await visit(`${PAGE}${path}?code=${encodeURIComponent(entered)}`))
      assert.deepEqual(answer, unknown, `${path} ${entered}`)
    }
  }
  await setStatus('draft')
  assert.deepEqual(comparable(await visit(`${PAGE}?code=Friends-1`)), unknown, 'no code shows a draft')
})

test('codes are guessed no faster than links of orders', async t => {
  const { visit } = await start(t)
  const guess = (n: number) => visit(`${PAGE}?code=guess-${n}`)
  const answers = await Promise.all(Array.from({ length: 125 }, (_, n) => guess(n)))
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
  assert.equal((await visit(`${PAGE}?code=Friends-1`)).status, 200, 'who has the code waits for nobody')
})

test('codes of an event that everybody sees are guessed no faster', async t => {
  const { visit, write } = await start(t)
  await write(tx => tx.run("UPDATE events SET visibility = 'public'"))
  const guess = (n: number) => visit(`${PAGE}register?code=guess-${n}`)
  const answers = await Promise.all(Array.from({ length: 125 }, (_, n) => guess(n)))
  assert.equal(answers.filter(({ status }) => status === 422).length, 120)
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
  assert.equal(
    (await visit(`${PAGE}register?code=Friends-1`)).status,
    200,
    'who has the code waits for nobody',
  )
})

test('what is private is asked for with the very statements of what there is not, with a wrong code and without one', async t => {
  const { visit, write } = await start(t)
  const statements = recordStatements(t, EngineTransaction, ['one', 'all'])
  for (const query of ['', '?code=wrong', '?code=']) {
    const queries: string[][] = []
    for (const path of [PAGE, '/ada/nothing-like-it/', '/nobody/nothing-like-it/']) {
      // A page is read again after a change, so the change makes it look anew.
      await write(tx => tx.run('UPDATE events SET revision = revision + 1'))
      statements.clear()
      await visit(path + query)
      queries.push(
        [...statements.keys()].filter(sql => /FROM (?:accounts|events|codes|registration)/.test(sql)),
      )
    }
    assert.equal(queries[0]?.length, query === '?code=wrong' ? 4 : 3, String(queries[0]))
    // Where there is no organization, nobody looks for a series of it.
    const ofNobody = queries[0]?.filter(sql => !sql.includes('FROM series'))
    assert.deepEqual([queries[1], queries[2]], [queries[0], ofNobody], query)
  }
})

test('with its code a guest registers for a private event, and the order’s page leads to no page that needs one', async t => {
  const { visitor, clock, listed } = await start(t, { max_tickets: 1 })
  const browser = visitor()
  const page = await browser.open(`${PAGE}?code=Friends-1`)
  const form = await page.fill({ 'How many of Guest': '1' }).press('Register')
  clock.advance(SECOND)
  const refused = await form.fill({ 'Your name': 'Grace', 'Your e-mail': 'nobody' }).press('Continue')
  assert.equal(refused.status, 422)
  const review = await refused.fill({ 'Your e-mail': 'grace@example.org' }).press('Continue')
  assert.equal(review.heading, 'Is this right?')
  const changed = await review.press('Change something')
  assert.equal(changed.field('Your name').value, 'Grace')
  const order = await review.press('Register')
  assert.match(order.heading, /^Order /)
  assert.doesNotMatch(order.html, /\/ada\/spring-meeting\//)
  assert.equal((await listed()).length, 1)
  // The code is used up by it.
  assert.equal((await browser.open(page.path)).status, 404)
  assert.equal((await review.press('Register')).path, order.path)
  assert.equal((await listed()).length, 1)
})

test('who fills in the form while the last place of the code goes is told so, and nobody orders without a code', async t => {
  const { visitor, clock, listed, write, code, types } = await start(t, { max_tickets: 1 })
  const browser = visitor()
  const form = await browser.open(`${PAGE}register?q.${types.Guest}=1&code=Friends-1`)
  clock.advance(SECOND)
  const review = await form
    .fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' })
    .press('Continue')
  const sent = fieldsOf(review)
  const order = `${PAGE}register/order`
  const { code: _, ...without } = sent
  for (const fields of [without, { ...sent, code: '' }, { ...sent, code: 'wrong', 'form.shown': 'x' }]) {
    for (const path of [order, `${order}?code=Friends-1`, `${PAGE}register`])
      assert.equal((await browser.post(path, fields)).status, 404)
  }
  await write(tx => tx.run('UPDATE codes SET used = 1 WHERE id = $1', [code.id]))
  const refused = await review.press('Register')
  assert.deepEqual([refused.status, /code/i.test(refused.text)], [409, true])
  const wrong = await browser.post(order, { ...sent, code: 'wrong' })
  assert.ok(wrong.status >= 400 && wrong.status < 500)
  assert.deepEqual(await listed(), [])
})

test('members see a private event without a code, and with one as its guests do', async t => {
  const { visit, member } = await start(t)
  const cookie = `session=${(await member('manager')).cookies.get('session')}`
  assert.match((await visit(PAGE, { cookie })).text, /This is a preview\. The event is private/)
  assert.match((await visit(`${PAGE}?code=wrong`, { cookie })).text, /This is a preview/)
  assert.doesNotMatch((await visit(`${PAGE}?code=Friends-1`, { cookie })).text, /This is a preview/)
})
