import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { openShop } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const of = (orderId: string) => ({ orderId })

test('of three tickets one is voided, then the others: two are given back then, each once, and cancelled is told once', async t => {
  const shop = await openShop(t, {
    event: {
      registration_types: [{ name: 'Standard', price: 5000, capacity: 3 }],
      codes: [{ code: 'EARLY', percent: 20 }],
      waitlist: [
        ...['one', 'two'].map((reference, at) => ({
          ...{ reference, registration_type: 'Standard', name: reference, quantity: at + 1 },
          ...{ email: `${reference}@example.org`, created_at: `2026-11-0${at + 1}T10:00:00Z` },
        })),
      ],
    },
  })
  const { buy, sold, webhooks, damage, db, get } = shop
  const { ask, ticketsOf, linesOf, balance, settle } = refundsOf(shop)
  const { id } = await buy({ Standard: 3 }, { code: 'EARLY' })
  const tickets = await ticketsOf(id)
  const used = async () =>
    (await db.read(INSTANCE, tx => tx.one<{ used: number }>('SELECT used FROM codes')))?.used
  const notified = () =>
    db.read(INSTANCE, tx => tx.all('SELECT reference FROM waitlist_entries WHERE notified_at IS NOT NULL'))

  await ask(of(id), { ticketIds: [tickets[1] as string], amount: 4000 })
  assert.deepEqual(await sold(), { Standard: 2 })
  assert.equal(await used(), 2)
  assert.deepEqual(await notified(), [{ reference: 'one' }])
  assert.deepEqual(await linesOf(id), [['confirmed', null]])
  assert.deepEqual(
    (await get(id)).registrations[0]?.attendees.map(({ voided }) => voided),
    [false, true, false],
    'the other codes stay valid',
  )
  assert.ok(!(await webhooks()).includes('registration.cancelled'), 'in part, nothing is told')
  await assert.rejects(ask(of(id), { ticketIds: [tickets[1] as string] }), { code: 'ticket_voided' })
  assert.deepEqual([await sold(), await used()], [{ Standard: 2 }, 2], 'and nothing is given back again')

  const rest = [tickets[0], tickets[2]] as string[]
  await ask(of(id), { ticketIds: rest, amount: 8000 })
  assert.deepEqual(await sold(), { Standard: 0 })
  assert.equal(await used(), 0)
  assert.deepEqual(await linesOf(id), [['refunded', 12000]])
  assert.equal((await get(id)).status, 'cancelled')
  assert.equal((await webhooks()).filter(type => type === 'registration.cancelled').length, 1)
  await settle()
  assert.deepEqual(await balance(of(id)), { paid: 12000, refunded: 12000, disputed: 0, left: 0, fee: 205 })
  assert.deepEqual(await damage(), [])
})

test('the API cancels what is left of a free registration of which a ticket is void: two places, not three', async t => {
  const shop = await openShop(t)
  const { db, accountId, sold, damage, order, get, webhooks } = shop
  const { ask, ticketsOf } = refundsOf(shop)
  const { id } = await order({ Free: 3 }, { method: undefined as never })
  const [first] = await ticketsOf(id)
  await ask(of(id), { ticketIds: [first as string] })
  assert.equal((await sold()).Free, 2)
  const [line] = (await get(id)).registrations
  await db.write(accountId, tx => registrations.cancel(tx, line?.id as string))
  assert.equal((await sold()).Free, 0)
  assert.equal((await webhooks()).filter(type => type === 'registration.cancelled').length, 1)
  assert.deepEqual(await damage(), [])
})

test('a paid registration is not cancelled through the API, whole or in part void', async t => {
  const shop = await openShop(t)
  const { db, accountId, get, buy, damage } = shop
  const { ask, ticketsOf, linesOf } = refundsOf(shop)
  const { id } = await buy({ Standard: 2 })
  const [line] = (await get(id)).registrations
  const cancel = () => db.write(accountId, tx => registrations.cancel(tx, line?.id as string))
  await assert.rejects(cancel(), { code: 'refund_required' })
  await ask(of(id), { ticketIds: [(await ticketsOf(id))[0] as string], amount: 5000 })
  await assert.rejects(cancel(), { code: 'refund_required' })
  assert.deepEqual(await linesOf(id), [['confirmed', null]])
  assert.deepEqual(await damage(), [])
})

