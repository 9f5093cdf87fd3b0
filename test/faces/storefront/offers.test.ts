import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { startOffering, waiting } from '#test/support/offers.ts'

async function start(t: TestContext, event: Record<string, unknown> = {}) {
  const server = await startOffering(t, { waitlist: [waiting('Wes'), waiting('Xia')], ...event })
  const { db, accountId, sell, cancel, orderOf } = server
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const { secret } = await db.read(INSTANCE, async tx => {
    const row = await tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance')
    return row as { secret: string }
  })
  await sell()
  await cancel(await sell())
  const pathOf = async (name: string) => orderUrl({ baseUrl: '', secret }, await orderOf(name))
  return { ...server, pathOf }
}

test('the page of an offer says what is held until when, changes nothing by itself, and takes it by its button', async t => {
  const { visitor, pathOf, states, mails, clock } = await start(t)
  const browser = visitor()
  const path = await pathOf('Wes')
  const page = await browser.open(path)
  assert.equal(page.heading, 'It is your turn')
  assert.match(page.text, /A place is held for you until .*2026/)
  for (const action of ['take', 'turn-down'])
    assert.equal((await browser.open(`${path}/${action}`)).status, 405)
  assert.deepEqual(await states(), { Wes: 'answer' })
  clock.advance(HOUR)
  const taken = await page.press('Take it')
  assert.equal(taken.path, path)
  assert.match(taken.text, /You are inThe tickets go to Wes@example\.org by mail too\./)
  assert.deepEqual(await states(), { Wes: 'confirmed' })
  // The offer stays accepted if the button is pressed twice, or an old page declines it.
  assert.match((await page.press('Take it')).text, /You are in/)
  assert.match((await page.press('No, thanks')).text, /You are in/)
  assert.deepEqual(await states(), { Wes: 'confirmed' })
  assert.equal((await mails()).filter(mail => mail.startsWith('order_confirmed')).length, 1)
})

test('whoever presses both at once gets one of them', async t => {
  const { visitor, pathOf, states, sold } = await start(t)
  const page = await visitor().open(await pathOf('Wes'))
  const answers = await Promise.all([page.press('Take it'), page.press('Take it'), page.press('No, thanks')])
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  const { Wes } = await states()
  assert.ok(Wes === 'confirmed' || Wes === 'turned_down', Wes)
  assert.equal((await sold()).Free, 2)
})

test('what an order would ask for is asked for: names, questions and the terms, and what was typed is kept', async t => {
  const server = await start(t, {
    terms: 'Be **kind**.',
    waitlist: [waiting('Wes', { quantity: 2 })],
    registration_types: [{ name: 'Free', price: 0, capacity: 3 }],
  })
  const { visitor, pathOf, states, orderOf, db, accountId, eventId, types } = server
  await db.write(accountId, async tx => {
    const required = { help: null, kind: 'text' as const, choices: [] as string[], required: true }
    const forAll = { ...required, registration_type_ids: null }
    await questions.create(tx, eventId, { ...forAll, label: 'Hotel', asked_for: 'order' })
    await questions.create(tx, eventId, { ...forAll, label: 'Shoe size', asked_for: 'ticket' })
  })
  const refused = await (await visitor().open(await pathOf('Wes')))
    .fill({ Hotel: 'Sol', 'Name on the ticket: Free, ticket 2 of 2': 'Bob' })
    .press('Take it')
  assert.equal(refused.status, 422)
  assert.equal(refused.field('Hotel').value, 'Sol')
  assert.match(refused.messages.join(), /Shoe size[\s\S]*I accept the terms/)
  assert.match(refused.text, /Be kind\./)
  assert.deepEqual(await states(), { Wes: 'answer' })
  const sizes = [...refused.document.querySelectorAll<HTMLInputElement>('input[name^="answer."]')]
  const typed = Object.fromEntries(
    sizes.map(({ name }, at) => [name, at === sizes.length - 1 ? 'Sol' : String(41 + at)]),
  )
  const form = [...refused.document.querySelectorAll<HTMLInputElement>('main form input[type="hidden"]')]
  const sent = {
    ...Object.fromEntries(form.map(({ name, value }) => [name, value])),
    ...typed,
    ...{
      [`ticket.${types.Free}.1.name`]: 'Bob',
      [`ticket.${types.Free}.1.email`]: 'bob@example.org',
      terms: 'yes',
    },
  }
  const path = await pathOf('Wes')
  // Terms that have changed since are shown before the offer is accepted.
  await db.write(accountId, tx => events.update(tx, eventId, { terms: 'Be kinder.' }))
  const changed = await visitor().post(`${path}/take`, sent)
  assert.deepEqual([changed.status, await states()], [409, { Wes: 'answer' }])
  assert.match(changed.text, /Be kinder\./)
  const taken = await changed.press('Take it')
  assert.equal(taken.status, 200)
  const order = await orderOf('Wes')
  const [line] = order.registrations
  assert.deepEqual([order.status, order.terms, line?.answers], ['confirmed', 'Be kinder.', { hotel: 'Sol' }])
  assert.deepEqual(
    line?.attendees.map(({ name, email, answers }) => [name, email, answers]),
    [
      ['Wes', null, { 'shoe-size': '41' }],
      ['Bob', 'bob@example.org', { 'shoe-size': '42' }],
    ],
  )
})

