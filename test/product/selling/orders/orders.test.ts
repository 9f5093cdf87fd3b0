import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { openLog } from '#base/log.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { linkSecret, readLinkSecret } from '#machinery/web/link-secret.ts'
import { setStatus, update as updateEvent } from '#product/catalog/events/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { amendRegistration } from '#product/selling/orders/amendment.ts'
import { agreementHash, taxIn } from '#product/selling/orders/basket.ts'
import * as erasing from '#product/selling/orders/erasing.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import { type Holder, type NewOrder, place, prepare } from '#product/selling/orders/place.ts'
import { queueAgain } from '#product/selling/orders/queue-mails.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { readEventTypes } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const ADA = { name: 'Ada', email: 'ada@example.org' }

async function start(t: TestContext, event: Record<string, unknown> = {}) {
  const server = await startWithOrganization(
    t,
    organization({
      event: {
        status: 'published',
        starts_at: '2026-12-01T09:00:00Z',
        ends_at: '2026-12-02T18:00:00Z',
        registration_types: [
          { name: 'Free', price: 0, capacity: 50, max_per_order: 4 },
          { name: 'Pair', price: 0, capacity: 10, min_per_order: 2, max_per_order: 2 },
          { name: 'Secret', price: 0, capacity: 10, hidden: true },
          { name: 'Later', price: 0, capacity: 10, sales_start: '2026-11-25T09:00:00Z' },
          { name: 'Standard', price: 5000, capacity: 10 },
          { name: 'One', price: 0, capacity: 1 },
        ],
        ...event,
      },
    }),
  )
  const { db, applied, eventId, types, clock } = server
  const accountId = applied.account_id
  let forms = 0
  const orderOf = (wanted: Record<string, number | Holder[]>, more: Partial<NewOrder> = {}): NewOrder => ({
    formId: `form-${++forms}`,
    buyer: ADA,
    language: 'en',
    lines: Object.entries(wanted).map(([name, of]) => ({
      typeId: types[name] as string,
      tickets: typeof of === 'number' ? Array.from({ length: of }, () => ({ name: 'Ada', email: null })) : of,
    })),
    answers: {},
    agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
    ...more,
  })
  const send = async (order: NewOrder) => {
    const signed = await prepare(db, accountId, eventId, order)
    return db.write(accountId, tx => place(tx, eventId, order, signed))
  }
  const details = (id: string) => db.read(accountId, tx => orders.getDetails(tx, id))
  const sold = async () => {
    const { body } = await server.client.get(`/events/${eventId}/registration-types`)
    return Object.fromEntries(body.data.map((type: { name: string; sold: number }) => [type.name, type.sold]))
  }
  const events = () => readEventTypes(db)
  const mails = async () => {
    const found = await db.read(accountId, tx => emails.list(tx, {}, { limit: 50 }))
    return found.map(({ kind, recipient }) => `${kind} ${recipient}`).sort()
  }
  const count = (table: string) =>
    db.read(INSTANCE, async tx => (await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n)
  const log = openLog('silent', { write: () => undefined })
  const expiry = orderExpiry({ db, clock, log })
  return { ...server, accountId, orderOf, send, details, sold, events, mails, count, expiry }
}

test('a free order is confirmed at once: a registration a line, tickets, events, a mail to the buyer, and to each holder once it is verified', async t => {
  const { db, accountId, send, orderOf, details, sold, events, mails, client, clock } = await start(t)
  await subscribeToAll(db, accountId)
  const bob = { name: 'Bob', email: 'bob@example.org' }
  const order = await send(
    orderOf(
      { Free: [bob, bob, { name: 'Ada', email: 'ADA@example.org' }], Pair: 2 },
      { answers: { diet: 'none' } },
    ),
  )
  assert.equal(order.status, 'confirmed')
  assert.match(order.reference, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
  const { registrations: lines, prices } = await details(order.id)
  assert.deepEqual(
    lines.map(line => [line.registration_type_name, line.quantity, line.status, line.source, line.answers]),
    [
      ['Free', 3, 'confirmed', 'checkout', { diet: 'none' }],
      ['Pair', 2, 'confirmed', 'checkout', {}],
    ],
  )
  assert.equal(prices.size, 5)
  assert.deepEqual([...prices.values()][0], { price: 0, discount: 0, tax: 0, tax_basis_points: 0 })
  assert.deepEqual([(await sold()).Free, (await sold()).Pair], [3, 2])
  assert.deepEqual(await events(), ['registration.created', 'registration.created'])
  assert.deepEqual(await mails(), ['order_confirmed ada@example.org'])
  const verified = await db.write(accountId, tx => verify(tx, order.id, 'buyer'))
  assert.deepEqual([verified.isNew, verified.due], [true, clock()])
  assert.deepEqual(await mails(), ['order_confirmed ada@example.org', 'ticket bob@example.org'])
  const { body } = await client.get(`/registrations/${lines[0]?.id}`)
  assert.deepEqual(body.buyer, ADA)
  clock.set('2026-12-01T10:00:00.000Z')
  assert.equal((await client.post('/check-ins', { qr_code: body.attendees[0].qr_code })).status, 201)
})

test('the same form again, at once or later, makes one order', async t => {
  const { send, orderOf, count, sold, mails } = await start(t)
  const order = orderOf({ Free: 2 })
  const made = await Promise.all([send(order), send(order), send(order)])
  made.push(await send({ ...order, buyer: { name: 'Eve', email: 'eve@example.org' } }))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  assert.deepEqual([await count('orders'), await count('registrations'), (await sold()).Free], [1, 1, 2])
  assert.equal((await mails()).length, 1)
})

test('an order that is sold out in one line leaves nothing of the others, and says what is left', async t => {
  const { send, orderOf, count, sold, mails } = await start(t)
  await send(orderOf({ Free: 4 }))
  await send(orderOf({ One: 1 }))
  const before = [await count('attendees'), await sold(), await mails()]
  await assert.rejects(send(orderOf({ Free: 2, One: 1 })), ({ code, details }: never) => {
    assert.deepEqual([code, (details as { name: string }).name], ['sold_out', 'One'])
    return true
  })
  assert.deepEqual([await count('attendees'), await sold(), await mails()], before)
  assert.equal(await count('orders'), 2)
})

test('sixty people who order at once get the fifty places, each of them once', async t => {
  const { send, orderOf, sold, count } = await start(t)
  const sent = Array.from({ length: 60 }, (_, n) =>
    send(orderOf({ Free: 1 }, { buyer: { name: `N${n}`, email: `n${n}@example.org` } })),
  )
  const outcomes = await Promise.allSettled(sent)
  const refused = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason.code] : []))
  assert.deepEqual(refused, Array(10).fill('sold_out'))
  assert.deepEqual([(await sold()).Free, await count('attendees'), await count('orders')], [50, 50, 50])
})

