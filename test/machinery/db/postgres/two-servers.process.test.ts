import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Client } from '#test/support/client.ts'
import { DoorClient, pairDoor } from '#test/support/door/door.ts'
import { pdfOf } from '#test/support/files.ts'
import { OrderForms, PATH } from '#test/support/people/order-forms.ts'
import { seller } from '#test/support/people/organizer.ts'
import { PageReader } from '#test/support/people/page-reader.ts'
import { png } from '#test/support/pictures.ts'
import {
  findPostgres,
  ofPostgres,
  type PostgresServer,
  startPostgres,
} from '#test/support/postgres-server.ts'
import { ok, startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServer } from '#test/support/server.ts'
import { startWithDraft } from '#test/support/submitted-files.ts'
import { startTwo, type TwoServers } from '#test/support/two-servers.ts'
import { eventually, readDeliveries } from '#test/support/webhooks.ts'

// Each of these is a line of what one server may keep in its memory, or do by itself, and several may not.

/** What lasts as long as the tests of this file. */
const ends: (() => unknown)[] = []
const file = { after: (end: () => unknown) => void ends.unshift(end) } as unknown as TestContext

let postgres: PostgresServer
let at: TwoServers
before(async () => {
  if (findPostgres() === undefined) return
  postgres = await startPostgres()
  at = await startTwo(file, postgres.makeDatabase())
})
after(async () => {
  for (const end of ends) await end()
  postgres?.remove()
})

/** Returns how many orders, tickets and mails there are. */
async function counted() {
  const { orders = 0, tickets = 0, mails = 0 } = await at.taken()
  return { orders, tickets, mails }
}

const both = <T>(work: (client: Client) => Promise<T>) => Promise.all(at.clients.map(work))

test(
  'a visitor whose every request reaches another server buys, and reads the order',
  ofPostgres,
  async () => {
    const form = await at.review()
    const { status, location } = await at.order(form)
    assert.equal(status, 303)
    for (let times = 0; times < 4; times++) {
      const page = await at.forms.get(location as string)
      assert.equal(page.status, 200)
      assert.match(page.text, /Spring Meeting/)
    }
    const [first = 0, second = 0] = at.balancer.counts
    assert.ok(first >= 3 && second >= 3, `${first} and ${second}`)
  },
)

test('a payment is settled, whichever server its buyer comes back to', ofPostgres, async t => {
  await at.db.write(at.accountId, tx => accounts.update(tx, { ...seller, slug: 'ada' }))
  for (const [number, name] of ['Ada', 'Grace'].entries()) {
    const buyer = at.visitor()
    const form = await eventually('both know who sells', async () => {
      const page = await buyer.open(`${PATH}register?q.${at.types.Patron}=1`)
      return page.text.includes('Your name') && page
    })
    at.clock.advance(5 * SECOND)
    const mail = { 'Your name': name, 'Your e-mail': `${name}@example.org` }
    const review = await form.fill(mail).press('Continue')
    const placed = await review.press('Order with obligation to pay')
    const path = await eventually('the page to pay on', async () => {
      const link = (await buyer.open(placed.path)).document.querySelector('a[href*="/orders/test/"]')
      return link !== null && new URL(link.getAttribute('href') as string).pathname
    })
    // The buyer pays and comes back to one of the two, and looks at no page: that one alone knows, and may not lead.
    const forms = new OrderForms(t, at.origins[number] as string)
    assert.equal((await forms.post(path, 'action=pay')).status, 303)
    await eventually('it is paid', async () => {
      const [order] = await at.db.read(at.accountId, tx =>
        orders.list(tx, { event_id: at.eventId }, { limit: 1 }),
      )
      return order?.status === 'confirmed'
    })
    assert.match((await buyer.open(placed.path)).text, /€30\.00 are paid\./)
  }
})

test('a form that is sent to both servers at once makes one order', ofPostgres, async t => {
  const form = await at.review()
  const before = await counted()
  const forms = at.origins.map(origin => new OrderForms(t, origin))
  const answers = await Promise.all(forms.map(each => each.post(`${PATH}register/order`, form)))
  const [one, other] = answers.map(({ location }) => location)
  assert.equal(one, other)
  assert.deepEqual((await counted()).orders, before.orders + 1)
})

test('an idempotency key that both servers get at once has one answer', ofPostgres, async () => {
  const body = newRegistration(at, { registration_type_id: at.types.Guest })
  const before = await counted()
  const keysAtOnce = Array.from({ length: 20 }, (_, number) => `at-once-${number}`)
  const answers = await Promise.all(
    keysAtOnce.map(name =>
      both(client => client.post('/registrations', body, { headers: { 'Idempotency-Key': name } })),
    ),
  )
  for (const [one, other] of answers) {
    assert.deepEqual([one?.status, other?.text], [201, one?.text])
  }
  assert.equal((await counted()).tickets, before.tickets + 20)
})

