import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '#base/log.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { erase } from '#product/selling/orders/erasing.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import * as orderRules from '#product/selling/orders/rules.ts'
import { readOutbox } from '#test/support/observations.ts'
import { collectOrganization, organization } from '#test/support/organization.ts'
import { takeOrders } from '#test/support/runs/order-run.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { open } from './open.ts'
import { ordered, orders } from './ordered.ts'

type Opened = Awaited<ReturnType<typeof open>>

async function exportText({ db }: Pick<Opened, 'db'>, accountId: string): Promise<string> {
  return JSON.stringify(await db.read(accountId, tx => collectOrganization(tx)), null, 2)
}

async function brought(server: Opened, file: object = ordered()) {
  const report = await server.apply(file)
  return { ...report, text: await exportText(server, report.account_id) }
}

function orderOf({ db }: Opened, accountId: string, reference: string) {
  return db.read(accountId, async tx => {
    const row = await tx.one<{ id: string }>(
      "SELECT o.id FROM orders o JOIN events e ON e.id = o.event_id WHERE e.slug = 'spring-meeting' AND o.reference = $1",
      [reference],
    )
    return orderRules.getDetails(tx, row?.id ?? '')
  })
}

test('orders, their lines and what each ticket was sold for are exported as the text that they were applied from', async t => {
  const first = await open(t)
  const { account_id: accountId, text } = await brought(first)
  const second = await open(t)
  second.clock.set('2031-05-05T05:05:05.055Z')
  const again = await brought(second, JSON.parse(text))
  assert.equal(again.text, text)
  for (const { db } of [first, second]) assert.deepEqual(await findDamage(db), [])

  const [event] = JSON.parse(text).events
  const half = { code: 'Half', price: 5000, discount: 2500, tax: 434, tax_basis_points: 2100 }
  assert.deepEqual(event.orders[0], {
    ...{ reference: '2345-WXYZ', status: 'confirmed', waits_for: null, failed_for: null },
    ...{ buyer: { name: 'Ada', email: 'Ada@Example.org' }, language: 'es', currency: 'EUR' },
    ...{ amount_total: 5000, terms: 'No dogs.\n', created_at: '2026-11-01T10:00:00.000Z', expires_at: null },
    ...{ confirmed_at: '2026-11-01T11:00:00.000Z', failed_at: null },
  })
  assert.deepEqual(event.registrations[0].attendees[1], {
    ...{ name: 'Ada', email: null, seat: null, ...half, checked_in_at: null },
  })
  type Item = { reference: string; order?: string }
  assert.deepEqual(
    event.registrations.map(({ reference, order }: Item) => [reference, order]),
    [
      ['a', '2345-WXYZ'],
      ['b', '2345-WXYZ'],
      ['c', 'FAIL'],
      ['d', '__proto__'],
      ['e', '__proto__'],
      ['plain', undefined],
      ['f', 'WAIT'],
      ['g', 'WAIT'],
    ],
  )
  const { registrations, prices, ...order } = await orderOf(second, again.account_id, '2345-WXYZ')
  assert.deepEqual(
    registrations.map(line => [line.registration_type_name, line.quantity, line.source]),
    [
      ['Standard', 2, 'checkout'],
      ['Free', 1, 'checkout'],
    ],
  )
  assert.deepEqual([...prices.values()][0], { price: 5000, discount: 2500, tax: 434, tax_basis_points: 2100 })
  const was = await orderOf(first, accountId, '2345-WXYZ')
  assert.notEqual(order.id, was.id)
  assert.deepEqual(
    [order.secret_version, order.terms, order.buyer.email],
    [1, 'No dogs.\n', 'Ada@Example.org'],
  )
})

