import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { MailToSend } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { ofWaiting } from '#product/catalog/waitlist/mails.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { offerMore } from '#product/selling/orders/offers.ts'
import { place } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { EngineTransaction } from '#test/support/engine-classes.ts'
import { startOffering, startOfferingToSubscriber, waiting } from '#test/support/offers.ts'
import { collectOrganization } from '#test/support/organization.ts'
import { startServer } from '#test/support/server.ts'
import { recordStatements } from '#test/support/statements.ts'

const three = [waiting('Wes'), waiting('Xia'), waiting('Yan')]

test('a place that is given back is held for whoever waits longest, who is told until when', async t => {
  const server = await startOfferingToSubscriber(t, { waitlist: three, waitlist_hours: 30 })
  const {
    sell,
    cancel,
    states,
    notified,
    sold,
    mails,
    events: emitted,
    orderOf,
    entries,
    client,
    clock,
  } = server
  const [one] = [await sell(), await sell()]
  assert.deepEqual([await states(), await notified()], [{}, []])
  const answer = await cancel(one)
  assert.equal(answer.status, 200)
  assert.deepEqual([await states(), await notified(), (await sold()).Free], [{ Wes: 'answer' }, ['Wes'], 2])
  const order = await orderOf('Wes')
  const until = new Date(clock() + 30 * HOUR).toISOString()
  assert.deepEqual([order.status, order.expires_at, order.terms], ['pending', until, null])
  const [line] = order.registrations
  const { body } = await client.get(`/registrations/${line?.id}`)
  assert.deepEqual(
    [body.status, body.source, body.quantity, body.amount_total],
    ['pending', 'checkout', 1, 0],
  )
  assert.deepEqual(
    body.attendees.map((ticket: { name: string; voided: boolean }) => [ticket.name, ticket.voided]),
    [['Wes', false]],
  )
  assert.deepEqual(await mails(), ['place_offered Wes@example.org'])
  // No webhook gets an offer before it is accepted.
  assert.deepEqual((await emitted()).slice(2), ['registration.cancelled'])
  const [entry] = await entries()
  assert.deepEqual(entry?.offer, { order_id: order.id, state: 'held', until })
  assert.deepEqual(await server.damage(), [])
})

test('what is taken is confirmed at once, with its webhook and its tickets, however often the button is pressed', async t => {
  const { sell, cancel, take, states, sold, mails, orderOf, entries, clock, client, ...rest } =
    await startOfferingToSubscriber(t, { waitlist: three, terms: 'Be kind.' })
  await cancel(await sell(2))
  assert.deepEqual(await states(), { Wes: 'answer', Xia: 'answer' })
  await assert.rejects(take('Wes'), { code: 'seen_changed' })
  const seen = agreementHash({ total: 0, event: { currency: 'EUR', terms: 'Be kind.' } })
  const typeId = rest.types.Free as string
  const bob = { name: 'Bob', email: 'bob@example.org', answers: { diet: 'vegan' } }
  const taken = { agreement: seen, answers: { hotel: 'yes' }, lines: [{ typeId, tickets: [bob] }] }
  clock.advance(HOUR)
  const order = await take('Wes', taken)
  assert.deepEqual([order.status, order.terms, order.expires_at], ['confirmed', 'Be kind.', null])
  assert.deepEqual(
    (await Promise.all([take('Wes', taken), take('Wes')])).map(({ confirmed_at }) => confirmed_at),
    [order.confirmed_at, order.confirmed_at],
  )
  assert.deepEqual(await states(), { Wes: 'confirmed', Xia: 'answer' })
  const [line] = (await orderOf('Wes')).registrations
  assert.deepEqual([line?.status, line?.answers], ['confirmed', { hotel: 'yes' }])
  const [ticket] = line?.attendees ?? []
  assert.deepEqual(
    [ticket?.name, ticket?.email, ticket?.answers],
    ['Bob', 'bob@example.org', { diet: 'vegan' }],
  )
  assert.deepEqual((await rest.events()).slice(2), ['registration.created'])
  assert.deepEqual((await mails()).slice(2), ['order_confirmed Wes@example.org', 'ticket bob@example.org'])
  assert.equal((await sold()).Free, 2)
  assert.equal((await entries())[0]?.offer?.state, 'taken')
  clock.set('2026-12-01T10:00:00.000Z')
  assert.equal((await client.post('/check-ins', { qr_code: ticket?.qr_code })).status, 201)
  assert.deepEqual(await rest.damage(), [])
})