test('a list goes on at the other server, by the cursor of the first', ofPostgres, async () => {
  const [first, second] = at.clients
  const whole = (await first.get('/registrations?limit=20')).body.data
  const page = (await first.get('/registrations?limit=5')).body
  const next = await second.get(`/registrations?limit=15&starting_after=${page.next_cursor}`)
  assert.deepEqual(
    [...page.data, ...next.body.data].map(({ id }: { id: string }) => id),
    whole.map(({ id }: { id: string }) => id),
  )
})

test('a key that was revoked is refused by both servers at once', ofPostgres, async () => {
  const made = await at.db.write(at.accountId, tx =>
    keys.create(tx, { name: 'lost', scopes: ['events:read'], expiresAt: null, rateLimit: 0 }),
  )
  const statuses = async () =>
    (await both(client => client.get('/events', { key: made.key }))).map(each => each.status)
  assert.deepEqual(await statuses(), [200, 200])
  await at.db.write(at.accountId, tx => keys.revoke(tx, made.id))
  assert.deepEqual(await statuses(), [401, 401])
})

test('the limit of a key is each server’s own', ofPostgres, async () => {
  const { key } = await at.db.write(at.accountId, tx =>
    keys.create(tx, { name: 'slow', scopes: ['events:read'], expiresAt: null, rateLimit: 1 }),
  )
  const [first, second] = at.clients
  const ask = async (client: Client) => (await client.get('/events', { key })).status
  assert.deepEqual([await ask(first), await ask(second)], [200, 200])
  const more = [await ask(first), await ask(first), await ask(second), await ask(second)]
  assert.deepEqual(new Set(more), new Set([429]))
})

/** Returns how much of its limit an answer leaves. */
const leftBy = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'))

test('the limit of an address is each server’s own', ofPostgres, async () => {
  at.clock.advance(MINUTE)
  const [first, second] = at.origins
  const ask = async (origin: string) => {
    const answer = await fetch(`${origin}/v1/openapi.json`)
    await answer.bytes()
    return answer
  }
  for (let left = leftBy(await ask(first)); left > 0; left--) assert.equal((await ask(first)).status, 200)
  assert.equal((await ask(first)).status, 429)
  const other = await ask(second)
  assert.deepEqual([other.status, leftBy(other)], [200, 119])
  at.clock.advance(MINUTE)
})

test('the limit of a person is each server’s own', ofPostgres, async () => {
  const { cookies } = await at.member('owner', { email: 'often@example.org' })
  const ask = async (origin: string) => {
    const answer = await fetch(`${origin}/manage`, {
      ...{ headers: { cookie: `session=${cookies.get('session')}` }, redirect: 'manual' },
    })
    await answer.bytes()
    return answer.status
  }
  const [first, second] = at.origins
  for (let count = 0; count < 600; count += 20) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(first)))
    assert.deepEqual(new Set(statuses), new Set([303]))
  }
  assert.deepEqual([await ask(first), await ask(second)], [429, 303])
  at.clock.advance(MINUTE)
})

test('the limit of guesses at a password is each server’s own', ofPostgres, async t => {
  const { user } = await at.member('owner', { email: 'guessed@example.org' })
  const browsers = at.origins.map(origin => new PageReader(origin))
  t.after(() => Promise.all(browsers.map(browser => browser.close())))
  const guess = async (browser: PageReader) => {
    const form = await browser.open('/manage/sign-in')
    return (await form.fill({ 'E-mail': user.email, Password: 'is it this one?' }).press('Sign in')).status
  }
  const [first, second] = browsers as [PageReader, PageReader]
  const guesses: number[] = []
  for (let count = 0; count < 11; count++) guesses.push(await guess(first))
  assert.deepEqual(guesses, [...Array.from({ length: 10 }, () => 401), 429])
  assert.equal(await guess(second), 401)
})

test('the limit of uploads at once is each server’s own', ofPostgres, async t => {
  const { cookies } = await at.member('owner', { email: 'sends@example.org' })
  const headers = { cookie: `session=${cookies.get('session')}`, 'sec-fetch-site': 'same-origin' }
  const path = `/manage/a/${at.accountId}/statements`
  const [first, second] = at.origins
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  /** Begins to send a file, and does not end. One that finds no room begins again: a short one may be at it. */
  const hold = () => {
    const slow = request(first + path, { method: 'POST', headers: { ...headers, ...type } })
    slow.on('error', () => undefined).on('response', hold)
    slow.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n')
    t.after(() => slow.off('response', hold).destroy())
  }
  for (let count = 0; count < 2; count++) hold()
  const send = async (origin: string) => {
    const body = new FormData()
    body.set('file', new File(['Date;Amount;Name;Text\n2026-11-20;7,00;Zoe;more\n'], 'a.csv'))
    const answer = await fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' })
    await answer.bytes()
    return answer.status
  }
  await eventually('no room for a third', async () => (await send(first)) === 429)
  assert.equal(await send(second), 303)
})

