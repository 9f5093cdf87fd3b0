import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { forecastRefunds, refundEvent, startRefunds } from '#product/selling/event-cancellation/event.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { registration } from '#test/support/organization.ts'
import { openShop, type Shop } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const FILE = {
  registrations: [
    registration('paid', { amount_total: 5000, created_at: '2026-11-01T10:00:00Z' }),
    registration('free', { registration_type: 'Free', created_at: '2026-11-01T10:00:00Z' }),
  ],
}

async function open(t: TestContext) {
  const shop = await openShop(t, { event: FILE })
  const { buy, order, reconciler, db, accountId, eventId } = shop
  const paid = [await buy({ Standard: 2 }), await buy({ Standard: 1, Free: 1 }), await buy({ Student: 1 })]
  const free = await order({ Free: 2 }, { method: undefined as never })
  const waiting = await order({ Student: 1 })
  await reconciler.settle()
  const forecast = () => forecastRefunds(db, accountId, eventId)
  const cancel = () => db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  const start = async () => {
    const { count: total } = await forecast()
    return db.write(accountId, tx => startRefunds(tx, eventId, { isNotified: true, total, by: 'user:ada' }))
  }
  return { ...shop, ...refundsOf(shop), made: shop.refundsOf, paid, free, waiting, forecast, cancel, start }
}

/** Does one batch of the job, as a server does that may be killed after it. @returns whether it was the last */
async function batch({ db, accountId }: Shop, id: string, isKilled = false): Promise<boolean> {
  try {
    return await db.write(accountId, async tx => {
      const claimed = await jobs.claim(tx, id, null)
      assert.ok(claimed)
      const actor = { accountId, who: 'user:ada', requestId: null, address: null }
      const step = await refundEvent.run(tx, claimed.job, actor)
      if (isKilled) throw new Error('killed')
      await jobs.advance(tx, claimed.job, step)
      return step.finished
    })
  } catch (error) {
    if ((error as Error).message === 'killed') return false
    throw error
  }
}

test('everybody of a cancelled event is paid back, once, though the job is killed after each of its steps', async t => {
  const shop = await open(t)
  const {
    db,
    forecast,
    cancel,
    start,
    made,
    paid,
    waiting,
    free,
    linesOf,
    sold,
    clock,
    settle,
    damage,
    get,
  } = shop
  assert.deepEqual(await forecast(), { count: 7, amount: 22_000 })
  await cancel()
  const { id, total } = await start()
  assert.equal(total, 7)
  for (let isOver = false, rounds = 0; !isOver; rounds++) {
    assert.ok(rounds < 50, 'it goes on')
    await batch(shop, id, true)
    clock.advance(HOUR)
    isOver = await batch(shop, id)
    clock.advance(HOUR)
  }
  const job = await db.read(shop.accountId, tx => jobs.get(tx, id))
  assert.deepEqual([job.state, job.done], ['done', 7])
  assert.deepEqual(job.outcome, { refunded: 4, cancelled: 3, tickets: 9, by_hand: 1 })
  await settle()
  for (const order of paid) {
    assert.deepEqual(
      (await made(order.id)).map(({ amount, reason, status }) => [amount, reason, status]),
      [[order.amount_total, 'event_cancelled', 'done']],
    )
    assert.equal((await get(order.id)).status, 'cancelled')
  }
  assert.deepEqual(await linesOf(free.id), [['cancelled', null]])
  assert.equal((await get(waiting.id)).failed_for, 'cancelled')
  const owed = await db.read(INSTANCE, tx =>
    tx.all("SELECT amount, method FROM refunds WHERE status = 'requested'"),
  )
  assert.deepEqual(owed, [{ amount: 5000, method: 'recorded' }], 'what a file brought is owed by hand')
  assert.deepEqual(await sold(), { Standard: 0, Student: 0, Free: 0 })
  const sent = await shop.mails()
  assert.equal(sent.filter(kind => kind === 'refund').length, 3)
  assert.equal(sent.filter(kind => kind === 'order_cancelled').length, 1, 'who had not paid yet')
  const gone = (await shop.webhooks()).filter(type => type === 'registration.cancelled')
  assert.equal(gone.length, 7, 'one for each that was confirmed')
  assert.deepEqual(await forecast(), { count: 0, amount: 0 })
  assert.deepEqual(await damage(), [])
})