test('what is turned down, or not answered in time, goes to the next, and its person is not asked again', async t => {
  const { sell, cancel, turnDown, take, states, notified, sold, mails, clock, expiry, damage, ...rest } =
    await startOfferingToSubscriber(t, { waitlist: three })
  await sell()
  await cancel(await sell())
  await turnDown('Wes')
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'answer' })
  await assert.rejects(turnDown('Wes'), { code: 'order_ended' })
  clock.advance(24 * HOUR - 1)
  await expiry.look()
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'answer' })
  clock.advance(1)
  // Its time is over, whether or not anybody has looked.
  await assert.rejects(take('Xia'), { code: 'offer_ended' })
  await expiry.look()
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'lapsed', Yan: 'answer' })
  for (const name of ['Wes', 'Xia']) await assert.rejects(take(name), { code: 'offer_ended' })
  clock.advance(24 * HOUR)
  await expiry.look()
  assert.deepEqual(await states(), { Wes: 'turned_down', Xia: 'lapsed', Yan: 'lapsed' })
  assert.deepEqual([await notified(), (await sold()).Free], [['Wes', 'Xia', 'Yan'], 1])
  assert.equal((await rest.listed()).length, 3)
  // Each got one offer, and nobody is mailed about having declined it.
  const offered = three.map(({ email }) => `place_offered ${email}`)
  assert.deepEqual(await mails(), offered)
  assert.deepEqual(await rest.events(), [
    'registration.created',
    'registration.created',
    'registration.cancelled',
  ])
  assert.deepEqual(await damage(), [])
})

test('who wants more than is free is passed over, and keeps the rank', async t => {
  const { sell, cancel, states, notified } = await startOffering(t, {
    registration_types: [{ name: 'Free', price: 0, capacity: 3 }],
    waitlist: [waiting('Two', { quantity: 2 }), waiting('One'), waiting('Last')],
  })
  const [first, second] = [await sell(1), await sell(2)]
  await cancel(first)
  assert.deepEqual(await states(), { One: 'answer' })
  await cancel(second)
  assert.deepEqual([await states(), await notified()], [{ One: 'answer', Two: 'answer' }, ['Two', 'One']])
})

test('cancelling what is held by the API turns it down: it is emitted, its order ends, and the next is asked', async t => {
  const { sell, cancel, states, orderOf, sold, take, damage, ...rest } = await startOfferingToSubscriber(t, {
    waitlist: three,
  })
  await sell()
  await cancel(await sell())
  const { registrations } = await orderOf('Wes')
  assert.equal((await cancel(registrations[0]?.id as string)).status, 200)
  assert.deepEqual([await states(), (await sold()).Free], [{ Wes: 'cancelled', Xia: 'answer' }, 2])
  assert.equal((await orderOf('Wes')).status, 'failed')
  assert.equal((await rest.events()).filter(type => type === 'registration.cancelled').length, 2)
  await assert.rejects(take('Wes'), { code: 'offer_ended' })
  assert.deepEqual(await damage(), [])
})

test('an event that is cancelled, over or a draft offers nothing, and tells nobody', async t => {
  const { sell, cancel, states, notified, take, mails, clock, expiry, client, accountId, eventId, db, sold } =
    await startOffering(t, { waitlist: three })
  const [one, two] = [await sell(), await sell()]
  const setStatus = (status: string) =>
    db.write(accountId, tx => tx.run('UPDATE events SET status = $1 WHERE id = $2', [status, eventId]))
  await cancel(one)
  for (const status of ['cancelled', 'completed', 'draft']) {
    await setStatus(status)
    await assert.rejects(take('Wes'), { code: 'not_on_sale' })
  }
  await setStatus('cancelled')
  await cancel(two)
  clock.advance(24 * HOUR)
  await expiry.look()
  assert.deepEqual([await states(), await notified(), (await sold()).Free], [{ Wes: 'lapsed' }, ['Wes'], 0])
  await setStatus('published')
  const three_ = await sell(2)
  clock.set('2026-12-02T18:00:00.000Z')
  await cancel(three_)
  assert.deepEqual([await notified(), (await mails()).length], [['Wes'], 1])
  assert.equal((await client.get('/registrations')).status, 200)
})