test('what is turned down goes to the next at once, whose page says so; an offer that has lapsed is told in words', async t => {
  const { visitor, pathOf, states, clock, expiry } = await start(t)
  const first = await visitor().open(await pathOf('Wes'))
  const declined = await first.press('No, thanks')
  assert.match(declined.text, /You have declined the offer/)
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'answer' })
  assert.match((await first.press('Take it')).text, /You have declined the offer/)
  const second = await visitor().open(await pathOf('Xia'))
  clock.advance(24 * HOUR)
  const late = await second.press('Take it')
  // The server may have looked in between: then its page says the same.
  assert.ok(late.status === 409 || late.status === 200)
  assert.match(late.text, /The offer has ended without an answer/)
  assert.match((await visitor().open(await pathOf('Xia'))).text, /The offer has ended without an answer/)
  await expiry.look()
  const ended = await visitor().open(await pathOf('Xia'))
  assert.match(ended.text, /Not confirmed[\s\S]*The offer has ended without an answer/)
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'lapsed' })
})

test('an offer of an event that is cancelled meanwhile cannot be taken, and its page says so', async t => {
  const { visitor, pathOf, states, db, accountId, eventId } = await start(t)
  const page = await visitor().open(await pathOf('Wes'))
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'cancelled' WHERE id = $1", [eventId]))
  const refused = await page.press('Take it')
  assert.equal(refused.status, 409)
  assert.equal(refused.heading, 'This event is cancelled')
  assert.match(refused.text, /The places that were held for you are no longer available\./)
  assert.deepEqual(await states(), { Wes: 'answer' })
})

test('the button of another site takes nothing, and a link that nobody was sent leads nowhere', async t => {
  const { visitor, pathOf, states } = await start(t)
  const path = await pathOf('Wes')
  for (const action of ['take', 'turn-down']) {
    const foreign = await visitor().post(`${path}/${action}`, {}, { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.status, 403)
    const guessed = await visitor().post(`${path.slice(0, -1)}_/${action}`)
    assert.equal(guessed.status, 404)
  }
  assert.deepEqual(await states(), { Wes: 'answer' })
})

test('whoever joins is told that a place will be held for them, in Spanish too; of what costs something, that it is not', async t => {
  const { visitor, types, sell } = await start(t)
  await sell(1, 'Standard')
  const path = `/ada/spring-meeting/waitlist?type=`
  assert.match((await visitor().open(path + types.Free)).text, /the place is held for you for 24 hours/)
  assert.match((await visitor('es').open(path + types.Free)).text, /se reserva para ti durante 24 horas/)
  assert.match((await visitor().open(path + types.Standard)).text, /It is held for nobody/)
})

test('in Spanish the page of an offer and its end are Spanish', async t => {
  const { visitor, pathOf } = await start(t)
  const page = await visitor().open(`${await pathOf('Wes')}?lang=es`)
  assert.equal(page.heading, 'Es tu turno')
  assert.match(page.text, /Tienes una plaza reservada hasta el/)
  await page.press('No, gracias')
  const ended = await visitor().open(`${await pathOf('Wes')}?lang=es`)
  assert.match(ended.text, /Has rechazado la oferta/)
})

test('the dashboard shows what is offered, until when, and what became of it', async t => {
  const { member, eventId, orderOf, turnDown, take, states, mails } = await start(t)
  const owner = await member('owner')
  const list = await owner.open(`/manage/e/${eventId}/orders`)
  assert.match(list.text, /Wes[\s\S]*Offered[\s\S]*until .*2026/)
  const { id } = await orderOf('Wes')
  const page = await owner.open(`/manage/e/${eventId}/orders/${id}`)
  assert.match(page.text, /Offered/)
  assert.match(page.text, /Places are kept until/)
  assert.doesNotMatch(page.text, /Approve/)
  const sent = await page.press('Send the offer again')
  assert.match(sent.text, /The offer is on its way/)
  assert.equal((await mails()).filter(mail => mail === 'place_offered Wes@example.org').length, 2)
  // Only its buyer can take it.
  const approve = await owner.open(`/manage/e/${eventId}/orders/${id}/approve`)
  assert.equal((await approve.press('Approve and send the tickets')).status, 409)
  assert.deepEqual(await states(), { Wes: 'answer' })
  const waitlistPath = `/manage/e/${eventId}/waitlist`
  assert.match(
    (await owner.open(waitlistPath)).text,
    /is held for whoever waits longest[\s\S]*Held until .*2026/,
  )
  await turnDown('Wes')
  await take('Xia')
  assert.match((await owner.open(waitlistPath)).text, /Wes[\s\S]*Not taken[\s\S]*Xia[\s\S]*Taken/)
  assert.match((await owner.open(`/manage/e/${eventId}/orders/${id}`)).text, /The offer was turned down/)
})

test('what costs something is taken with a way to pay it, by a button that says so', async t => {
  const server = await startOffering(t)
  const { db, accountId, eventId, types, sell, cancel, visitor, states, orderOf } = server
  await db.write(accountId, async tx => {
    await accounts.update(tx, { slug: 'ada' })
    await events.update(tx, eventId, { payment_ways: 'door' })
    const who = { name: 'Wes', email: 'wes@example.org', quantity: 1, language: 'es' } as const
    await waitlist.join(tx, eventId, { ...who, typeId: types.Standard as string })
  })
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  await cancel(await sell(1, 'Standard'))
  assert.deepEqual(await states(), { Wes: 'answer' })
  const page = await visitor('es').open(orderUrl({ baseUrl: '', secret }, await orderOf('Wes')))
  assert.match(page.text, /50,00/)
  const taken = await page.press('Pedido con obligación de pago')
  assert.equal(taken.status, 200)
  assert.deepEqual(await states(), { Wes: 'payment' })
  assert.equal((await server.mails()).filter(mail => mail.startsWith('payment_due')).length, 1)
})