test('money goes back as a favour and the tickets stay; tickets become void without money, and their registration is cancelled', async t => {
  const shop = await openShop(t)
  const { buy, sold, damage, mails, webhooks, refundsOf: made } = shop
  const { ask, ticketsOf, linesOf, settle } = refundsOf(shop)
  const { id } = await buy({ Standard: 1, Student: 1 })
  await ask(of(id), { amount: 1000, isNotified: true, note: 'The lift was broken' })
  assert.deepEqual(await linesOf(id), [
    ['confirmed', null],
    ['confirmed', null],
  ])
  assert.deepEqual(await mails(), ['order_confirmed', 'refund'])
  const [refund] = await made(id)
  const parts = Object.values(refund?.tickets ?? {}).sort((one, other) => one - other)
  assert.deepEqual(parts, [286, 714], 'shared out over the prices: 20 and 50')
  const [standard, student] = await ticketsOf(id)
  await ask(of(id), { ticketIds: [student as string], isNotified: true })
  assert.deepEqual(await sold(), { Standard: 1, Student: 0, Free: 0 })
  assert.deepEqual(
    await linesOf(id),
    [
      ['confirmed', null],
      ['refunded', 286],
    ],
    'some of its money had gone back before',
  )
  await ask(of(id), { ticketIds: [standard as string], amount: 0 })
  assert.deepEqual((await linesOf(id))[0], ['refunded', 714])
  await settle()
  assert.equal((await made(id)).length, 1)
  assert.equal((await webhooks()).filter(type => type === 'registration.cancelled').length, 2)
  assert.deepEqual(await mails(), ['order_cancelled', 'order_confirmed', 'refund'])
  assert.deepEqual(await damage(), [])
})

test('what is voided without money is cancelled; it is refunded once money goes back after all, and told of no second time', async t => {
  const shop = await openShop(t)
  const { buy, damage, webhooks } = shop
  const { ask, ticketsOf, linesOf } = refundsOf(shop)
  const { id } = await buy({ Standard: 1 })
  await ask(of(id), { ticketIds: await ticketsOf(id) })
  assert.deepEqual(await linesOf(id), [['cancelled', null]])
  await ask(of(id), { amount: 2000 })
  await ask(of(id), { amount: 3000 })
  assert.deepEqual(await linesOf(id), [['refunded', 5000]])
  assert.equal((await webhooks()).filter(type => type === 'registration.cancelled').length, 1)
  await assert.rejects(ask(of(id), { amount: 1 }), { code: 'refund_too_large', details: { left: 0 } })
  assert.deepEqual(await damage(), [])
})

test('more than is left is refused, and leaves the tickets, the places and the money as they were', async t => {
  const shop = await openShop(t)
  const { buy, sold, damage, ledgerOf, mails, refundsOf: made } = shop
  const { ask, ticketsOf, linesOf, settle } = refundsOf(shop)
  const { id } = await buy({ Standard: 2 })
  const tickets = await ticketsOf(id)
  await ask(of(id), { amount: 3000 })
  const before = [await sold(), await ledgerOf(id), await mails(), await linesOf(id)]
  await assert.rejects(ask(of(id), { ticketIds: tickets, amount: 7001, isNotified: true }), {
    code: 'refund_too_large',
    details: { left: 7000 },
  })
  await assert.rejects(ask(of(id), {}), { code: 'invalid_parameter' })
  assert.deepEqual([await sold(), await ledgerOf(id), await mails(), await linesOf(id)], before)
  assert.equal((await made(id)).length, 1)
  for (const amount of [2500, 2500, 2000]) await ask(of(id), { amount })
  await settle()
  assert.deepEqual(
    (await ledgerOf(id)).filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0),
    -10000,
  )
  await assert.rejects(ask(of(id), { amount: 1 }), { code: 'refund_too_large' })
  assert.deepEqual(await damage(), [])
})