test('an offer ends with the sale and with the event, and of what is not on sale nothing is offered', async t => {
  const { sell, cancel, states, orderOf, clock, expiry, take } = await startOffering(t, {
    waitlist_hours: 720,
    registration_types: [
      { name: 'Free', price: 0, capacity: 1 },
      { name: 'Ends', price: 0, capacity: 1, sales_end: '2026-11-25T09:00:00Z' },
      { name: 'Ended', price: 0, capacity: 1, sales_end: '2026-11-20T09:00:00Z' },
      { name: 'Later', price: 0, capacity: 1, sales_start: '2026-11-25T09:00:00Z' },
      { name: 'Off', price: 0, capacity: 1, active: false },
    ],
    waitlist: ['Free', 'Ends', 'Ended', 'Later', 'Off'].map(registration_type =>
      waiting(registration_type, { registration_type }),
    ),
  })
  for (const type of ['Free', 'Ends', 'Ended', 'Later', 'Off']) await cancel(await sell(1, type))
  assert.deepEqual(await states(), { Free: 'answer', Ends: 'answer' })
  assert.deepEqual(
    [(await orderOf('Free')).expires_at, (await orderOf('Ends')).expires_at],
    ['2026-12-02T18:00:00.000Z', '2026-11-25T09:00:00.000Z'],
  )
  clock.set('2026-11-25T09:00:00.000Z')
  await assert.rejects(take('Ends'), { code: 'offer_ended' })
  await expiry.look()
  assert.deepEqual(await states(), { Free: 'answer', Ends: 'lapsed' })
})

test('of what costs something nothing is held: those who wait are told, as long as there is no way to pay', async t => {
  const { sell, cancel, listed, notified, mails, sold, db, accountId, clock } = await startOffering(t, {
    waitlist: [waiting('Pay', { registration_type: 'Standard' }), ...three],
  })
  await cancel(await sell(1, 'Standard'))
  assert.deepEqual([await listed(), await notified(), (await sold()).Standard], [[], ['Pay'], 0])
  assert.deepEqual(await mails(), ['place_free Pay@example.org'])
  await db.write(accountId, tx => accounts.update(tx, { slug: 'elm-hall' }))
  const content = await db.read(accountId, async tx => {
    const mail = await tx.one<MailToSend>(
      `SELECT event_id, subject_id, language FROM emails WHERE account_id = $1 AND kind = 'place_free'`,
      [accountId],
    )
    const server = { baseUrl: 'https://tickets.example.org', secret: 's' }
    return mail && ofWaiting.read(tx, { ...mail, now: clock() }, server)
  })
  assert.match(content?.values.when ?? '', /^\d+ \w+ 2026, \d\d:\d\d \(Europe\/Madrid\)$/)
  assert.equal(content?.values.place, 'Main Hall, Madrid')
})

test('a raised capacity and a raised pool are offered too, to each type that shares it', async t => {
  const { sell, states, sold, db, accountId, eventId, types, damage } = await startOffering(t, {
    registration_types: [
      { name: 'Free', price: 0, capacity: 9 },
      { name: 'Other', price: 0, capacity: 9 },
      { name: 'Alone', price: 0, capacity: 1 },
    ],
    pools: [{ name: 'room', capacity: 2, registration_types: ['Free', 'Other'] }],
    waitlist: [
      ...[waiting('a'), waiting('b', { registration_type: 'Other' }), waiting('c')],
      ...[waiting('x', { registration_type: 'Alone' }), waiting('y', { registration_type: 'Alone' })],
    ],
  })
  await sell(2)
  await sell(1, 'Alone')
  await db.write(accountId, async tx => {
    await registrationTypes.update(tx, eventId, types.Alone as string, { capacity: 2 })
    const [pool] = await registrationTypes.listPools(tx, eventId)
    await registrationTypes.updatePool(tx, eventId, pool?.id as string, { capacity: 4 })
  })
  assert.deepEqual(await states(), { a: 'answer', b: 'answer', x: 'answer' })
  assert.deepEqual(await sold(), { Free: 3, Other: 1, Alone: 2 })
  assert.deepEqual(await damage(), [])
})

