import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { type Exchanging, exchangeTicket, forecastExchange } from '#product/selling/exchanges/rules.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { openLivedShop } from '#test/support/lived/shop.ts'
import { openShop, type Shop, type ShopOptions } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const of = (orderId: string) => ({ orderId })

async function start(t: TestContext, options: ShopOptions = {}) {
  const shop = await openShop(t, options)
  return { ...shop, ...refundsOf(shop), ...exchangesOf(shop) }
}

/** Exchanges tickets of a shop. */
function exchangesOf({ db, accountId, types, get }: Shop) {
  const placeOf = async (orderId: string, ticketId: string) => {
    const { registrations: lines } = await get(orderId)
    const line = lines.find(({ attendees }) => attendees.some(({ id }) => id === ticketId))
    return { line, ticket: line?.attendees.find(({ id }) => id === ticketId) }
  }
  /** Returns the id of the new ticket. */
  const exchange = async (
    orderId: string,
    ticketId: string,
    { type, ...more }: { type?: string } & Partial<Exchanging> = {},
  ) => {
    const { line, ticket } = await placeOf(orderId, ticketId)
    const exchanging = {
      ...{ registrationId: line?.id as string, ticketId, back: 0 },
      typeId: type === undefined ? (line?.registration_type_id as string) : (types[type] as string),
      holder: { name: ticket?.name ?? null, email: ticket?.email ?? null },
      ...more,
    }
    const done = await db.write(accountId, tx => exchangeTicket(tx, exchanging))
    return done.made.attendees[0]?.id as string
  }
  const forecast = async (orderId: string, ticketId: string, type: string) => {
    const { line } = await placeOf(orderId, ticketId)
    const wanted = { registrationId: line?.id as string, ticketId, typeId: types[type] as string }
    const { paid, back, dearer } = await db.read(accountId, tx => forecastExchange(tx, wanted))
    return { paid, back, dearer }
  }
  /** Returns each line of an order: type, status, what it cost, and which of its tickets are void. */
  const lines = async (orderId: string) =>
    (await get(orderId)).registrations.map(
      ({ registration_type_name: type, status, amount_total, attendees }) =>
        `${type} ${status} ${amount_total} ${attendees.map(({ voided }) => (voided ? 'void' : 'good')).join(' ')}`,
    )
  return { exchange, forecast, lines }
}

const FULL = [
  { name: 'Standard', price: 5000, capacity: 1, tax_basis_points: 1900 },
  { name: 'Student', price: 2000, capacity: 1 },
]

test('a ticket becomes one of another type: the old one is void, and the new one costs nothing and has its own code', async t => {
  const shop = await start(t)
  const { buy, ticketsOf, exchange, lines, sold, webhooks, get, damage, balance, mails, db, accountId } = shop
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  const before = await db.read(accountId, tx => receipts.listByOrder(tx, id))
  const made = await exchange(id, old as string, { type: 'Student' })
  assert.deepEqual(await lines(id), ['Standard cancelled 5000 void', 'Student confirmed 0 good'])
  assert.deepEqual(await sold(), { Standard: 0, Student: 1, Free: 0 })
  const order = await get(id)
  assert.equal(order.status, 'confirmed')
  assert.equal(order.amount_total, 5000)
  const [former, latter] = order.registrations.map(({ attendees }) => attendees[0])
  assert.equal(latter?.id, made)
  assert.notEqual(former?.qr_code, latter?.qr_code)
  assert.equal(latter?.name, former?.name)
  const types = await webhooks()
  assert.equal(types.filter(type => type === 'registration.created').length, 2)
  assert.equal(types.filter(type => type === 'registration.cancelled').length, 1)
  assert.equal(types.filter(type => type === 'payment.completed').length, 1, 'no money came')
  assert.deepEqual(await balance(of(id)), { paid: 5000, refunded: 0, disputed: 0, left: 5000, fee: 100 })
  assert.deepEqual(await db.read(accountId, tx => receipts.listByOrder(tx, id)), before)
  assert.deepEqual(await mails(), ['order_confirmed', 'ticket_exchanged'])
  assert.deepEqual(await damage(), [])
})

