import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { ALLOWED } from '#app/door-only.ts'
import { DAY } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { markStart } from '#machinery/ops/run-mark.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { OFFER_MORE } from '#product/selling/orders/offers.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { type TestClock, testClock } from '#test/support/clock.ts'
import { openDatabase } from '#test/support/engine.ts'
import { addOrder, addUnpaid, digest, everything, writeMails } from '#test/support/every-row.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { type Applied, type ServerOptions, startServer } from '#test/support/server.ts'
import { orderFree } from '#test/support/ticket-mail.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Makes an event in three days with somebody on its waitlist, a webhook, and whatever else the program knows. */
function fileOf(receiver: Receiver) {
  const file = everything()
  const [event, ...events] = file.events
  const soon = { starts_at: '2026-11-24T09:00:00Z', ends_at: '2026-11-25T20:00:00Z', waitlist_mode: 'offer' }
  const webhooks = [{ url: receiver.url, types: ['registration.created'] }]
  return { ...file, events: [{ ...event, ...soon }, ...events], webhooks }
}

/** Makes a data folder in which something of each kind is due, and on which no server has run. */
async function makeDue(t: TestContext, data: string, clock: TestClock): Promise<Receiver> {
  const receiver = await startReceiver(t)
  const db = await openDatabase(data, clock)
  const applied = (await applyOrganization(db, fileOf(receiver), { clock })) as Applied
  const event = applied.events['spring-meeting'] as Applied['events'][string]
  const { Free, Standard } = event.registration_types as { Free: string; Standard: string }
  await writeMails(db, applied.account_id, event.id)
  await addOrder(db, applied.account_id, event.id, Free)
  await addUnpaid(db, applied.account_id, event.id, Standard)
  await db.write(applied.account_id, async tx => {
    await events.update(tx, event.id, {
      reminder: 'all',
      requires_approval: true,
      approval_days: 1,
    })
    const offer = { kind: OFFER_MORE, eventId: event.id, input: { type_ids: [Free] }, total: null }
    await jobs.start(tx, { ...offer, by: 'server' })
  })
  const of = { accountId: applied.account_id, eventId: event.id, typeId: Free }
  await orderFree(db, of, 'Held')
  await db.close()
  return receiver
}

/** Starts a server on the folder, without what it serves beside its requests being given any time but that of the test. */
function serve(t: TestContext, data: string, clock: TestClock, settings: object, tuning = {}) {
  const options: ServerOptions = {
    data,
    clock,
    settings: { allowInsecureWebhooks: true, ...settings },
    tuning,
  }
  return startServer(t, options)
}

test('for a day a box sends, ends, offers, settles and cleans nothing, which a server does at once', async t => {
  const clock = testClock()
  const data = temporaryFolder(t)
  const receiver = await makeDue(t, data, clock)
  const mail = await startMailServer(t)
  const settings = { smtpUrl: mail.url, mailFrom: 'tickets@example.org', accessLogDays: 1 }
  clock.advance(DAY)

  const all = { cleaningAfter: 0, recurs: () => true }
  const box = await serve(t, data, clock, { ...settings, doorOnly: true }, all)
  const before = await digest(box.db)
  for (let passed = 0; passed < DAY; passed += DAY / 4) {
    clock.advance(DAY / 4)
    assert.equal((await request(`${box.app.siteUrl}/healthz`)).statusCode, 200)
    // What a server does by itself, it does within a few milliseconds of its start: see below.
    await setTimeout(100)
  }
  assert.equal(await digest(box.db), before)
  assert.deepEqual([receiver.connections, mail.received.length], [0, 0])
  await box.app.close()

  const server = await serve(t, data, clock, settings, all)
  await eventually('a webhook', () => receiver.received.length > 0)
  await eventually('a mail', () => mail.received.length > 0)
  const count = (sql: string) =>
    server.db.read(INSTANCE, async tx => (await tx.one<{ n: number }>(sql))?.n || undefined)
  await eventually('an offer', () => count("SELECT count(*) AS n FROM orders WHERE waits_for = 'answer'"))
  await eventually('the end of a hold', () =>
    count("SELECT count(*) AS n FROM orders WHERE status = 'failed'"),
  )
})

/** Starts a box on a copy of a server's database, with the pages of the dashboard. */
async function startBox(t: TestContext) {
  const clock = testClock()
  const own = join(temporaryFolder(t), 'own')
  const data = join(temporaryFolder(t), 'copy')
  const db = await openDatabase(own, clock)
  await markStart(db, own, clock())
  await db.close()
  const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
  const backup = join(own, 'backup.db')
  assert.equal(await carryOut(['backup', backup, '--data', own], io), 0)
  assert.equal(await carryOut(['restore', backup, '--data', data], io), 0)
  const today = {
    registrations: [
      { reference: 'one', registration_type: 'Free', buyer: { name: 'Grace', email: 'g@example.org' } },
    ],
  }
  return startDashboard(t, organization({ event: today }), { data, clock, settings: { doorOnly: true } })
}

