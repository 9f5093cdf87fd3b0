import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { connectStripe, note } from '#product/selling/payments/connections.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { seller } from '#test/support/people/organizer.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'

const file = (types: object[]) =>
  organization({
    event: {
      ...{ status: 'published', visibility: 'public', registration_types: types },
      ...{ starts_at: '2026-12-01T09:00:00Z', ends_at: '2026-12-02T18:00:00Z' },
    },
  })
const STANDARD = { name: 'Standard', price: 5000, capacity: 10 }
const FREE = { name: 'Guest', price: 0, capacity: 10 }

/** Starts a shop that is paid by the processor of sandboxes alone. */
async function startShop(t: TestContext, { types = [STANDARD], testPayments = true, settings = {} } = {}) {
  const server = await startDashboard(t, file(types), { settings: { testPayments, ...settings } })
  const { db, accountId, eventId, client, visitor, clock } = server
  await db.write(accountId, tx => accounts.update(tx, seller))
  /** The server sees what others commit a moment later, or when it commits something itself. */
  const seen = () => client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  const hold = async (at: number | null) => {
    await db.write(INSTANCE, tx => setHold(tx, at))
    await seen()
  }
  const change = async (changes: EventChanges) => {
    await db.write(accountId, tx => events.update(tx, eventId, changes))
    await seen()
  }
  const listed = () => db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 10 }))
  const event = '/ada/spring-meeting/'
  const form = (type = 'Standard') => `/ada/spring-meeting/register?q.${server.types[type]}=1`
  const fillIn = async (type?: string) => {
    const page = await visitor().open(form(type))
    clock.advance(5 * SECOND)
    return page.fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' }).press('Continue')
  }
  const payments_ = async (id: string) => db.read(accountId, tx => payments.listByOrder(tx, id))
  return { ...server, seen, hold, change, listed, event, form, fillIn, paymentsOf: payments_ }
}

test('while payments are held, no page offers a way that they stop, each says so, and nothing is ordered', async t => {
  const { hold, event, form, fillIn, visitor, listed } = await startShop(t)
  const before = await visitor().open(event)
  assert.doesNotMatch(before.text, /paused/)
  await hold(1)
  const page = await visitor().open(event)
  assert.match(page.text, /Cannot be paid just now: payments are paused/)
  assert.equal(page.document.querySelector('select'), null)
  assert.match((await visitor('es').open(event)).text, /Ahora no se puede pagar: los pagos están en pausa/)
  const opened = await visitor().open(form())
  assert.match(opened.text, /This cannot be paid just now/)
  const review = await fillIn()
  assert.match(review.text, /This cannot be paid just now.*nothing is ordered yet/)
  assert.doesNotMatch(review.text, /obligation to pay|Test payment/)
  assert.deepEqual(await listed(), [])
  // The form keeps what was filled in until the order goes on.
  assert.match((await review.press('Try again')).text, /This cannot be paid just now/)
  await hold(null)
  const again = await review.press('Try again')
  assert.doesNotMatch(again.text, /just now/)
  const placed = await again.press('Order with obligation to pay')
  assert.match(placed.text, /Your places are kept/)
  assert.equal((await listed()).length, 1)
})

test('what nothing stops is ordered as before: what is free, and what is paid at the door', async t => {
  const { hold, change, fillIn, listed, event, visitor } = await startShop(t, { types: [STANDARD, FREE] })
  await change({ payment_ways: 'set_up_and_door' })
  await hold(1)
  assert.doesNotMatch((await visitor().open(event)).text, /Cannot be paid just now/)
  const free = await (await fillIn('Guest')).press('Register')
  assert.match(free.text, /You are in/)
  const review = await fillIn()
  assert.match(review.text, /At the door\..*Not to be had just now: Test payment\./)
  assert.doesNotMatch(review.text, /No money moves/)
  const placed = await review.press('Order with obligation to pay')
  assert.match(placed.text, /You pay when you arrive/)
  assert.deepEqual((await listed()).map(({ status }) => status).sort(), ['confirmed', 'pending'])
})

test('held between the form and its button, it is a sentence, and no order is made', async t => {
  const { hold, fillIn, listed } = await startShop(t)
  const review = await fillIn()
  await hold(1)
  const refused = await review.press('Order with obligation to pay')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /This cannot be paid just now.*Try again/)
  assert.deepEqual(await listed(), [])
})

test('held between the form and its button, another way is named where there is one', async t => {
  const { hold, change, fillIn, listed } = await startShop(t)
  await change({ payment_ways: 'set_up_and_door' })
  const review = await fillIn()
  await hold(1)
  const refused = await review.press('Order with obligation to pay')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /This way of paying is paused for a while\. Choose another/)
  assert.deepEqual(await listed(), [])
  assert.match((await refused.press('Order with obligation to pay')).text, /You pay when you arrive/)
})