test('what the page says comes to what each order and registration says, with refunds, disputes and parts on it', async t => {
  const shop = await open(t)
  const { db, accountId, eventId, paid, forecast, clock, settle } = shop
  const [first, second, third] = paid as [(typeof paid)[0], (typeof paid)[0], (typeof paid)[0]]
  const move = (id: string, kind: 'dispute' | 'refund' | 'payment', amount: number, entryId: string) =>
    db.write(accountId, tx =>
      ledger.record(tx, {
        ...{ eventId, of: { orderId: id }, kind, entryId, amount, currency: 'EUR', at: clock() },
        method: 'transfer',
      }),
    )
  await db.write(accountId, tx =>
    refunds.request(tx, {
      ...{ orderId: first.id, eventId, currency: 'EUR', amount: 1234, reason: 'organizer', note: null },
    }),
  )
  await settle()
  await move(second.id, 'dispute', 700, 'dp_1')
  await move(third.id, 'payment', 300, 'part-2')
  await move(third.id, 'payment', 400, 'part-1')
  await move(third.id, 'refund', 50, 're_there')
  const subjects = await db.read(INSTANCE, async tx => [
    ...(await tx.all<{ orderId: string }>(`SELECT id AS "orderId" FROM orders WHERE status = 'confirmed'`)),
    ...(await tx.all<{ registrationId: string }>(
      `SELECT id AS "registrationId" FROM registrations WHERE order_id IS NULL AND status = 'confirmed'`,
    )),
  ])
  let sum = 0
  for (const of of subjects) sum += (await db.read(accountId, tx => readRefundable(tx, of))).left
  assert.equal(subjects.length, 6)
  assert.deepEqual(await forecast(), { count: 7, amount: sum })
  assert.ok(sum < 22_000 + 700 && sum !== 22_000)
})

test('a session that is paid after the event was cancelled is paid back whole', async t => {
  const shop = await open(t)
  const { cancel, start, act, waiting, made, settle, clock, damage } = shop
  await cancel()
  const { id } = await start()
  while (!(await batch(shop, id))) clock.advance(HOUR / 60)
  await act(waiting.id, 'pay')
  await settle()
  clock.advance(HOUR)
  await settle()
  assert.deepEqual(
    (await made(waiting.id)).map(({ amount, status }) => [amount, status]),
    [[2000, 'done']],
  )
  assert.deepEqual(await damage(), [])
})

test('a job of an event that was opened again pays nobody back', async t => {
  const shop = await open(t)
  const { db, accountId, eventId, cancel, start, made, paid, damage } = shop
  await cancel()
  const { id } = await start()
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'published'))
  await assert.rejects(batch(shop, id), { code: 'invalid_transition' })
  for (const order of paid) assert.deepEqual(await made(order.id), [])
  assert.deepEqual(await damage(), [])
})

test('what was paid back in part before, and is disputed or void, goes back only as far as it is left', async t => {
  const shop = await open(t)
  const { ask, ticketsOf, paid, cancel, start, made, forecast, clock, settle, balance, damage } = shop
  const [first] = paid
  const id = first?.id as string
  const [ticket] = await ticketsOf(id)
  await ask({ orderId: id }, { ticketIds: [ticket as string], amount: 3000 })
  assert.equal((await forecast()).amount, 19_000)
  await cancel()
  const job = await start()
  while (!(await batch(shop, job.id))) clock.advance(HOUR / 60)
  await settle()
  assert.deepEqual(
    (await made(id)).map(({ amount }) => amount),
    [3000, 7000],
  )
  assert.equal((await balance({ orderId: id })).left, 0)
  assert.deepEqual(await damage(), [])
})