test('one of two tickets is exchanged: the other stays as it is, and nothing is said to be cancelled', async t => {
  const shop = await start(t)
  const { buy, ticketsOf, exchange, lines, sold, webhooks, damage } = shop
  const { id } = await buy({ Standard: 2 })
  const [first] = await ticketsOf(id)
  await exchange(id, first as string, { type: 'Student' })
  assert.deepEqual(await lines(id), ['Standard confirmed 10000 void good', 'Student confirmed 0 good'])
  assert.deepEqual(await sold(), { Standard: 1, Student: 1, Free: 0 })
  assert.ok(!(await webhooks()).includes('registration.cancelled'))
  assert.deepEqual(await damage(), [])
})

test('the API cancels no ticket that took the place of a paid one, however often it was exchanged, but one of a free one', async t => {
  const shop = await start(t)
  const { buy, order, ticketsOf, exchange, get, damage, db, accountId, lines } = shop
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  const second = await exchange(id, old as string, { type: 'Free' })
  await exchange(id, second, { type: 'Student' })
  const newest = async (orderId: string) => (await get(orderId)).registrations.at(-1)?.id as string
  const cancel = async (orderId: string) => {
    const line = await newest(orderId)
    return db.write(accountId, tx => registrations.cancel(tx, line))
  }
  await assert.rejects(cancel(id), { code: 'refund_required' })
  assert.deepEqual((await lines(id)).at(-1), 'Student confirmed 0 good')

  const free = await order({ Free: 1 }, { method: undefined })
  const [ticket] = await ticketsOf(free.id)
  await exchange(free.id, ticket as string, { type: 'Student' })
  await cancel(free.id)
  assert.deepEqual((await lines(free.id)).at(-1), 'Student cancelled 0 void')
  assert.deepEqual(await damage(), [])
})

test('what was paid for the old ticket can go back with the new one, once, with the tax of what was sold', async t => {
  const shop = await start(t)
  const { buy, ticketsOf, exchange, ask, settle, linesOf, balance, damage, db, accountId, sold } = shop
  const { id } = await buy({ Standard: 1, Student: 1 })
  const [old] = await ticketsOf(id)
  const second = await exchange(id, old as string, { type: 'Free' })
  const made = await exchange(id, second, { type: 'Student' })
  const subject = await db.read(accountId, tx => readRefundable(tx, of(id)))
  assert.deepEqual(
    subject.tickets.map(({ type, paid, stands }) => [type, paid, stands]),
    [
      ['Student', 2000, true],
      ['Student', 5000, true],
    ],
  )
  await assert.rejects(ask(of(id), { ticketIds: [old as string], amount: 5000 }), { code: 'not_found' })
  await ask(of(id), { ticketIds: [made], amount: 5000 })
  await settle()
  assert.deepEqual(await linesOf(id), [
    ['refunded', 5000],
    ['confirmed', null],
    ['cancelled', null],
    ['cancelled', null],
  ])
  const credits = (await db.read(accountId, tx => receipts.listByOrder(tx, id))).filter(
    ({ kind }) => kind === 'credit_note',
  )
  assert.deepEqual(
    credits.map(({ total, lines, taxes }) => [total, lines[0]?.name, taxes[0]?.basis_points]),
    [[5000, 'Standard', 1900]],
  )
  assert.equal((await balance(of(id))).left, 2000)
  assert.deepEqual(await sold(), { Standard: 0, Student: 1, Free: 0 })
  await assert.rejects(ask(of(id), { ticketIds: [made] }), { code: 'registration_not_confirmed' })
  assert.deepEqual(await damage(), [])
})

test('a cheaper ticket offers the difference, which goes back as any refund; of a dearer one it is shown, and nothing is charged', async t => {
  const shop = await start(t)
  const { buy, ticketsOf, exchange, forecast, settle, linesOf, balance, damage, refundsOf: made } = shop
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  assert.deepEqual(await forecast(id, old as string, 'Student'), { paid: 5000, back: 3000, dearer: 0 })
  await assert.rejects(exchange(id, old as string, { type: 'Student', back: 2999 }), { code: 'seen_changed' })
  const student = await exchange(id, old as string, { type: 'Student', back: 3000 })
  await settle()
  assert.deepEqual(
    (await made(id)).map(({ amount, status, tickets }) => [amount, status, tickets]),
    [[3000, 'done', { [old as string]: 3000 }]],
  )
  assert.deepEqual(await linesOf(id), [
    ['refunded', 3000],
    ['confirmed', null],
  ])
  assert.deepEqual(await forecast(id, student, 'Standard'), { paid: 2000, back: 0, dearer: 3000 })
  const dear = await exchange(id, student, { type: 'Standard' })
  assert.deepEqual(await forecast(id, dear, 'Free'), { paid: 2000, back: 2000, dearer: 0 })
  await exchange(id, dear, { type: 'Free', back: 2000 })
  await settle()
  assert.deepEqual((await linesOf(id))[0], ['refunded', 5000])
  assert.equal((await balance(of(id))).left, 0)
  assert.deepEqual(await damage(), [])
})