test('of two who ask for all at once, one is refused', async t => {
  const shop = await openShop(t)
  const { buy, damage, ledgerOf, mails } = shop
  const { ask, ticketsOf, linesOf, settle } = refundsOf(shop)
  const { id } = await buy({ Standard: 2 })
  const ticketIds = await ticketsOf(id)
  const outcomes = await Promise.allSettled(
    [0, 1].map(() => ask(of(id), { ticketIds, amount: 10000, isNotified: true })),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await settle()
  assert.equal((await ledgerOf(id)).filter(({ kind }) => kind === 'refund').length, 1)
  assert.deepEqual(await linesOf(id), [['refunded', 10000]])
  assert.equal((await mails()).filter(kind => kind === 'order_cancelled').length, 1)
  assert.deepEqual(await damage(), [])
})

test('an order of another account is not there, nor is a ticket of another order', async t => {
  const shop = await openShop(t)
  const { buy, db, damage } = shop
  const { ask, ticketsOf, linesOf } = refundsOf(shop)
  const [one, other] = [await buy({ Standard: 1 }), await buy({ Standard: 1 })]
  await assert.rejects(ask(of(one.id), { ticketIds: await ticketsOf(other.id), amount: 1 }), {
    code: 'not_found',
  })
  const stranger = { ...shop, accountId: '0197a0b4-4b11-7f3a-a5d2-6e7f8091a2b3' }
  await assert.rejects(refundsOf(stranger).ask(of(one.id), { amount: 1 }), { code: 'not_found' })
  assert.deepEqual(
    [await linesOf(one.id), await linesOf(other.id)],
    [[['confirmed', null]], [['confirmed', null]]],
  )
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT id FROM refunds')), [])
  assert.deepEqual(await damage(), [])
})

test('a refund that failed is owed still: it is not left for another', async t => {
  const shop = await openShop(t)
  const { buy, db, damage } = shop
  const { ask, refundable } = refundsOf(shop)
  const { id } = await buy({ Standard: 1 })
  await ask(of(id), { amount: 3000 })
  await db.write(shop.accountId, tx =>
    tx.run("UPDATE refunds SET status = 'failed', ended_at = created_at, next_look_at = NULL"),
  )
  assert.equal((await refundable(of(id))).left, 2000)
  await assert.rejects(ask(of(id), { amount: 5000 }), { code: 'refund_too_large', details: { left: 2000 } })
  assert.deepEqual(await damage(), [])
})

for (const [currency, price, tax] of [
  ['JPY', 1001, 770],
  ['KWD', 10010, 770],
  ['EUR', 3333, 1900],
] as const) {
  test(`twenty tickets in ${currency}, less a third, with tax, go back in three parts, to the last unit`, async t => {
    const shop = await openShop(t, {
      event: {
        currency,
        registration_types: [{ name: 'Standard', price, capacity: 50, tax_basis_points: tax }],
        codes: [{ code: 'THIRD', percent: 33 }],
      },
    })
    const { buy, damage, refundsOf: made } = shop
    const { ask, ticketsOf, linesOf, balance, settle, refundable } = refundsOf(shop)
    const { id, amount_total: total } = await buy({ Standard: 20 }, { code: 'THIRD' })
    const tickets = await ticketsOf(id)
    const third = Math.floor(total / 3)
    await ask(of(id), { amount: third, ticketIds: tickets.slice(0, 7) })
    await ask(of(id), { amount: third })
    assert.deepEqual(await linesOf(id), [['confirmed', null]])
    await ask(of(id), { amount: total - 2 * third, ticketIds: tickets.slice(7) })
    await settle()
    assert.deepEqual(await linesOf(id), [['refunded', total]])
    const { left, refunded } = await balance(of(id))
    assert.deepEqual([left, refunded], [0, total])
    for (const ticket of (await refundable(of(id))).tickets) assert.equal(ticket.back, ticket.paid)
    for (const { amount, tickets: parts } of await made(id)) {
      assert.equal(
        Object.values(parts ?? {}).reduce((sum, part) => sum + part, 0),
        amount,
      )
    }
    assert.deepEqual(await damage(), [])
  })
}
