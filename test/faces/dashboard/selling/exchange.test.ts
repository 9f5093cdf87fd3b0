import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ERASED_EMAIL } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

/** Starts with an order of two standard tickets for 25 each, and a free one. */
async function start(t: TestContext, file = ordered()) {
  const server = await startDashboard(t, file)
  const { db, eventId } = server
  const found = await db.read(INSTANCE, tx =>
    tx.one<{ id: string; order_id: string }>("SELECT id, order_id FROM registrations WHERE reference = 'a'"),
  )
  const path = `/manage/e/${eventId}`
  const lines = () =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ name: string; status: string; good: number; amount_total: number }>(
        `SELECT t.name, r.status, r.amount_total, (SELECT count(*) FROM attendees a WHERE a.registration_id = r.id
           AND a.voided = 0) AS good FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
         WHERE r.order_id = $1 ORDER BY r.created_at, r.id`,
        [found?.order_id as string],
      )
      return rows.map(({ name, status, good, amount_total }) => `${name} ${status} ${good} ${amount_total}`)
    })
  const guestPath = `${path}/guests/${found?.id}`
  const orderPath = `${path}/orders/${found?.order_id}`
  return { ...server, path, guestPath, orderPath, lines }
}

test('a manager exchanges a ticket: chooses the type, sees what it comes to, and is led to the new one', async t => {
  const { member, guestPath, orderPath, lines, db } = await start(t)
  const manager = await member('manager')
  const choose = await (await manager.open(guestPath)).follow('Exchange…')
  assert.match(choose.text, /Standard, €50\.00, as now/)
  assert.match(choose.text, /Free, Free, \d+ left/)
  const confirm = await choose.fill({ 'Free, Free': true }).press('Continue')
  assert.match(confirm.text, /It costs €0\.00, and €25\.00 was paid\./)
  assert.match(confirm.text, /A place of Standard becomes free/)
  assert.equal(confirm.field('Give back the difference of €25.00').checked, true)
  const wrong = await confirm.fill({ 'E-mail, if not the buyer’s': 'nonsense' }).press('Exchange the ticket')
  assert.equal(wrong.status, 422)
  const done = await wrong
    .fill({ 'Name on the ticket': 'Mary', 'E-mail, if not the buyer’s': 'mary@example.org' })
    .press('Exchange the ticket')
  assert.match(done.text, /Now pay the money back/)
  assert.match(done.text, /In place of an exchanged ticket/)
  assert.match(done.text, /Mary/)
  assert.deepEqual(await lines(), ['Standard confirmed 1 5000', 'Free confirmed 1 0', 'Free confirmed 1 0'])
  const former = await done.follow('The exchanged ticket')
  assert.equal((await former.follow('The new ticket')).status, 200)
  assert.match((await manager.open(orderPath)).text, /In place of an exchanged ticket/)
  assert.match(former.text, /What happened.*Exchanged a ticket.*by Person manager/)
  assert.doesNotMatch(former.text, /registration\.exchange/)
  const log = await db.read(INSTANCE, tx =>
    tx.one<{ details: string }>("SELECT details FROM access_log WHERE action = 'registration.exchange'"),
  )
  assert.doesNotMatch(log?.details ?? '', /Mary|mary/)
  assert.deepEqual(await findDamage(db), [])
})

test('what two members see at once is done once; a full type is refused in words, with what was typed', async t => {
  const { member, guestPath, db } = await start(t)
  const manager = await member('manager')
  const open = async () =>
    (await (await manager.open(guestPath)).follow('Exchange…')).fill({ 'Free, Free': true }).press('Continue')
  const [one, other] = [await open(), await open()]
  await db.write(INSTANCE, tx => tx.run("UPDATE registration_types SET capacity = sold WHERE name = 'Free'"))
  const full = await one.fill({ 'Name on the ticket': 'Mary' }).press('Exchange the ticket')
  assert.equal(full.status, 409)
  assert.equal(full.field('Name on the ticket').value, 'Mary')
  await db.write(INSTANCE, tx =>
    tx.run("UPDATE registration_types SET capacity = sold + 1 WHERE name = 'Free'"),
  )
  assert.equal((await full.press('Exchange the ticket')).status, 200)
  const late = await other.press('Exchange the ticket')
  assert.equal(late.status, 409)
})

test('those who may not change guests find no way to it', async t => {
  const { member, guestPath, db } = await start(t)
  const finance = await member('finance')
  const page = await finance.open(guestPath)
  assert.doesNotMatch(page.text, /Exchange…/)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>(
      "SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id WHERE r.reference = 'a'",
    ),
  )
  assert.equal((await finance.open(`${guestPath}/tickets/${row?.id}/exchange`)).status, 403)
})

/** An order of a ticket and a dinner beside it. */
const withDinner = () => {
  const buyer = { name: 'Ada', email: 'ada@example.org' }
  const at = { created_at: '2026-11-01T10:00:00.000Z', confirmed_at: '2026-11-01T10:00:00.000Z' }
  const line = (reference: string, registration_type: string) =>
    registration(reference, {
      ...{ order: 'TWO', registration_type, buyer, ...at, amount_subtotal: 0, amount_total: 0 },
      attendees: [{ name: 'Ada', price: 0, discount: 0, tax: 0 }],
    })
  return ordered({
    orders: [{ reference: 'TWO', buyer, status: 'confirmed', ...at }],
    registrations: [line('a', 'Free'), line('b', 'Dinner')],
    event: {
      codes: [],
      registration_types: [
        { name: 'Free', price: 0, capacity: 10 },
        { name: 'Dinner', kind: 'extra', price: 0, capacity: 10 },
      ],
    },
  })
}

test('the page of an order leads to the exchange of its ticket, of no extra, and of nobody who is erased', async t => {
  const { member, orderPath, db } = await start(t, withDinner())
  const manager = await member('manager')
  const linksOn = async () =>
    [...(await manager.open(orderPath)).document.querySelectorAll('a[href$="/exchange"]')].map(link =>
      link.getAttribute('href'),
    )
  const [link, ...others] = await linksOn()
  assert.deepEqual(others, [])
  assert.equal((await manager.open(link as string)).status, 200)
  await db.write(INSTANCE, tx =>
    tx.run("UPDATE registrations SET buyer_email = $1, erased_at = 1 WHERE reference = 'a'", [ERASED_EMAIL]),
  )
  assert.deepEqual(await linksOn(), [])
})