test('two lines that are released in one transaction are each offered once', async t => {
  const { states, sold, db, accountId, eventId, types, damage, turnDown, entries } = await startOffering(t, {
    registration_types: [
      { name: 'Free', price: 0, capacity: 9 },
      { name: 'Other', price: 0, capacity: 9 },
    ],
    requires_approval: true,
    pools: [{ name: 'room', capacity: 3, registration_types: ['Free', 'Other'] }],
    waitlist: [waiting('a', { quantity: 2 }), waiting('b', { registration_type: 'Other' }), waiting('c')],
  })
  const holder = { name: 'Ada', email: null }
  const order = await db.write(accountId, tx =>
    place(tx, eventId, {
      ...{ formId: 'form', buyer: { name: 'Ada', email: 'ada@example.org' }, language: 'en', answers: {} },
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [
        { typeId: types.Free as string, tickets: [holder] },
        { typeId: types.Other as string, tickets: [holder, holder] },
      ],
    }),
  )
  await db.write(accountId, tx => orders.fail(tx, order.id, 'declined'))
  assert.deepEqual(await states(), { Ada: 'declined', a: 'answer', b: 'answer' })
  assert.deepEqual(await sold(), { Free: 2, Other: 1 })
  await turnDown('b')
  assert.deepEqual(await states(), { Ada: 'declined', a: 'answer', b: 'turned_down', c: 'answer' })
  assert.equal((await entries()).length, 3)
  assert.deepEqual(await damage(), [])
})

test('where each order is approved, what is taken waits for that, for as long as the event says', async t => {
  const { sell, cancel, take, states, orderOf, mails, clock, expiry, db, accountId, ...rest } =
    await startOfferingToSubscriber(t, { waitlist: three, requires_approval: true, approval_days: 3 })
  await sell()
  await cancel(await sell())
  const { id } = await orderOf('Wes')
  await assert.rejects(
    db.write(accountId, tx => orders.approve(tx, id)),
    { code: 'order_ended' },
  )
  clock.advance(HOUR)
  const order = await take('Wes')
  assert.deepEqual([order.waits_for, Date.parse(order.expires_at as string) - clock()], ['approval', 3 * DAY])
  assert.deepEqual((await take('Wes')).expires_at, order.expires_at)
  assert.deepEqual((await mails()).slice(1), ['order_waiting Wes@example.org'])
  // A sweep that has read the list before the answer takes nothing back.
  clock.advance(24 * HOUR)
  await db.write(accountId, tx => orders.expire(tx, id))
  assert.deepEqual(await states(), { Wes: 'approval' })
  await db.write(accountId, tx => orders.approve(tx, id))
  assert.deepEqual((await rest.events()).slice(3), ['registration.created'])
  assert.deepEqual(await states(), { Wes: 'confirmed' })
})

test('whoever joins again while places are held for them is offered no others; afterwards they wait behind all', async t => {
  const { sell, cancel, states, turnDown, notified, db, accountId, eventId, types, clock } =
    await startOffering(t)
  const join = (name: string) =>
    db.write(accountId, tx => {
      const who = { name, email: `${name}@example.org`, typeId: types.Free as string }
      return waitlist.join(tx, eventId, { ...who, quantity: 1, language: 'en' })
    })
  const [one, two] = [await sell(), await sell()]
  for (const name of ['a', 'b', 'c']) {
    await join(name)
    clock.advance(1000)
  }
  await cancel(one)
  await join('a')
  await cancel(two)
  assert.deepEqual([await states(), await notified()], [{ a: 'answer', b: 'answer' }, ['a', 'b']])
  await turnDown('a')
  await join('a')
  assert.deepEqual(await states(), { a: 'turned_down', b: 'answer', c: 'answer' })
  await turnDown('c')
  assert.deepEqual(await states(), { a: 'answer', b: 'answer', c: 'turned_down' })
})

test('one person who waits for more than three things is offered each of them', async t => {
  const types = ['T1', 'T2', 'T3', 'T4', 'T5'].map(name => ({ name, price: 0, capacity: 1 }))
  const { sell, cancel, listed, damage } = await startOffering(t, {
    registration_types: types,
    waitlist: types.map(({ name }) =>
      waiting(name, { registration_type: name, name: 'Wes', email: 'wes@example.org' }),
    ),
  })
  for (const { name } of types) await cancel(await sell(1, name))
  assert.equal((await listed()).filter(({ waits_for }) => waits_for === 'answer').length, 5)
  assert.deepEqual(await damage(), [])
})

