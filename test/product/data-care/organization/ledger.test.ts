import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Problem } from '#base/problem.ts'
import { DAY, toIso } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { findByReference, markPaid } from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { listByOrder as listReceipts } from '#product/selling/receipts/rules.ts'
import { addBank } from '#test/support/banked.ts'
import { collectOrganization } from '#test/support/organization.ts'
import { openShop } from '#test/support/payments.ts'
import { open } from './open.ts'

/** Makes a shop that has sold in every way, with what goes along with that. */
async function sell(t: TestContext) {
  const shop = await openShop(t, { changes: { payment_ways: 'set_up_and_door' } })
  const { db, accountId, clock, order, act, buy, reconciler, paymentsOf } = shop
  await addBank({ db, clock, accountId })
  const plain = await buy({ Standard: 2, Free: 1 })
  const refunded = await buy({ Standard: 1, Student: 1 })
  clock.advance(DAY)
  const details = await shop.get(refunded.id)
  const ticketIds = details.registrations[0]?.attendees.map(({ id }) => id) as string[]
  const refund = {
    ticketIds,
    amount: 1234,
    reason: 'organizer',
    note: 'secret note',
    isNotified: false,
  } as const
  await db.write(accountId, tx => refundOrder(tx, { orderId: refunded.id, ...refund }))
  await reconciler.settle()
  const parts = await order({ Standard: 1 }, { method: 'transfer' })
  const [payment] = await paymentsOf(parts.id)
  for (const [entryId, amount] of [
    ['line-1', 3000],
    ['line-2', 2000],
  ] as const)
    await db.write(accountId, tx =>
      settle(tx, payment?.id as string, {
        ...{ entryId, amount, currency: 'EUR', at: clock(), fee: 0, method: 'transfer' },
      }),
    )
  const door = await order({ Student: 1 }, { method: 'door' })
  const [cash] = await paymentsOf(door.id)
  await db.write(accountId, tx => markPaid(tx, cash?.id as string))
  // This payment came to nothing.
  const late = await order({ Student: 1 })
  await reconciler.settle()
  await act(late.id, 'pay')
  await db.write(accountId, tx => orders.fail(tx, late.id, 'withdrawn'))
  await reconciler.settle()
  const open = await order({ Student: 1 }, { method: 'transfer' })
  return { ...shop, plain, refunded, parts, door, late, open }
}

type Db = Awaited<ReturnType<typeof open>>['db']

const textOf = async ({ db }: { db: Db }, accountId: string) =>
  JSON.stringify(await db.read(accountId, tx => collectOrganization(tx)))

/** Returns the reports of the months, without the ids, which are new in a copy. */
async function monthlyOf(db: Db, accountId: string, now: number): Promise<string> {
  const reports = await Promise.all(
    ['2026-11', '2026-12', '2027-02'].map(month => readMonthlyReport(db, accountId, month, now)),
  )
  return JSON.stringify(reports).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
}

async function movedOf({ db }: Pick<Awaited<ReturnType<typeof open>>, 'db'>) {
  return db.read(INSTANCE, tx =>
    tx.all(
      `SELECT o.reference, l.kind, l.entry_id, l.method, l.amount, l.currency, l.moved_at FROM ledger_entries l
       JOIN orders o ON o.id = l.order_id ORDER BY o.reference, l.kind, l.entry_id`,
    ),
  )
}

test('money of orders is exported, and applied exactly as it was: the copy exports the same, and check finds nothing', async t => {
  const shop = await sell(t)
  const text = await textOf(shop, shop.accountId)
  const [event] = JSON.parse(text).events
  const orderOf = (id: { reference: string }) =>
    event.orders.find(({ reference }: { reference: string }) => reference === id.reference)
  assert.deepEqual(
    orderOf(shop.refunded)
      .ledger.map(({ kind, amount, method }: Item) => [kind, amount, method])
      .sort(),
    [
      ['fee', 130, 'test'],
      ['payment', 7000, 'test'],
      ['refund', 1234, 'test'],
    ],
  )
  assert.equal(orderOf(shop.late).status, 'failed')
  assert.equal(orderOf(shop.late).ledger.length, 3)
  assert.equal(orderOf(shop.open).ledger, undefined)
  for (const secret of ['secret note', 'session', 'http://', 'charge_id', 'RF'])
    assert.ok(!JSON.stringify(event.orders).includes(secret), secret)

  const copy = await open(t)
  copy.clock.set(toIso(shop.clock()))
  const applied = await copy.apply(JSON.parse(text))
  assert.deepEqual(await movedOf(copy), await movedOf(shop))
  assert.deepEqual(await findDamage(copy.db), [])
  assert.equal(await textOf(copy, applied.account_id), text)
  assert.deepEqual([await copy.count('payments'), await copy.count('refunds')], [0, 0])
  const again = await copy.apply(JSON.parse(text))
  assert.deepEqual([again.created, again.updated], [0, 0])
})