test('what was ordered, approved, declined, undecided and erased survives the way to another folder', async t => {
  const event = {
    ends_at: '2026-12-22T18:00:00Z',
    registration_types: [{ name: 'Free', price: 0, capacity: 100 }],
  }
  const server = await startWithOrganization(t, organization({ event }))
  const { db, clock, applied, eventId, types } = server
  const accountId = applied.account_id
  await takeOrders(db, clock, { accountId, eventId, typeId: types.Free as string })
  const text = await exportText(server, accountId)
  const { orders } = JSON.parse(text).events[0]
  assert.deepEqual(
    orders.map(({ status, failed_for }: Record<string, unknown>) => [status, failed_for]),
    [
      ['confirmed', null],
      // Other people hold these tickets.
      ...Array(6).fill(['confirmed', null]),
      ['confirmed', null],
      ['failed', 'declined'],
      ['failed', 'undecided'],
      // The waitlist has these orders: one was cancelled, one accepted and to be approved, and one accepted.
      ['failed', 'cancelled'],
      ['pending', null],
      ['confirmed', null],
    ],
  )
  const other = await open(t)
  const again = await brought(other, JSON.parse(text))
  assert.equal(again.text, text)
  // One of the six was confirmed by its buyer: of the others nobody else is mailed there either.
  const unverified = 'SELECT count(*) AS n FROM orders WHERE verified_at IS NULL'
  for (const there of [db, other.db]) {
    const row = await there.read(INSTANCE, tx =>
      tx.one<{ n: number }>(`${unverified} AND status = 'confirmed'`),
    )
    assert.equal(row?.n, 6)
  }
  assert.deepEqual(await findDamage(other.db), [])
  assert.equal(await other.count('emails'), 0)
  const subscribed = await open(t)
  const { account_id: subscriber } = await subscribed.apply({ account: JSON.parse(text).account })
  await subscribeToAll(subscribed.db, subscriber)
  await subscribed.apply(JSON.parse(text))
  assert.deepEqual([await subscribed.count('orders'), await readOutbox(subscribed.db)], [orders.length, []])
})

test('a file with orders, applied again, begins no write, keeps what is there, and says where it differs', async t => {
  const server = await open(t)
  const { created, text } = await brought(server)
  const entries = await server.count('access_log')
  for (const file of [ordered(), JSON.parse(text)]) {
    const again = await brought(server, file)
    assert.deepEqual([again.created, again.updated, again.kept], [0, 0, created])
    assert.deepEqual([again.changes, again.differences, again.text], [[], [], text])
  }
  const changed = JSON.parse(text)
  const [first] = changed.events[0].orders
  Object.assign(first, { terms: 'Dogs.', language: 'en', buyer: { name: 'Eve', email: 'eve@example.org' } })
  changed.events[0].registrations[1].attendees[0].tax = 0
  for (const ticket of changed.events[0].registrations[0].attendees) ticket.tax = 1
  const report = await brought(server, changed)
  assert.deepEqual(report.differences, [
    'order 2345-WXYZ of spring-meeting keeps buyer_name, buyer_email, language, terms as in the database: the file says otherwise',
    'registration a of spring-meeting keeps attendees as in the database: the file says otherwise',
  ])
  assert.deepEqual([report.created, report.updated, report.text], [0, 0, text])
  assert.equal(await server.count('access_log'), entries)
})

test('a file from before, without orders, changes nothing of those that are there, and comes in without any', async t => {
  const server = await open(t)
  const { text } = await brought(server)
  const old = JSON.parse(text)
  for (const event of old.events) {
    delete event.orders
    for (const item of event.registrations) {
      delete item.order
      for (const ticket of item.attendees)
        for (const field of ['price', 'discount', 'tax', 'tax_basis_points']) delete ticket[field]
    }
  }
  const again = await brought(server, old)
  assert.deepEqual([again.created, again.updated, again.differences, again.text], [0, 0, [], text])
  const other = await open(t)
  await other.apply(old)
  assert.deepEqual([await other.count('orders'), await other.count('registrations')], [0, 9])
  assert.deepEqual(await findDamage(other.db), [])
})

test('an order that waits holds its places and ends by itself when it would have, mailed then and not before', async t => {
  const first = await open(t)
  const { text } = await brought(first)
  for (const from of ['2026-11-21T12:00:00.000Z', '2026-12-24T12:00:00.000Z']) {
    const { db, clock, ...server } = await open(t)
    clock.set(from)
    const types = ['registration.created', 'registration.cancelled']
    const webhooks = [{ url: 'https://example.org/hook', types }]
    const { account_id: accountId } = await server.apply({ ...JSON.parse(text), webhooks })
    const state = async () => ({
      status: (await orderOf({ db, clock, ...server }, accountId, 'WAIT')).status,
      sold: (
        await db.read(INSTANCE, tx =>
          tx.one<{ sold: number }>("SELECT sold FROM registration_types WHERE name = 'Free'"),
        )
      )?.sold,
      mails: await db.read(INSTANCE, tx => tx.all<object>('SELECT kind, recipient FROM emails')),
      events: await server.count('webhook_events'),
    })
    // The event is the ping of the endpoint.
    const reserved = { status: 'pending', sold: 3, mails: [], events: 1 }
    const expiry = orderExpiry({ db, clock, log: openLog('silent', { write: () => undefined }) })
    assert.deepEqual(await state(), reserved)
    if (Date.parse(from) < Date.parse('2026-11-27T10:00:00.000Z')) {
      clock.set('2026-11-27T09:59:59.999Z')
      await expiry.look()
      assert.deepEqual(await state(), reserved)
      clock.set('2026-11-27T10:00:00.000Z')
    }
    await expiry.look()
    assert.deepEqual(await state(), {
      ...{ status: 'failed', sold: 1, events: 1 },
      mails: [{ kind: 'order_declined', recipient: 'Ada@Example.org' }],
    })
    assert.equal((await orderOf({ db, clock, ...server }, accountId, 'WAIT')).failed_for, 'undecided')
    assert.deepEqual(await findDamage(db), [])
  }
})