test('`turnout waitlist list` says until when places are held', async t => {
  const { sell, cancel, data, clock } = await startOffering(t, { waitlist: three })
  await sell()
  await cancel(await sell())
  const lines: string[] = []
  const terminal = { out: (text: string) => lines.push(text), err: (text: string) => lines.push(text), clock }
  assert.equal(await carryOut(['waitlist', 'list', '--event', 'spring-meeting', '--data', data], terminal), 0)
  const [head, wes, xia] = lines.join('').split('\n')
  assert.match(head ?? '', /HELD UNTIL$/)
  assert.match(wes ?? '', /^Wes .*2026-11-22T12:00:00\.000Z$/)
  assert.doesNotMatch(xia ?? '', /2026-11-22/)
})

test('what is offered is none of the three orders that may wait under an e-mail', async t => {
  const types = ['T1', 'T2', 'T3'].map(name => ({ name, price: 0, capacity: 1 }))
  const wes = { name: 'Wes', email: 'wes@example.org' }
  const server = await startOffering(t, {
    requires_approval: true,
    registration_types: [...types, { name: 'Free', price: 0, capacity: 9 }],
    waitlist: types.map(({ name }) => waiting(name, { registration_type: name, ...wes })),
  })
  const { sell, cancel, listed, db, accountId, eventId } = server
  for (const { name } of types) await cancel(await sell(1, name))
  const order = (formId: string) =>
    db.write(accountId, tx =>
      place(tx, eventId, {
        ...{ formId, buyer: wes, language: 'en', answers: {} },
        agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
        lines: [{ typeId: server.types.Free as string, tickets: [{ name: 'Wes', email: null }] }],
      }),
    )
  for (const formId of ['a', 'b', 'c']) await order(formId)
  await assert.rejects(order('d'), { code: 'too_many_pending' })
  assert.equal((await listed()).length, 6)
})

test('an erased person is offered nothing any more: what was held goes to the next', async t => {
  const { sell, cancel, states, orderOf, db, accountId, sold, damage } = await startOffering(t, {
    waitlist: three,
  })
  await sell()
  await cancel(await sell())
  const before = await orderOf('Wes')
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  await erasePerson(db, actor, 'wes@example.org')
  assert.deepEqual(Object.values(await states()).sort(), ['answer', 'turned_down'])
  assert.equal((await orderOf('Xia')).waits_for, 'answer')
  const after = await db.read(accountId, tx => orders.getDetails(tx, before.id))
  assert.ok(after.secret_version > before.secret_version)
  assert.ok(!JSON.stringify(after, null, 1).includes('Wes'))
  assert.equal((await sold()).Free, 2)
  assert.deepEqual(await damage(), [])
})

test('the file of an organization with an open offer is brought in elsewhere, and here again', async t => {
  const { sell, cancel, states, db, accountId, apply, damage } = await startOffering(t, { waitlist: three })
  await sell()
  await cancel(await sell())
  const exported = await db.read(accountId, tx => collectOrganization(tx))
  await apply(exported)
  assert.deepEqual(await states(), { Wes: 'answer' })
  assert.deepEqual(await damage(), [])
  const other = await startServer(t)
  await other.apply(JSON.parse(JSON.stringify(exported)))
  const found = await other.db.read(INSTANCE, tx =>
    tx.all<{ name: string; notified: number }>(
      'SELECT name, CASE WHEN notified_at IS NULL THEN 0 ELSE 1 END AS notified FROM waitlist_entries ORDER BY name',
    ),
  )
  assert.deepEqual(
    found.map(({ name, notified }) => [name, notified]),
    [
      ['Wes', 1],
      ['Xia', 0],
      ['Yan', 0],
    ],
  )
  const brought = await other.db.read(INSTANCE, tx =>
    tx.all<{ id: string; account_id: string; waits_for: string }>(
      'SELECT id, account_id, waits_for FROM orders',
    ),
  )
  assert.deepEqual(
    brought.map(({ waits_for }) => waits_for),
    ['answer'],
  )
  // There it lapses too, and goes to the next.
  other.clock.advance(24 * HOUR)
  const order = brought[0] as { id: string; account_id: string }
  await other.db.write(order.account_id, tx => orders.expire(tx, order.id))
  const [, next] = await other.db.read(INSTANCE, tx =>
    tx.all<{ buyer_name: string }>('SELECT buyer_name FROM orders ORDER BY created_at, id'),
  )
  assert.equal(next?.buyer_name, 'Xia')
  assert.deepEqual(await findDamage(other.db), [])
})