test('what is not on sale, hidden, too many, too few, dearer than was seen, or not free is refused, and leaves nothing', async t => {
  const { send, orderOf, count, db, accountId, eventId, types } = await start(t)
  const refused: [NewOrder, string][] = [
    [orderOf({ Later: 1 }), 'not_on_sale'],
    [orderOf({ Secret: 1 }), 'not_found'],
    [orderOf({}), 'order_size'],
    [orderOf({ Free: 5 }), 'order_size'],
    [orderOf({ Pair: 1 }), 'order_size'],
    [orderOf({ Free: 4, Pair: 2, One: 1, Standard: 14 }), 'order_size'],
    [
      orderOf(
        { Standard: 1 },
        { agreement: agreementHash({ total: 5000, event: { currency: 'EUR', terms: null } }) },
      ),
      'payment_needed',
    ],
    [orderOf({ Standard: 1 }), 'seen_changed'],
    [orderOf({ Free: 1 }, { agreement: '0' }), 'seen_changed'],
  ]
  const twice = orderOf({ Free: 1 })
  refused.push([{ ...twice, lines: [...twice.lines, ...twice.lines] }, 'order_size'])
  refused.push([{ ...twice, lines: [{ typeId: eventId, tickets: [ADA] }] }, 'not_found'])
  for (const [order, code] of refused) await assert.rejects(send(order), { code }, code)
  assert.ok(types.Free)
  for (const status of ['draft', 'cancelled'])
    await db.write(accountId, async tx => {
      await tx.run('UPDATE events SET status = $1', [status])
      const order = orderOf({ Free: 1 })
      await assert.rejects(place(tx, eventId, order), { code: 'not_on_sale' })
    })
  assert.deepEqual([await count('orders'), await count('attendees'), await count('emails')], [0, 0, 0])
})

