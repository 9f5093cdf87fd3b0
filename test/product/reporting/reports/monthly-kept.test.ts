import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { forgetting } from '#product/data-care/forgetting/watch.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { listMonths, readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import { currentTickets } from '#product/selling/orders/exchanged.ts'
import { openShop } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const TYPES = [
  { name: 'Standard', price: 5000, capacity: 20, tax_basis_points: 1900 },
  { name: 'Student', price: 2000, capacity: 20 },
  { name: 'Free', price: 0, capacity: 20 },
  { name: 'Dinner', kind: 'extra', price: 3000, capacity: 20 },
  { name: 'Donation', kind: 'extra', price: 0, capacity: 100, open_price: true },
]

async function open(t: TestContext) {
  const shop = await openShop(t, { event: { registration_types: TYPES } })
  const { db, accountId, clock, get, types } = shop
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  /** Returns the tickets of an order that nothing took the place of, without extras. */
  const ticketsIn = async (orderId: string) => {
    const order = await get(orderId)
    return currentTickets(order).filter(({ line }) => !order.extras.has(line.id))
  }
  /** Exchanges the ticket of an order that is at this place among them. */
  const exchange = async (orderId: string, at: number, type: string, back: number) => {
    const { ticket, line } = (await ticketsIn(orderId))[at] as Awaited<ReturnType<typeof ticketsIn>>[number]
    const typeId = types[type] as string
    const holder = { name: `Holder of ${type}`, email: null }
    await write(tx =>
      exchangeTicket(tx, { registrationId: line.id, ticketId: ticket.id, typeId, holder, back }),
    )
    await shop.reconciler.settle()
  }
  /** Returns the bytes of the report of each month that is over, by month. */
  const reports = async () => {
    const months = await db.read(accountId, tx => listMonths(tx, clock()))
    const over = new Map<string, string>()
    for (const month of months) {
      const report = await readMonthlyReport(db, accountId, month, clock())
      if (report.complete) over.set(month, JSON.stringify(report))
    }
    return over
  }
  return { ...shop, ...refundsOf(shop), write, ticketsIn, exchange, reports }
}

/** The figures of a month, as its report has them. */
function figuresOf(report: string | undefined) {
  const [row] = JSON.parse(report ?? '{}').data
  const { registrations, gross, refunds, check_ins: entered } = row
  return { registrations, gross, refunds, entered }
}

test('past months keep every byte, whatever is exchanged, sold as an extra, paid back and forgotten afterwards', async t => {
  const shop = await open(t)
  const { buy, exchange, reports, ask, ticketsIn, write, clock, db, get } = shop
  const kept = new Map<string, string>()
  /** Checks that the months which were over before are what they were, and keeps those that are over since. */
  const check = async (after: string) => {
    const now = await reports()
    for (const [month, bytes] of kept) assert.equal(now.get(month), bytes, `${month} after ${after}`)
    for (const [month, bytes] of now) kept.set(month, bytes)
  }
  clock.set('2026-11-10T10:00:00Z')
  const first = await buy({ Standard: 2, Student: 1, Dinner: 1 })
  const second = await buy({ Standard: 1, Donation: 1 }, { given: { Donation: 1234 } })
  await exchange(second.id, 0, 'Student', 3000)
  clock.set('2026-12-05T10:00:00Z')
  await check('November')
  assert.deepEqual(figuresOf(kept.get('2026-11')), {
    registrations: 6,
    gross: 21_234,
    refunds: 3000,
    entered: 0,
  })

  await exchange(first.id, 0, 'Student', 3000)
  await check('an exchange for a cheaper ticket')
  await exchange(second.id, 0, 'Free', 2000)
  await check('the exchange of a ticket that was exchanged in November')
  await exchange(first.id, 1, 'Standard', 0)
  await check('an exchange for a dearer ticket')
  await buy({ Student: 1, Dinner: 2 })
  await check('the sale of extras')

  clock.set('2027-01-07T10:00:00Z')
  await check('December')
  const dinner = (await get(first.id)).registrations.find(line => line.registration_type_name === 'Dinner')
  await ask({ orderId: first.id }, { ticketIds: [dinner?.attendees[0]?.id as string], amount: 3000 })
  await shop.reconciler.settle()
  await check('the refund of an extra')
  const [standing] = await ticketsIn(first.id)
  await ask({ orderId: first.id }, { ticketIds: [standing?.ticket.id as string], amount: 1000 })
  await shop.reconciler.settle()
  await check('the refund of a part of a ticket')
  await write(async tx => {
    await registrationTypes.update(tx, shop.eventId, shop.types.Standard as string, { price: 9000 })
  })
  await check('another price')

  clock.set('2027-02-01T10:00:00Z')
  await check('January')
  const ticketId = (await ticketsIn(second.id))[0]?.ticket.id
  await write(tx => checkIns.create(tx, { attendee_id: ticketId as string }))
  await check('a check-in')

  await write(tx => accounts.update(tx, { forget_after_days: 30 }))
  const log = openLog('error', { write: line => assert.fail(line) })
  const night = () => forgetting({ db, clock, log }).look()
  clock.set('2027-02-28T10:00:00Z')
  await night()
  clock.set('2027-03-10T10:00:00Z')
  await check('February')
  await night()
  assert.equal((await get(first.id)).buyer.email, ERASED_EMAIL, 'they are forgotten')
  await check('the forgetting')
  assert.deepEqual([...kept.keys()].sort(), ['2026-11', '2026-12', '2027-01', '2027-02'])
  const all = ['2026-11', '2026-12', '2027-01', '2027-02'].map(month => figuresOf(kept.get(month)))
  assert.deepEqual(
    all.map(({ refunds }) => refunds),
    [3000, 5000, 4000, 0],
  )
  assert.equal(all[3]?.entered, 1)
  assert.deepEqual(await shop.damage(), [])
})