test('the page of an order that waits for a held payment says so, leads nowhere, and goes on afterwards', async t => {
  const { app, hold, fillIn, listed, visitor, db, paymentsOf, change } = await startShop(t)
  const placed = await (await fillIn()).press('Order with obligation to pay')
  const [order] = await listed()
  const id = order?.id as string
  await onceSettled({ app }, 'payments', 'a session', async () => (await paymentsOf(id))[0]?.url ?? undefined)
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  const path = orderUrl({ baseUrl: '', secret }, order as never)
  assert.match((await visitor().open(path)).text, /Pay €50\.00/)
  await hold(1)
  for (const query of ['', '?go', '?paid']) {
    const page = await visitor().open(path + query)
    assert.match(
      page.text,
      /Payments are paused for a while: Test payment\..*If you have paid already/,
      query,
    )
    assert.doesNotMatch(page.html, /http-equiv="refresh"|Pay €50/, query)
  }
  assert.match((await visitor('es').open(`${path}?lang=es`)).text, /Los pagos están en pausa por un rato/)
  // Nothing stops the other way to pay, so the page still offers it.
  await change({ payment_ways: 'set_up_and_door' })
  const left = await (await visitor().open(path)).press('Pay in this way')
  assert.match(left.text, /Payments are paused for a while/)
  await hold(null)
  await visitor().open(path)
  await onceSettled({ app }, 'payments', 'the other way', async () => (await paymentsOf(id)).length > 1)
  assert.match((await visitor().open(path)).text, /You pay when you arrive/)
  assert.equal(placed.status, 200)
})

test('an order without an open payment is offered none that is held', async t => {
  const { hold, fillIn, listed, visitor, db, accountId } = await startShop(t)
  await (await fillIn()).press('Order with obligation to pay')
  const [order] = await listed()
  await db.write(accountId, tx => tx.run('UPDATE payments SET status = $1, ended_at = 1', ['failed']))
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  const path = orderUrl({ baseUrl: '', secret }, order as never)
  const open = await visitor().open(path)
  await hold(1)
  const page = await visitor().open(path)
  assert.match(page.text, /This cannot be paid just now/)
  assert.doesNotMatch(page.text, /Pay now|nothing is ordered/)
  const late = await open.press('Pay now')
  assert.equal(late.status, 409)
  assert.match(late.text, /This way of paying is paused for a while/)
})

test('where mails cannot go out, the page of an order says that none comes and what to do, and else does not', async t => {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const { app, hold, fillIn, visitor } = await startShop(t, { types: [FREE], settings })
  const placed = await (await fillIn('Guest')).press('Register')
  const sentence = /No mail can be sent just now\. Keep the address of this page.*grace@example\.org/
  const open = async (query = '') => (await visitor().open(placed.path + query)).text
  assert.match(placed.text, /You are in/)
  assert.doesNotMatch(await open(), sentence)
  await hold(1)
  assert.match(await open(), sentence)
  assert.match(await open('?lang=es'), /Ahora no se puede enviar ningún correo\. Guarda la dirección/)
  await hold(null)
  assert.doesNotMatch(await open(), sentence)
  // The mail server cannot be reached.
  mailServer.script.to = () => ({ code: 421, message: 'Go away' })
  await (await fillIn('Guest')).press('Register')
  await onceSettled({ app }, 'mails', 'the trouble', async () => sentence.test(await open()))
  // Nobody has set up a mail server.
  const other = await startShop(t, { types: [FREE] })
  assert.match((await (await other.fillIn('Guest')).press('Register')).text, sentence)
})

test('a key that Stripe refuses, or one that moves no money here, sells nothing, and the page says that it is paused', async t => {
  const { db, accountId, clock, event, visitor, seen, fillIn, listed } = await startShop(t, {
    testPayments: false,
  })
  const key = {
    secretKey: KEY.replace('test', 'live'),
    isLive: true,
    account: ACCOUNT,
    name: null,
    at: clock(),
  }
  await db.write(accountId, tx => connectStripe(tx, key))
  await seen()
  assert.doesNotMatch((await visitor().open(event)).text, /Cannot be paid/)
  const review = await fillIn()
  assert.match(review.text, /Order with obligation to pay/)
  await db.write(accountId, tx => note(tx, key.secretKey, { trouble: 'denied' }))
  await seen()
  assert.match((await visitor().open(event)).text, /Cannot be paid just now/)
  const refused = await review.press('Order with obligation to pay')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /This cannot be paid just now/)
  assert.deepEqual(await listed(), [])
})

test('the organizer is told on the overview, the page of an event and that of payments, and the operator where to end it', async t => {
  const { hold, member, accountId, eventId, db } = await startShop(t)
  const pages = [`/manage/a/${accountId}`, `/manage/e/${eventId}`, `/manage/a/${accountId}/payments`]
  const operator = await member('owner')
  await db.write(INSTANCE, tx => tx.run('UPDATE users SET operator = 1', []))
  const owner = await member('owner', { email: 'other@example.org' })
  const door = await member('door', { email: 'door@example.org' })
  await hold(1)
  for (const path of pages) {
    const page = await operator.open(path)
    assert.match(
      page.text,
      /Nothing is mailed since .*and payments are paused.*say that there is no other/,
      path,
    )
    assert.ok(page.document.querySelector(`main a[href="/manage/a/${accountId}/system"]`), path)
    const { text } = await owner.open(path)
    assert.match(text, /payments are paused.*until whoever runs this server says/, path)
    assert.doesNotMatch((await door.open(path)).text, /paused/, path)
  }
  await hold(null)
  for (const path of pages) assert.doesNotMatch((await operator.open(path)).text, /paused/, path)
})