test('a phone at the door that was revoked is refused by both servers at once', ofPostgres, async () => {
  const { door, id } = await pairDoor(at, at.accountId, { event_id: at.eventId })
  const phones = at.origins.map(origin =>
    Object.assign(new DoorClient(origin, at.clock), { token: door.token }),
  )
  const statuses = async () => (await Promise.all(phones.map(phone => phone.copy()))).map(each => each.status)
  assert.deepEqual(await statuses(), [200, 200])
  await at.db.write(at.accountId, tx => doors.revoke(tx, id))
  assert.deepEqual(await statuses(), [403, 403])
})

test('a code is admitted once, whichever servers two doors reach', ofPostgres, async () => {
  const body = newRegistration(at, { registration_type_id: at.types.Guest })
  const codes: string[] = []
  for (let count = 0; count < 10; count++) {
    codes.push((await at.clients[0].post('/registrations', body)).body.attendees[0].qr_code)
  }
  const phones = await Promise.all(
    at.origins.map(async (origin, number) => {
      const { door } = await pairDoor(at, at.accountId, { event_id: at.eventId, name: `Door ${number}` })
      return Object.assign(new DoorClient(origin, at.clock), { token: door.token })
    }),
  )
  for (const code of codes) {
    const results = await Promise.all(phones.map(phone => phone.one(phone.scan({ code }))))
    assert.deepEqual(results.map(({ outcome }) => outcome).sort(), ['admitted', 'refused'])
  }
})

test(
  'a session holds at both servers with all forms and messages, and ends at both at once',
  ofPostgres,
  async () => {
    const owner = await at.member('owner')
    const settings = `/manage/e/${at.eventId}/settings/page`
    const saved = await (await owner.open(settings))
      .fill({ 'Contact e-mail': 'hello@ada.example' })
      .press('Save')
    assert.deepEqual(saved.messages, ['“Spring Meeting” is saved.'])
    assert.equal((await owner.open(settings)).field('Contact e-mail').value, 'hello@ada.example')
    await at.db.write(INSTANCE, tx => sessions.endAll(tx, owner.user.id))
    for (let times = 0; times < 2; times++) assert.equal((await owner.open('/manage')).heading, 'Sign in')
  },
)

test('a picture that one server gets is shown by the other', ofPostgres, async () => {
  const manager = await at.member('manager')
  const page = await manager.open(`/manage/e/${at.eventId}/settings/page/picture`)
  const added = await page.choose('File', 'cover.png', new Uint8Array(png(64, 36))).press('Upload')
  const path = added.document.querySelector('main img')?.getAttribute('src') as string
  const [one, other] = await Promise.all(at.origins.map(origin => fetch(origin + path)))
  assert.deepEqual([one?.status, other?.status], [200, 200])
  assert.deepEqual(await one?.bytes(), await other?.bytes())
})

test(
  'a statement that one server gets is read by the other, and the leader matches its lines',
  ofPostgres,
  async () => {
    const finance = await at.member('finance')
    const address = `/manage/a/${at.accountId}/statements`
    const day = new Date(at.clock()).toISOString().slice(0, 10)
    const csv = `Date;Amount;Name;Text\n${day};7,00;Zoe;no idea\n`
    const columns = await (await finance.open(address)).choose('File', 'bank.csv', csv).press('Upload')
    const started = await (await columns.press('Read the lines')).press('Match these lines')
    await eventually('the end of the job', async () => {
      const now = await finance.open(started.path)
      return now.document.querySelector('progress') === null
    })
    assert.match((await finance.open(address)).text, /Zoe/)
  },
)

test(
  'a list of guests that one server gets is checked and imported by the leader, and the other shows it',
  ofPostgres,
  async () => {
    const manager = await at.member('manager', { email: 'imports@example.org' })
    const csv = 'Name;Email;Ticket type\nGrace;g1@example.org;Guest\nAda;g2@example.org;Guest\n'
    const page = await manager.open(`/manage/e/${at.eventId}/guests/import`)
    const columns = await page.choose('File', 'guests.csv', csv).press('Upload')
    const settled = (path: string) =>
      eventually('the end of the job', async () => {
        const now = await manager.open(path.replace(/\/(columns|start)$/, ''))
        return now.document.querySelector('progress') === null && now
      })
    const checked = await settled((await columns.press('Check the lines')).path)
    assert.match(checked.text, /2 guests can be imported\./)
    const before = (await counted()).tickets
    const confirm = await checked.follow('Import 2 guests')
    await settled((await confirm.press('Import 2 guests')).path)
    assert.equal((await counted()).tickets, before + 2)
  },
)

