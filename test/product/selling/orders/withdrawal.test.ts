import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { withdraw, withdrawableUntil } from '#product/selling/orders/withdrawal.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { orderFree, startTicketMail, subjectsOf } from '#test/support/ticket-mail.ts'

/** Starts with an event without a date, unless `changes` set one. */
async function start(t: TestContext, changes: EventChanges = {}) {
  const server = await startWithOrganization(t, organization({ event: { starts_at: null, ends_at: null } }))
  const { db, applied, clock, eventId, types } = server
  const of = { accountId: applied.account_id, eventId, typeId: types.Free as string }
  clock.set('2026-11-21T22:30:00.000Z')
  await db.write(of.accountId, tx => events.update(tx, eventId, { withdrawal_excluded: false, ...changes }))
  const mail = await startTicketMail(t, db, clock)
  const order = await orderFree(db, of, 'Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
  ])
  await mail.take()
  const event = () => db.read(of.accountId, tx => events.getDetails(tx, eventId))
  const withdrawNow = async () => {
    const details = await event()
    return db.write(of.accountId, tx => withdraw(tx, order.id, details))
  }
  const until = async () => {
    const details = await event()
    const at = withdrawableUntil(await db.read(of.accountId, tx => orders.get(tx, order.id)), details)
    return at === undefined ? undefined : new Date(at).toISOString()
  }
  return { ...server, ...of, mail, order, withdrawNow, until }
}

test('a buyer may withdraw until the end of the fourteenth day after that of the order, by the clocks of the event', async t => {
  const { clock, until, withdrawNow, order, mail } = await start(t)
  // The order was made at 23:30 of the 21st in Madrid, so the 5th of December is the fourteenth day.
  assert.equal(await until(), '2026-12-05T23:00:00.000Z')
  clock.set('2026-12-05T22:59:59.999Z')
  assert.equal((await withdrawNow()).status, 'cancelled')
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', 'Your ticket for Spring Meeting is cancelled'],
    ['grace@example.org', 'Your withdrawal: Spring Meeting'],
  ])
  const [, grace] = mails
  assert.match(
    grace?.parsed.text ?? '',
    new RegExp(`On 5 Dec 2026, 23:59 \\(Europe/Madrid\\) we received your withdrawal .*${order.reference}`),
  )
  // A second withdrawal ends nothing, and mails nobody.
  await assert.rejects(withdrawNow(), { code: 'order_ended' })
  assert.deepEqual(subjectsOf(await mail.take()), [])
})

test('nobody withdraws after that, once the event begins, or where it is excluded; nothing changes by it', async t => {
  const late = await start(t)
  late.clock.set('2026-12-05T23:00:00.000Z')
  const begun = await start(t, { starts_at: Date.parse('2026-11-30T09:00:00Z') })
  assert.equal(await begun.until(), '2026-11-30T09:00:00.000Z')
  begun.clock.set('2026-11-30T09:00:00.000Z')
  const excluded = await start(t, { withdrawal_excluded: true })
  assert.equal(await excluded.until(), undefined)
  for (const { withdrawNow, db, accountId, order, mail } of [late, begun, excluded]) {
    await assert.rejects(withdrawNow(), { code: 'too_late' })
    assert.equal((await db.read(accountId, tx => orders.get(tx, order.id))).status, 'confirmed')
    assert.deepEqual(subjectsOf(await mail.take()), [])
  }
})

test('the fourteenth day is one of the calendar, also where the clocks go back meanwhile', async t => {
  const { clock, db, accountId, eventId, typeId } = await start(t)
  // The order was made at 00:30 of the 18th of October in Madrid: on the 31st the clocks go back, and the 1st of November is the
  // fourteenth day.
  clock.set('2027-10-17T22:30:00.000Z')
  const order = await orderFree(db, { accountId, eventId, typeId }, 'Heidi')
  const event = await db.read(accountId, tx => events.getDetails(tx, eventId))
  const last = withdrawableUntil(await db.read(accountId, tx => orders.get(tx, order.id)), event)
  assert.equal(new Date(last as number).toISOString(), '2027-11-01T23:00:00.000Z')
})