test('nothing is sold of an event that is over', async t => {
  const { send, orderOf, clock } = await start(t)
  clock.set('2026-12-02T17:59:59.000Z')
  await send(orderOf({ Free: 1 }))
  clock.set('2026-12-02T18:00:00.000Z')
  await assert.rejects(send(orderOf({ Free: 1 })), { code: 'not_on_sale' })
})

test('an order that has to be approved holds its places, and emits and mails its tickets once it is', async t => {
  const { send, orderOf, details, sold, events, mails, db, accountId, client } = await start(t, {
    requires_approval: true,
  })
  await subscribeToAll(db, accountId)
  const order = await send(orderOf({ Free: 2 }))
  assert.deepEqual([order.status, order.waits_for, (await sold()).Free], ['pending', 'approval', 2])
  assert.deepEqual(await events(), [])
  assert.deepEqual(await mails(), ['order_waiting ada@example.org'])
  const [line] = (await details(order.id)).registrations
  assert.equal((await client.get(`/registrations/${line?.id}`)).body.status, 'pending')
  await db.write(accountId, tx => orders.approve(tx, order.id))
  assert.equal((await details(order.id)).registrations[0]?.status, 'confirmed')
  assert.deepEqual(await events(), ['registration.created'])
  assert.deepEqual(await mails(), ['order_confirmed ada@example.org', 'order_waiting ada@example.org'])
  for (const decide of [
    () => db.write(accountId, tx => orders.approve(tx, order.id)),
    () => db.write(accountId, tx => orders.fail(tx, order.id, 'declined')),
  ])
    await assert.rejects(decide(), { code: 'order_ended' })
  assert.equal((await sold()).Free, 2)
})

test('one that is declined, or undecided for a week, gives its places back to those who wait, and emits nothing', async t => {
  const { send, orderOf, details, sold, events, mails, db, accountId, clock, expiry } = await start(t, {
    requires_approval: true,
    waitlist: [
      { reference: 'w', registration_type: 'One', name: 'Wes', email: 'wes@example.org', quantity: 1 },
    ],
  })
  await subscribeToAll(db, accountId)
  const [declined, undecided] = [await send(orderOf({ One: 1 })), await send(orderOf({ Free: 3 }))]
  await db.write(accountId, tx => orders.fail(tx, declined.id, 'declined'))
  clock.advance(7 * DAY - 1)
  await expiry.look()
  assert.equal((await details(undecided.id)).status, 'pending')
  clock.advance(1)
  await expiry.look()
  const ended = await details(undecided.id)
  assert.deepEqual([ended.status, ended.failed_for], ['failed', 'undecided'])
  assert.deepEqual(
    ended.registrations.map(({ status, attendees }) => [status, attendees.every(({ voided }) => voided)]),
    [['failed', true]],
  )
  assert.deepEqual([(await sold()).One, (await sold()).Free], [0, 0])
  assert.deepEqual(await events(), [])
  assert.equal((await mails()).filter(mail => mail === 'order_declined ada@example.org').length, 2)
  const waiting = await db.read(INSTANCE, tx =>
    tx.one<{ notified_at: number | null }>('SELECT notified_at FROM waitlist_entries'),
  )
  assert.ok(waiting?.notified_at)
})

test('an order waits as long as the organizer has said, and what is changed later is for later orders', async t => {
  const { send, orderOf, details, db, accountId, eventId, clock, expiry } = await start(t, {
    requires_approval: true,
    approval_days: 2,
  })
  const first = await send(orderOf({ Free: 1 }))
  await db.write(accountId, tx => updateEvent(tx, eventId, { approval_days: 60 }))
  const second = await send(orderOf({ Free: 1 }))
  const days = ({ expires_at }: { expires_at: string | null }) =>
    (Date.parse(expires_at as string) - clock()) / DAY
  assert.deepEqual([days(first), days(second)], [2, 60])
  clock.advance(2 * DAY)
  await expiry.look()
  assert.deepEqual(
    [(await details(first.id)).failed_for, (await details(second.id)).status],
    ['undecided', 'pending'],
  )
})

test('an e-mail has three orders that wait at most, in whatever case it is written', async t => {
  const { send, orderOf } = await start(t, { requires_approval: true })
  for (const email of ['ada@example.org', 'ADA@example.org', 'Ada@Example.org'])
    await send(orderOf({ Free: 1 }, { buyer: { name: 'Ada', email } }))
  await assert.rejects(send(orderOf({ Free: 1 })), { code: 'too_many_pending' })
  await send(orderOf({ Free: 1 }, { buyer: { name: 'Bob', email: 'bob@example.org' } }))
})