test('a box admits by the API and the dashboard, though it is a copy, and refuses every other change', async t => {
  const box = await startBox(t)
  const { client, db, app, eventId, types, log } = box
  assert.ok((await db.read(INSTANCE, findHold)) !== null)
  assert.equal(log.filter(({ msg }) => /copy or an older one, and only admits/.test(String(msg))).length, 1)

  const { body: found } = await client.get(`/registrations?event_id=${eventId}`)
  const ticket = found.data[0].attendees[0]
  assert.equal((await client.post('/check-ins', { attendee_id: ticket.id })).status, 201)
  assert.equal(
    (await client.post('/check-ins', { attendee_id: ticket.id })).body.error.code,
    'already_checked_in',
  )

  const owner = await box.member('owner')
  const list = await owner.open(`/manage/e/${eventId}/check-in`)
  assert.match(list.text, /Grace/)
  const home = await owner.open(`/manage/a/${box.accountId}`)
  assert.equal(home.status < 400, true)

  const before = await digest(db)
  const refused = await client.post('/registrations', newRegistration({ eventId, types }))
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'door_only'])
  assert.equal((await client.post(`/registrations/${found.data[0].id}/cancel`)).status, 403)
  const form = { method: 'POST', headers: { origin: app.siteUrl, accept: 'text/html' } } as const
  for (const [path, method, words] of [
    ['/ada/spring-meeting/register', 'GET', /is at the door of the event, and sells nothing/],
    ['/ada/spring-meeting/register/order', 'POST', /is at the door of the event, and sells nothing/],
    ['/ada/spring-meeting/tickets', 'POST', /is at the door of the event, and sells nothing/],
    ['/ada/spring-meeting/waitlist', 'POST', /is at the door of the event, and sells nothing/],
    ['/orders/abc/pay', 'POST', /sells nothing/],
    ['/orders/abc/cancel', 'POST', /sells nothing/],
    ['/unsubscribe/abc', 'POST', /only lets people in at the door/],
    [`/manage/e/${eventId}/guests/new`, 'POST', /only lets people in at the door/],
    [`/manage/e/${eventId}/check-in/${ticket.id}/paid`, 'POST', /only lets people in at the door/],
    [`/manage/e/${eventId}/cancel`, 'POST', /only lets people in at the door/],
    ['/manage/forgotten', 'POST', /only lets people in at the door/],
  ] as const) {
    const answer = await request(app.siteUrl + path, { ...form, method })
    assert.match(await answer.body.text(), words, path)
    assert.equal(answer.statusCode, 403, path)
  }
  assert.equal(await digest(db), before)
})

/** Opens each page that links lead to from these, and returns what their forms send and where their buttons lead. */
async function walk(
  reader: Awaited<ReturnType<Awaited<ReturnType<typeof startBox>>['member']>>,
  from: string[],
) {
  const opened = new Map<string, { text: string; actions: string[]; buttons: string[] }>()
  const left = [...from]
  for (let path = left.shift(); path !== undefined && opened.size < 200; path = left.shift()) {
    if (opened.has(path)) continue
    const { text, document } = await reader.open(path)
    const all = (selector: string, name: string) =>
      [...document.querySelectorAll(selector)].flatMap(each => each.getAttribute(name) ?? [])
    const actions = [...all('main form[method=post]', 'action'), ...all('main [formaction]', 'formaction')]
    opened.set(path, { text, actions, buttons: all('main a.button', 'href') })
    const isPage = (href: string) =>
      href.startsWith('/manage/') && !/\.(csv|pdf|json|db|zip)\b|sign-out|\?/.test(href)
    left.push(...all('a[href]', 'href').filter(isPage))
  }
  return opened
}

test('the dashboard of a box has no button and no form that the box would refuse, and all others', async t => {
  const box = await startBox(t)
  const owner = await box.member('owner')
  const pages = await walk(owner, [`/manage/e/${box.eventId}`, `/manage/a/${box.accountId}`])
  assert.ok(pages.size > 40, `${pages.size} pages`)
  const refused = /only lets people in at the door/
  const toForm = await owner.open(`/manage/e/${box.eventId}/guests/new`)
  assert.match(toForm.text, refused, 'who comes by an address is told')
  // A box refuses before it looks who asks, so it does not matter that one of the forms signs out.
  for (const [path, { buttons, actions }] of pages) {
    for (const href of buttons)
      assert.doesNotMatch(pages.get(href)?.text ?? '', refused, `${path} leads to ${href}`)
    for (const action of actions)
      assert.doesNotMatch((await owner.post(action)).text, refused, `${path}: ${action}`)
  }
  const offered = new Set([...pages.values()].flatMap(({ actions, buttons }) => [...actions, ...buttons]))
  for (const path of ['doors/new', 'check-in']) {
    assert.ok(offered.has(`/manage/e/${box.eventId}/${path}`), path)
  }

  const whole = await startDashboard(t)
  const all = await walk(await whole.member('owner'), [`/manage/e/${whole.eventId}`])
  const offers = new Set([...all.values()].flatMap(({ actions, buttons }) => [...actions, ...buttons]))
  assert.ok(offers.has(`/manage/e/${whole.eventId}/guests/new`), 'a whole server offers what a box does not')
})

test('what a box allows are paths that there are, and it needs a copy of data to begin with', async t => {
  const { app } = await startBox(t)
  for (const [face, allowed] of Object.entries(ALLOWED)) {
    if (allowed === 'all') continue
    for (const [method, paths] of Object.entries(allowed)) {
      for (const path of paths === 'all' ? [] : paths) {
        if (path.endsWith('/**')) continue
        const url = app.siteUrl + face + path.replace(/\{\w+\}/g, 'x')
        const { headers } = await request(url, { method: 'PUT' })
        assert.ok(String(headers.allow).split(', ').includes(method), `${method} ${face}${path}`)
      }
    }
  }
  const data = join(temporaryFolder(t), 'none')
  await assert.rejects(
    startServer(t, { data, settings: { doorOnly: true } }),
    /--door-only needs a copy of the data/,
  )
})