test('the last ticket goes to one exchange, and the other is refused as sold out with everything as it was', async t => {
  const shop = await start(t, { event: { registration_types: [{ ...FULL[0], capacity: 3 }, FULL[1]] } })
  const { buy, ticketsOf, exchange, lines, sold, damage } = shop
  const orders = [await buy({ Standard: 1 }), await buy({ Standard: 1 })]
  const tickets = await Promise.all(orders.map(async ({ id }) => (await ticketsOf(id))[0] as string))
  const tried = await Promise.allSettled(
    orders.map(({ id }, at) => exchange(id, tickets[at] as string, { type: 'Student' })),
  )
  const refused = tried.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))
  assert.deepEqual(refused, ['sold_out'])
  assert.deepEqual(await sold(), { Standard: 1, Student: 1 })
  const kept = orders[tried.findIndex(({ status }) => status === 'rejected')]
  assert.deepEqual(await lines(kept?.id as string), ['Standard confirmed 5000 good'])
  assert.deepEqual(await damage(), [])
})

test('one ticket that two exchange at once is exchanged once', async t => {
  const shop = await start(t)
  const { buy, ticketsOf, exchange, lines, damage } = shop
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  const tried = await Promise.allSettled(
    ['Student', 'Free'].map(type => exchange(id, old as string, { type })),
  )
  assert.deepEqual(tried.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await lines(id)).length, 2)
  assert.deepEqual(await damage(), [])
})

test('a ticket of a full type is given on, and within a full pool types are exchanged; a pool that is full for both refuses', async t => {
  const event = {
    registration_types: [
      { name: 'Standard', price: 5000, capacity: 1 },
      { name: 'Student', price: 2000, capacity: 2 },
      { name: 'Other', price: 1000, capacity: 2 },
    ],
    pools: [
      { name: 'Room', capacity: 1, registration_types: ['Standard', 'Student'] },
      { name: 'Table', capacity: 0, registration_types: ['Other'] },
    ],
    waitlist: [
      { reference: 'w', registration_type: 'Standard', name: 'Waits', email: 'w@example.org', quantity: 1 },
    ],
  }
  const shop = await start(t, { event })
  const { buy, ticketsOf, exchange, sold, damage, db } = shop
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  const notified = () =>
    db.read(INSTANCE, tx => tx.all('SELECT reference FROM waitlist_entries WHERE notified_at IS NOT NULL'))
  const given = await exchange(id, old as string, { holder: { name: 'Grace', email: 'grace@example.org' } })
  assert.deepEqual(await sold(), { Standard: 1, Student: 0, Other: 0 })
  assert.deepEqual(await notified(), [], 'no place became free')
  const student = await exchange(id, given, { type: 'Student' })
  assert.deepEqual(await sold(), { Standard: 0, Student: 1, Other: 0 })
  assert.deepEqual(await notified(), [], 'the room is still full')
  await assert.rejects(exchange(id, student, { type: 'Other' }), { code: 'sold_out' })
  assert.deepEqual(await sold(), { Standard: 0, Student: 1, Other: 0 })
  assert.deepEqual(await damage(), [])
})

test('the place that an exchange frees goes to whoever waits for it', async t => {
  const event = {
    registration_types: FULL,
    waitlist: [
      { reference: 'w', registration_type: 'Standard', name: 'Waits', email: 'w@example.org', quantity: 1 },
    ],
  }
  const { buy, ticketsOf, exchange, db, mails } = await start(t, { event })
  const { id } = await buy({ Standard: 1 })
  const [old] = await ticketsOf(id)
  await exchange(id, old as string, { type: 'Student' })
  const notified = await db.read(INSTANCE, tx =>
    tx.all('SELECT reference FROM waitlist_entries WHERE notified_at IS NOT NULL'),
  )
  assert.deepEqual(notified, [{ reference: 'w' }])
  assert.ok((await mails()).includes('place_free'))
})