test('a buyer cancels until the organizer’s date, all of it, and an order whose registrations are cancelled says so', async t => {
  const { send, orderOf, details, sold, events, db, accountId, clock, client } = await start(t)
  await subscribeToAll(db, accountId)
  const order = await send(orderOf({ Free: 2, Pair: 2 }))
  const cancel = (until: string | null) =>
    db.write(accountId, tx => orders.cancelByBuyer(tx, order.id, until))
  const now = new Date(clock()).toISOString()
  for (const until of [null, now]) await assert.rejects(cancel(until), { code: 'too_late' })
  const [free] = (await details(order.id)).registrations
  await client.post(`/registrations/${free?.id}/cancel`)
  assert.equal((await details(order.id)).status, 'confirmed')
  assert.equal((await cancel(new Date(clock() + 1).toISOString())).status, 'cancelled')
  assert.deepEqual([(await sold()).Free, (await sold()).Pair], [0, 0])
  assert.equal((await events()).filter(type => type === 'registration.cancelled').length, 2)
  await assert.rejects(cancel('2027-01-01T00:00:00.000Z'), { code: 'order_ended' })
})

test('an order that waits and is cancelled by the API line by line gives each place back once', async t => {
  const { send, orderOf, details, sold, db, accountId } = await start(t, { requires_approval: true })
  const order = await send(orderOf({ Free: 2, Pair: 2 }))
  const [free] = (await details(order.id)).registrations
  await db.write(accountId, tx => registrations.cancel(tx, free?.id as string))
  assert.deepEqual([(await sold()).Free, (await sold()).Pair], [0, 2])
  await db.write(accountId, tx => orders.fail(tx, order.id, 'declined'))
  assert.deepEqual([(await sold()).Free, (await sold()).Pair], [0, 0])
})

test('a link leads to its order alone: one letter more, less or other, another purpose, another instance lead nowhere', () => {
  const target = { id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f', version: 258 }
  const secret = linkSecret('key', 'order', target)
  assert.match(secret, /^[\w-]{46}$/)
  assert.deepEqual(readLinkSecret('key', 'order', secret), target)
  assert.equal(readLinkSecret('key', 'ticket', secret), undefined)
  assert.equal(readLinkSecret('other', 'order', secret), undefined)
  for (let at = 0; at < secret.length; at++) {
    for (const sign of 'AQgwbBcDx1-_') {
      const altered = secret.slice(0, at) + sign + secret.slice(at + 1)
      if (altered !== secret) assert.equal(readLinkSecret('key', 'order', altered), undefined, altered)
    }
  }
  for (const wrong of ['', secret.slice(1), `${secret}A`, 'ñ'.repeat(46)])
    assert.equal(readLinkSecret('key', 'order', wrong), undefined)
})

test('the tax that a price includes is rounded half up', () => {
  assert.deepEqual(
    [
      [12_100, 2_100],
      [1_077, 770],
      [99_999_999, 2_100],
      [1, 5_000],
      [3, 10_000],
      [0, 2_100],
      [500, 0],
    ].map(([price, basisPoints]) => taxIn(price as number, basisPoints as number)),
    [2_100, 77, 17_355_372, 0, 2, 0, 0],
  )
})

test('an order that came to nothing names nobody after 30 days: buyer, holders, answers, search words and mails go, one that stands stays', async t => {
  const event = { requires_approval: true }
  const { db, clock, accountId, orderOf, send, details, mails, client } = await start(t, event)
  const bob = { name: 'Bob Bobolink', email: 'bob@example.org' }
  const answers = { diet: 'none' }
  const made = [
    await send(orderOf({ Free: [bob, { name: 'Ada', email: null }], Pair: 2 }, { answers })),
    await send(orderOf({ Free: [bob] }, { answers })),
  ]
  const [abandoned, kept] = made.map(({ id }) => id) as [string, string]
  await db.write(accountId, tx => orders.fail(tx, abandoned, 'declined'))
  await db.write(accountId, tx => orders.approve(tx, kept))
  clock.advance(30 * DAY)
  await cleanUp(db, clock, 365)
  assert.equal((await details(abandoned)).buyer.name, 'Ada')
  clock.advance(1)
  await cleanUp(db, clock, 365)
  const order = await details(abandoned)
  assert.deepEqual([order.status, order.buyer.name, order.secret_version], ['failed', '—', 2])
  for (const { buyer, answers: left, attendees } of order.registrations) {
    assert.deepEqual([buyer.name, left], ['—', {}])
    for (const { name, email } of attendees) assert.deepEqual([name, email], ['—', null])
  }
  assert.deepEqual(await mails(), [
    'order_confirmed ada@example.org',
    'order_waiting ada@example.org',
    'ticket bob@example.org',
  ])
  const { registrations: lines, buyer } = await details(kept)
  assert.deepEqual([buyer.name, lines[0]?.attendees[0]?.name], ['Ada', 'Bob Bobolink'])
  const { body } = await client.get('/registrations?q=bobolink')
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    lines.map(({ id }) => id),
  )
})