test('in batches of any size an order comes with all of its registrations in one write, and all is as in one', async t => {
  const atOnce = await open(t)
  const { text, created, changes } = await brought(atOnce)
  for (const rows of [1, 9, 1000]) {
    const server = await open(t)
    const seen: string[][] = []
    const between = wrapDatabase(server.db, {
      write: async (owner, work) => {
        const result = await server.db.write(owner, work)
        seen.push(await findDamage(server.db))
        return result
      },
    })
    const file = validateOrganization(ordered())
    const size = { rows, characters: 1_000_000 }
    const report = await applyInBatches(between, file, { clock: server.clock, size })
    assert.equal(seen.length, { 1: 7, 9: 5, 1000: 2 }[rows])
    assert.deepEqual(seen.flat(), [])
    assert.deepEqual([report.created, report.changes], [created, changes])
    assert.equal(await exportText(server, report.account_id), text)
  }
})

test('batches that were stopped between two orders go on where they were', async t => {
  const atOnce = await open(t)
  const { text } = await brought(atOnce)
  const server = await open(t)
  let left = 3
  const stopping = wrapDatabase(server.db, {
    write: (owner, work) => {
      if (left-- === 0) throw new Error('The power is out.')
      return server.db.write(owner, work)
    },
  })
  const file = validateOrganization(ordered())
  const options = { clock: server.clock, size: { rows: 1, characters: 1_000_000 } }
  await assert.rejects(applyInBatches(stopping, file, options), /^Error: 3 of 9 registrations/)
  assert.deepEqual([await server.count('orders'), await server.count('registrations')], [2, 3])
  assert.deepEqual(await findDamage(server.db), [])
  const { account_id: accountId } = await applyInBatches(server.db, file, options)
  assert.equal(await exportText(server, accountId), text)
})

test('nothing is added to an order that is there, and none is made of registrations that are there', async t => {
  const server = await open(t)
  const { text } = await brought(server)
  const { events } = ordered()
  const [event] = events as [{ registrations: { reference: string }[] }]
  const more = event.registrations.map(item =>
    item.reference === 'b' ? { ...item, reference: 'new' } : item,
  )
  await assert.rejects(server.apply(ordered({ registrations: more })), {
    message:
      'events.0.registrations.1.order is "2345-WXYZ", which is there already, without this registration.',
  })
  const renamed = (items: readonly object[], key: string) =>
    items.map(item => (Reflect.get(item, key) === 'FAIL' ? { ...item, [key]: 'ELSE' } : item))
  const other = ordered({
    orders: renamed(orders, 'reference'),
    registrations: renamed(event.registrations, 'order'),
  })
  await assert.rejects(server.apply(other), {
    message: 'events.0.registrations.2.order is "ELSE", which is new, and the registration is there already.',
  })
  assert.equal((await brought(server)).text, text)
})

test('a registration stays with its order, whichever a file names', async t => {
  const server = await open(t)
  const { text } = await brought(server)
  const moved = ordered().events[0] as unknown as { registrations: { reference: string }[] }
  const registrations = moved.registrations.map(item =>
    item.reference === 'b' ? { ...item, order: '__proto__' } : item,
  )
  const again = await brought(server, ordered({ registrations }))
  assert.deepEqual(again.differences, [
    'registration b of spring-meeting keeps order as in the database: the file says otherwise',
  ])
  assert.equal(again.text, text)
})

test('an erased buyer is not brought back by a file from before', async t => {
  const server = await open(t)
  const { account_id: accountId } = await brought(server)
  await server.db.write(accountId, tx => erase(tx, 'ada@example.org'))
  const { differences, text } = await brought(server)
  assert.equal(differences.filter(line => line.startsWith('order')).length, 4)
  const other = await open(t)
  const again = await brought(other, JSON.parse(text))
  assert.equal(again.text, text)
  const { buyer } = await orderOf(other, again.account_id, 'WAIT')
  assert.deepEqual(buyer, { name: '—', email: '-@erased.invalid' })
})