interface Item {
  kind: string
  amount: number
  method: string
}

test('an order that was paid in part keeps its payment in a copy: the rest comes under the same reference', async t => {
  const shop = await sell(t)
  const { db, accountId, clock, order, paymentsOf } = shop
  const bought = await order({ Standard: 1 }, { method: 'transfer' })
  const [open_] = await paymentsOf(bought.id)
  const came = (accountId: string, db: Db, payment: string, entryId: string, amount: number) =>
    db.write(accountId, tx =>
      settle(tx, payment, {
        ...{ entryId, amount, currency: 'EUR', at: clock(), fee: 0, method: 'transfer' },
      }),
    )
  await came(accountId, db, open_?.id as string, 'part-1', 1500)
  const text = await textOf(shop, accountId)
  const file = JSON.parse(text)
  const at = file.events[0].orders.findIndex((each: { payment?: object }) => each.payment !== undefined)
  const { reference, created_at } = open_ as NonNullable<typeof open_>
  assert.deepEqual(file.events[0].orders[at].payment, {
    ...{ method: 'transfer', reference, amount: 5000, came: ['part-1'], created_at },
  })
  const copy = await open(t)
  copy.clock.set(toIso(clock()))
  const { account_id: id } = await copy.apply(JSON.parse(text))
  assert.equal(await textOf(copy, id), text)
  assert.deepEqual(await findDamage(copy.db), [])
  const again = await copy.apply(JSON.parse(text))
  assert.deepEqual([again.created, again.updated, again.differences], [0, 0, []])
  const found = await copy.db.read(id, tx => findByReference(tx, reference as string))
  assert.deepEqual([found?.received, found?.trouble, found?.status], [1500, 'partly_paid', 'pending'])
  assert.equal(await came(id, copy.db, found?.id as string, 'part-2', 3500), 'confirmed')
  const { status } = await copy.db.read(id, tx => orders.get(tx, found?.order_id as string))
  const [receipt] = await copy.db.read(id, tx => listReceipts(tx, found?.order_id as string))
  assert.deepEqual([status, receipt?.total], ['confirmed', 5000])
  assert.deepEqual(await findDamage(copy.db), [])

  const refused: [changes: object, fault: RegExp][] = [
    [{ came: ['part-9'] }, /orders\.\d+\.payment\.came contradicts ledger/],
    [{ came: [] }, /payment\.came must be an array of 1 to 1000 items/],
    [{ reference: null }, /payment\.reference contradicts method/],
    [{ method: 'stripe' }, /payment\.reference contradicts method/],
  ]
  for (const [changes, fault] of refused) {
    const changed = JSON.parse(text)
    Object.assign(changed.events[0].orders[at].payment, changes)
    await assert.rejects(async () => await (await open(t)).apply(changed), fault)
  }
  const confirmed = JSON.parse(text)
  const other = confirmed.events[0].orders.find((each: { status: string }) => each.status === 'confirmed')
  other.payment = confirmed.events[0].orders[at].payment
  await assert.rejects(
    async () => await (await open(t)).apply(confirmed),
    /payment does not apply to an order that is confirmed/,
  )
})

test('the monthly reports of a copy are the same, byte for byte', async t => {
  const shop = await sell(t)
  const copy = await open(t)
  copy.clock.set(toIso(shop.clock()))
  const { account_id: accountId } = await copy.apply(JSON.parse(await textOf(shop, shop.accountId)))
  const now = Date.parse('2027-03-01T12:00:00Z')
  const was = await monthlyOf(shop.db, shop.accountId, now)
  assert.match(was, /"refunds":\d*[1-9]/)
  assert.equal(await monthlyOf(copy.db, accountId, now), was)
})