test('the holders of an order that came to nothing are made anonymous too where its buyer was before, whenever that was', async t => {
  const { db, clock, accountId, orderOf, send, details } = await start(t, { requires_approval: true })
  const bob = { name: 'Bob', email: 'bob@example.org' }
  const [first, second] = [await send(orderOf({ Free: [bob] })), await send(orderOf({ Free: [bob] }))]
  await db.write(accountId, tx => orders.fail(tx, first.id, 'declined'))
  await erasePerson(db, { accountId, who: 'cli', requestId: null, address: null }, ADA.email)
  await db.write(accountId, tx => orders.fail(tx, second.id, 'declined'))
  clock.advance(30 * DAY + 1)
  await cleanUp(db, clock, 365)
  for (const { id } of [first, second]) {
    const { registrations: lines } = await details(id)
    assert.deepEqual(
      lines.flatMap(({ attendees }) => attendees.map(({ name, email }) => [name, email])),
      [['—', null]],
    )
  }
})

test('whoever was made anonymous is written to no more, whatever becomes of their orders', async t => {
  const { db, accountId, orderOf, send, mails } = await start(t, { requires_approval: true })
  const bob = { name: 'Bob', email: 'bob@example.org' }
  const [one, other] = [await send(orderOf({ Free: [bob] })), await send(orderOf({ Free: [bob] }))]
  await erasePerson(db, { accountId, who: 'cli', requestId: null, address: null }, ADA.email)
  await db.write(accountId, tx => orders.fail(tx, one.id, 'declined'))
  await db.write(accountId, async tx => queueAgain(tx, await orders.approve(tx, other.id)))
  assert.deepEqual(await mails(), ['ticket bob@example.org'])
})

test('an order of an event that was cancelled is approved no more', async t => {
  const { db, accountId, eventId, orderOf, send, details, mails } = await start(t, {
    requires_approval: true,
  })
  const { id } = await send(orderOf({ Free: 1 }))
  await db.write(accountId, tx => setStatus(tx, eventId, 'cancelled'))
  const approve = () => db.write(accountId, tx => orders.approve(tx, id))
  await assert.rejects(approve(), { code: 'not_on_sale' })
  assert.equal((await details(id)).status, 'pending')
  assert.deepEqual(await mails(), ['order_waiting ada@example.org'])
})

test('a buyer whose e-mail was mistyped is corrected on one line of the order: all of it follows, and mails go there from then on', async t => {
  const { db, accountId, orderOf, send, details, mails, client } = await start(t)
  const bob = { name: 'Bob', email: 'bob@example.org' }
  const made = await send(orderOf({ Free: [bob], Pair: 2 }))
  const other = await send(orderOf({ Free: 1 }))
  const [line] = (await details(made.id)).registrations
  const buyer = { name: 'Ada L.', email: 'Ada.L@example.org' }
  await db.write(accountId, tx => amendRegistration(tx, line?.id as string, { buyer }))
  const order = await details(made.id)
  assert.deepEqual(order.buyer, buyer)
  assert.deepEqual(
    order.registrations.map(each => each.buyer),
    [buyer, buyer],
  )
  assert.equal(order.registrations[0]?.attendees[0]?.email, bob.email)
  assert.deepEqual((await details(other.id)).buyer, ADA)
  await db.write(accountId, tx => queueAgain(tx, order))
  assert.ok((await mails()).includes('order_confirmed Ada.L@example.org'))
  assert.deepEqual(await findDamage(db), [])
  // The order is found and made anonymous under the new e-mail alone.
  const found = await client.get('/registrations?q=ada.l@example.org')
  assert.equal(found.body.data.length, 2)
  assert.equal(await db.write(accountId, tx => erasing.erase(tx, 'ada.l@example.org')), 1)
  assert.equal((await details(other.id)).buyer.name, 'Ada')
})