test('a use of a code is given back with the ticket that had it', async t => {
  const event = { registration_types: FULL, codes: [{ code: 'EARLY', percent: 20 }] }
  const { buy, ticketsOf, exchange, db, damage, forecast } = await start(t, { event })
  const { id } = await buy({ Standard: 1 }, { code: 'EARLY' })
  const [old] = await ticketsOf(id)
  assert.deepEqual(await forecast(id, old as string, 'Student'), { paid: 4000, back: 2000, dearer: 0 })
  await exchange(id, old as string, { type: 'Student' })
  const used = await db.read(INSTANCE, tx => tx.one<{ used: number }>('SELECT used FROM codes'))
  assert.equal(used?.used, 0)
  assert.deepEqual(await damage(), [])
})

test('a checked-in, void, pending or erased ticket is not exchanged, nor one of a cancelled event or another account', async t => {
  const shop = await start(t)
  const { buy, order, ticketsOf, exchange, ask, db, accountId, clock, eventId } = shop
  const { id } = await buy({ Standard: 3 })
  const [used, voided, good] = (await ticketsOf(id)) as [string, string, string]
  clock.set('2027-02-01T10:00:00Z')
  await db.write(accountId, tx => checkIns.create(tx, { attendee_id: used }))
  await ask(of(id), { ticketIds: [voided], amount: 0 })
  await assert.rejects(exchange(id, used), { code: 'already_checked_in' })
  await assert.rejects(exchange(id, voided), { code: 'ticket_voided' })
  const pending = await order({ Standard: 1 })
  const [unpaid] = await ticketsOf(pending.id)
  await assert.rejects(exchange(pending.id, unpaid as string), { code: 'registration_not_confirmed' })
  const { registrations: lines } = await shop.get(id)
  const registrationId = lines[0]?.id as string
  const holder = { name: 'X', email: null }
  await assert.rejects(
    db.write('00000000-0000-7000-8000-000000000000', tx =>
      exchangeTicket(tx, {
        registrationId,
        ticketId: good,
        typeId: shop.types.Free as string,
        holder,
        back: 0,
      }),
    ),
    { code: 'not_found' },
  )
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'cancelled' WHERE id = $1", [eventId]))
  await assert.rejects(exchange(id, good), { code: 'not_on_sale' })
})

test('an order has as many tickets in all as a file can bring, and no exchange gives it more', async t => {
  const { order, ticketsOf, exchange, get, damage } = await start(t)
  const { id } = await order({ Free: 20 }, { method: undefined })
  let [last] = (await ticketsOf(id)) as [string]
  for (let n = 0; n < 80; n++) last = await exchange(id, last)
  await assert.rejects(exchange(id, last), { code: 'too_many_exchanges' })
  assert.equal((await get(id)).registrations.flatMap(({ attendees }) => attendees).length, 100)
  assert.deepEqual(await damage(), [])
})

test('a disputed ticket is exchanged once the bank has decided and somebody has left it valid', async t => {
  const shop = await openLivedShop(t)
  const { db, accountId, buy, dispute, ticketsOf } = shop
  const orderId = await buy({ Standard: 1 })
  const taken = { amount: -5000, fee: 2000 }
  await dispute(orderId, 'needs_response', [taken])
  const [ticketId] = (await ticketsOf(orderId)) as [string]
  const exchange = () =>
    db.write(accountId, async tx => {
      const subject = await readRefundable(tx, { orderId })
      const ticket = subject.tickets.find(({ id }) => id === ticketId)
      const [type] = await registrationTypes.listByEvent(tx, subject.eventId)
      return exchangeTicket(tx, {
        ...{
          registrationId: ticket?.registrationId as string,
          ticketId,
          typeId: type?.id as string,
          back: 0,
        },
        holder: { name: 'Grace', email: null },
      })
    })
  await assert.rejects(exchange(), { code: 'ticket_disputed' })
  await dispute(orderId, 'lost', [taken])
  await assert.rejects(exchange(), { code: 'ticket_disputed' })
  await dispute(orderId, 'won', [taken, { amount: 5000, fee: 0 }])
  await exchange()
})