test('a copy pays back by what the money came by, and no more than is left', async t => {
  const shop = await sell(t)
  const copy = await open(t)
  copy.clock.set(toIso(shop.clock()))
  const { account_id: accountId, events } = await copy.apply(JSON.parse(await textOf(shop, shop.accountId)))
  const eventId = events['spring-meeting']?.id as string
  const find = async (reference: string) =>
    (await copy.db.read(accountId, tx => orders.findByReference(tx, eventId, reference)))?.id as string
  const refund = (orderId: string, amount: number) =>
    copy.db.write(accountId, tx =>
      refunds.request(tx, { orderId, eventId, currency: 'EUR', amount, reason: 'organizer' }),
    )
  const refunded = await find(shop.refunded.reference)
  assert.equal(await copy.db.read(accountId, tx => refunds.leftOf(tx, refunded)), 7000 - 1234)
  await assert.rejects(refund(refunded, 7000), { code: 'refund_too_large' })
  const [back] = await refund(refunded, 100)
  assert.deepEqual([back?.method, back?.is_by_hand], ['test', false])
  const [payment] = (await copy.db.read(accountId, tx => ledger.list(tx, { orderId: refunded }))).filter(
    ({ kind }) => kind === 'payment',
  )
  const row = await copy.db.read(INSTANCE, tx =>
    tx.one<{ charge_id: string }>('SELECT charge_id FROM refunds WHERE id = $1', [back?.id as string]),
  )
  assert.equal(row?.charge_id, payment?.entry_id)
  const parts = await find(shop.parts.reference)
  assert.deepEqual(
    (await refund(parts, 5000)).map(({ amount, is_by_hand }) => [amount, is_by_hand]),
    [[5000, true]],
  )
})

test('money that is of another order already, there twice, too much or none at all is refused by its path', async t => {
  const shop = await sell(t)
  const text = await textOf(shop, shop.accountId)
  const tampered = (change: (paid: { reference: string; ledger: Record<string, unknown>[] }[]) => void) => {
    const file = JSON.parse(text)
    const paid = file.events[0].orders.filter(
      ({ ledger: money }: { ledger?: unknown }) => money !== undefined,
    )
    change(paid)
    return file
  }
  const refused = async (file: object, sentence: RegExp, given?: Awaited<ReturnType<typeof open>>) => {
    const copy = given ?? (await open(t))
    await assert.rejects(
      async () => copy.apply(file),
      error => {
        assert.match(JSON.stringify((error as Problem).details), sentence)
        return true
      },
    )
  }
  await refused(
    tampered(([one, two]) => two?.ledger.push({ ...one?.ledger[0] })),
    /ledger\.\d+\.id is there twice/,
  )
  await refused(
    tampered(([one]) =>
      one?.ledger.push({ kind: 'refund', id: 'x', amount: 99_999, method: 'test', at: toIso(0) }),
    ),
    /ledger is more than what was paid/,
  )
  await refused(
    tampered(([one]) => {
      if (one) one.ledger = one.ledger.filter(({ kind }) => kind !== 'payment')
    }),
    /ledger is required of an order that is confirmed/,
  )
  await refused(
    tampered(([one]) => one?.ledger.push({ kind: 'fee', id: 'x', amount: 5, method: 'test', at: toIso(0) })),
    /ledger is not the \d+ that the registrations come to/,
  )
  for (const [field, value] of [
    ['kind', 'gift'],
    ['amount', -1],
    ['method', 'paypal'],
    ['at', 'now'],
    ['id', ''],
  ] as const)
    await refused(
      tampered(([one]) => Object.assign(one?.ledger[0] ?? {}, { [field]: value })),
      new RegExp(`ledger\\.0\\.${field} `),
    )
  const shared = await open(t)
  shared.clock.set(toIso(shop.clock()))
  await shared.apply(JSON.parse(text))
  const was = await shared.count('orders')
  const moved = JSON.parse(text.replaceAll('spring-meeting', 'other-meeting'))
  await refused(moved, /ledger\.0\.id is of another order already/, shared)
  assert.equal(await shared.count('orders'), was)
})