test('an event that only notifies holds nothing, and a release asks how it does that only where somebody waits', async t => {
  const { sell, cancel, listed, notified, mails, db, accountId, eventId } = await startOffering(t, {
    waitlist: [waiting('Wes')],
    waitlist_mode: 'notify',
  })
  const ids = [await sell(), await sell()]
  const statements = recordStatements(t, EngineTransaction, ['one', 'all', 'run'])
  const looks = () => [...statements.keys()].filter(text => /^SELECT e\.waitlist_mode FROM/.test(text)).length
  for (const [at, id] of ids.entries()) {
    statements.clear()
    await cancel(id)
    assert.ok(
      [...statements.keys()].some(text => text.startsWith('UPDATE registration_types SET sold = sold - ')),
    )
    assert.equal(looks(), at === 0 ? 1 : 0)
    assert.ok(![...statements.keys()].some(text => /\borders\b/.test(text)))
  }
  assert.deepEqual([await listed(), await notified()], [[], ['Wes']])
  assert.deepEqual(await mails(), ['place_free Wes@example.org'])
  await db.write(accountId, tx => events.update(tx, eventId, { waitlist_mode: 'offer' }))
  assert.deepEqual(await listed(), [])
})

test('a person who was erased and joins again is asked at the e-mail that they give', async t => {
  const { sell, cancel, states, mails, orderOf, db, accountId, eventId, types } = await startOffering(t)
  const join = () =>
    db.write(accountId, tx => {
      const who = { name: 'Wes', email: 'wes@example.org', typeId: types.Free as string }
      return waitlist.join(tx, eventId, { ...who, quantity: 1, language: 'en' })
    })
  await sell()
  const one = await sell()
  await join()
  await erasePerson(db, { accountId, who: 'cli', requestId: null, address: null }, 'wes@example.org')
  assert.equal((await join()).email, 'wes@example.org')
  await cancel(one)
  assert.deepEqual([await states(), await mails()], [{ Wes: 'answer' }, ['place_offered wes@example.org']])
  assert.equal((await orderOf('Wes')).buyer.email, 'wes@example.org')
})

test('what cannot be ended keeps no other order from its end', async t => {
  const { sell, cancel, states, orderOf, expiry, clock, db, accountId } = await startOffering(t, {
    registration_types: [
      { name: 'Free', price: 0, capacity: 1 },
      { name: 'Other', price: 0, capacity: 1 },
    ],
    waitlist: [waiting('a'), waiting('b', { registration_type: 'Other' }), waiting('c')],
  })
  const [free, other] = [await sell(), await sell(1, 'Other')]
  await cancel(free)
  clock.advance(1000)
  await cancel(other)
  // The damage is that the places which the order holds are counted nowhere.
  const { registrations } = await orderOf('a')
  const typeId = registrations[0]?.registration_type_id as string
  await db.write(accountId, tx => tx.run('UPDATE registration_types SET sold = 0 WHERE id = $1', [typeId]))
  clock.advance(25 * HOUR)
  await expiry.look()
  assert.deepEqual(await states(), { a: 'answer', b: 'lapsed' })
})

test('of many places that are given back at once, one write holds twenty, and a job the rest, in the order of those who wait', async t => {
  const many = Array.from({ length: 70 }, (_, at) => waiting(`w${String(at).padStart(2, '0')}`))
  const server = await startOffering(t, {
    registration_types: [{ name: 'Free', price: 0, capacity: 1 }],
    waitlist: many,
  })
  const { app, sell, notified, db, clock, accountId, eventId, types, damage } = server
  await sell()
  // Within a second it would be at the job itself.
  await app.close()
  const countSold = async () =>
    (await db.read(accountId, tx => registrationTypes.get(tx, eventId, types.Free as string))).sold
  const raise = (capacity: number) =>
    db.write(accountId, tx => registrationTypes.update(tx, eventId, types.Free as string, { capacity }))
  await raise(66)
  const names = many.map(({ name }) => name)
  assert.deepEqual([await notified(), await countSold()], [names.slice(0, 20), 21])
  const log = openLog('silent', { write: () => undefined })
  const runner = new JobRunner({ db, clock, log, kinds: [offerMore(async () => false)] })
  runner.start()
  t.after(() => runner.stop())
  await runner.settled()
  assert.equal(await countSold(), 66)
  assert.deepEqual(await notified(), names.slice(0, 65))
  const states = await db.read(INSTANCE, tx => tx.all<{ state: string }>('SELECT state FROM jobs'))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['done'],
  )
  assert.deepEqual(await damage(), [])
})