test('the file of an abstract that one server gets is downloaded from the other', ofPostgres, async t => {
  const databaseUrl = postgres.makeDatabase()
  const { attach, own } = await startWithDraft(t, {}, { databaseUrl })
  const second = await startServer(t, { databaseUrl })
  const content = pdfOf(2_000)
  assert.equal((await attach('talk.pdf', new Uint8Array(content))).status, 200)
  const reader = new PageReader(second.app.siteUrl)
  t.after(() => reader.close())
  const { status, bytes } = await reader.download(`${own}/file`)
  assert.deepEqual([status, bytes.equals(content)], [200, true])
})

test('mails and webhooks of what either server writes go out once', ofPostgres, async t => {
  const receiver = await startReceiver(t)
  receiver.behave(ok)
  const endpoint = await at.db.write(at.accountId, tx =>
    webhooks.addEndpoint(tx, { url: receiver.url, types: ['registration.created'] }),
  )
  const mailed = at.mails.received.length
  const before = (await counted()).mails
  for (let count = 0; count < 6; count++) assert.equal((await at.order(await at.review())).status, 303)
  const due = (await counted()).mails - before
  assert.ok(due >= 6)
  const deliveries = await eventually('all are delivered', async () => {
    const all = await readDeliveries(at.db, endpoint.id)
    return all.length >= 7 && all.every(({ status }) => status === 'succeeded') && all
  })
  await eventually('all are mailed', () => at.mails.received.length >= mailed + due)
  await Promise.all([at.app, at.second.app].map(({ url }) => fetch(`${new URL(url).origin}/healthz`)))
  assert.equal(receiver.received.length, deliveries.length)
  const ids = at.mails.received.map(({ parsed }) => parsed.messageId)
  assert.equal(new Set(ids).size, ids.length)
})

test('what one server writes is on the pages of the other', ofPostgres, async t => {
  const forms = at.origins.map(origin => new OrderForms(t, origin))
  const pagesWith = async (text: string) => {
    const texts = await Promise.all(forms.map(each => each.get(PATH)))
    return texts.every(page => page.text.includes(text))
  }
  assert.ok(await pagesWith('Spring Meeting'))
  const owner = await at.member('owner', { email: 'titles@example.org' })
  const page = await owner.open(`/manage/e/${at.eventId}/settings`)
  await page.fill({ Name: 'Autumn Meeting' }).press('Save')
  await eventually('both say so', () => pagesWith('Autumn Meeting'))
})

test('asking for the health of both often writes once a second each, at most', ofPostgres, async () => {
  const written = async () =>
    (await at.db.read(INSTANCE, tx => tx.one<{ n: number }>('SELECT write_number AS n FROM instance')))?.n ??
    0
  const before = await written()
  const asked = at.origins.flatMap(origin => Array.from({ length: 10 }, () => fetch(`${origin}/healthz`)))
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
  assert.ok((await written()) - before < 10, 'a write each')
})

test('metrics of what is in the database are the same on both', ofPostgres, async t => {
  const receiver = await startReceiver(t)
  receiver.behave(response => response.writeHead(500).end())
  await at.db.write(at.accountId, tx =>
    webhooks.addEndpoint(tx, { url: receiver.url, types: ['registration.created'] }),
  )
  const body = newRegistration(at, { registration_type_id: at.types.Guest })
  assert.equal((await at.clients[0].post('/registrations', body)).status, 201)
  await eventually('the ping and the event were tried', () => receiver.received.length > 1)
  const gauges = /^turnout_(webhook_deliveries|webhook_endpoints|payments|refunds)_\w+ .*$/gm
  const read = async ({ metricsUrl }: { metricsUrl: string | undefined }) =>
    (await (await fetch(metricsUrl as string)).text()).match(gauges)?.join('\n') ?? ''
  // A delivery may begin or end between the two looks.
  await eventually('both have the same, and what is pending', async () => {
    const [one, other] = [await read(at.app), await read(at.second.app)]
    return one === other && /^turnout_webhook_deliveries_pending [1-9]/m.test(one)
  })
})

test('nothing of all that has left damage', ofPostgres, async () => {
  assert.deepEqual(await findDamage(at.db), [])
})
