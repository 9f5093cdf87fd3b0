import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { names, startSale } from '#test/support/people/sale.ts'

const [LONG] = names
const types = [
  { name: 'Guest', price: 0, capacity: 100 },
  { name: 'Dinner', kind: 'extra', price: 0, capacity: 9 },
  { name: LONG, kind: 'extra', price: 0, capacity: 9 },
]

async function start(t: TestContext) {
  const sale = await startSale(t, { registration_types: types, codes: [] }, { terms: null })
  const order = await sale.take({ Guest: ['Grace', 'Ada'], Dinner: ['', ''], [LONG]: [''] })
  const lines = () =>
    sale.db.read(INSTANCE, tx =>
      tx.all<{ id: string; name: string; status: string }>(
        `SELECT r.id, t.name, r.status FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
         WHERE r.order_id = $1 ORDER BY r.created_at, r.id`,
        [order.id],
      ),
    )
  const statesOf = async () => (await lines()).map(({ status }) => status)
  const [guest, dinner, single] = await lines()
  const path = (id: string | undefined) => `/manage/e/${sale.eventId}/guests/${id}`
  return { ...sale, order, guest, dinner, single, path, statesOf }
}

test('whoever cancels a guest is told which extras of the order stay, and led to where each is cancelled', async t => {
  const { member, guest, dinner, path, statesOf } = await start(t)
  const manager = await member('manager')
  const ask = await (await manager.open(path(guest?.id))).follow('Cancel…')
  assert.match(
    ask.text,
    /What was taken beside it stays, and is still handed out\. Where that goes too, open it/,
  )
  const stays = [...ask.document.querySelectorAll('.will a')].map(({ textContent }) => textContent)
  assert.deepEqual(stays, ['2 × Dinner', `1 × ${LONG}`])
  const done = await ask.press('Cancel the registration')
  assert.deepEqual(await statesOf(), ['cancelled', 'confirmed', 'confirmed'], done.text)
  // The page of an extra says nothing of what is beside it.
  const extra = await (await manager.open(path(dinner?.id))).follow('Cancel…')
  assert.equal(extra.document.querySelector('.will a'), null)
  await extra.press('Cancel the registration')
  assert.deepEqual(await statesOf(), ['cancelled', 'cancelled', 'confirmed'])
})

test('an extra of a guest is handed out, which can be undone at once, and is not said to have come', async t => {
  const { member, guest, single, path, db, accountId, eventId, clock } = await start(t)
  await db.write(accountId, tx => events.update(tx, eventId, { starts_at: clock(), ends_at: null }))
  const manager = await member('manager')
  assert.match((await manager.open(path(guest?.id))).text, /Not here yet.*Check in/s)
  const page = await manager.open(path(single?.id))
  assert.match(page.text, /Not handed out yet.*Hand out/s)
  assert.doesNotMatch(page.text, /Not here yet|Check in/)
  const done = await page.press('Hand out')
  assert.match(done.text, /It is handed out\..*Handed out/s)
  assert.doesNotMatch(done.text, /is checked in/)
  assert.doesNotMatch((await done.press('Undo')).text, /\bHanded out/)
})

test('what becomes of the extras has to be what the page has said', async t => {
  const { member, guest, dinner, path, statesOf } = await start(t)
  const manager = await member('manager')
  const ask = await (await manager.open(path(guest?.id))).follow('Cancel…')
  await (await (await manager.open(path(dinner?.id))).follow('Cancel…')).press('Cancel the registration')
  const again = await ask.press('Cancel the registration')
  assert.deepEqual(await statesOf(), ['confirmed', 'cancelled', 'confirmed'], again.text)
  const stays = [...again.document.querySelectorAll('.will a')].map(({ textContent }) => textContent)
  assert.deepEqual(stays, [`1 × ${LONG}`])
})

test('whoever refunds a ticket is told which extras stay, but not if they go as well, and not of extras alone', async t => {
  const { member, order, eventId } = await start(t)
  const finance = await member('finance')
  const ask = async (ticked: RegExp) => {
    const form = await finance.open(`/manage/e/${eventId}/orders/${order.id}/refund`)
    for (const box of form.document.querySelectorAll<HTMLInputElement>('input[name=ticket]'))
      box.checked = ticked.test(box.closest('label')?.textContent ?? '')
    return (await form.press('Continue')).text
  }
  const STAYS = /What was taken beside them stays, and is still handed out: 2 × Dinner, 1 × /
  assert.match(await ask(/Guest/), STAYS)
  assert.match(await ask(/Guest|Dinner/), /still handed out: 1 × /)
  assert.doesNotMatch(await ask(/./), /still handed out/)
  assert.doesNotMatch(await ask(/Dinner/), /still handed out/)
})

test('a buyer who gives up an order is told which extras go, in both languages, and how to give up what was left', async t => {
  const { visitor, pathOf, order, member, guest, path, db, eventId, accountId } = await start(t)
  await db.write(accountId, tx =>
    tx.run('UPDATE events SET cancel_until = $1 WHERE id = $2', [
      Date.parse('2026-11-30T00:00:00Z'),
      eventId,
    ]),
  )
  const page = pathOf(order)
  const ask = await visitor().open(`${page}/cancel`)
  assert.match(ask.text, /2 tickets become void\.\s*3 extras are cancelled: 2 × Dinner, 1 × /)
  const spanish = await visitor().open(`${page}/cancel?lang=es`)
  assert.match(spanish.text, /3 extras se cancelan: 2 × Dinner, 1 × /)
  const manager = await member('manager')
  await (await (await manager.open(path(guest?.id))).follow('Cancel…')).press('Cancel the registration')
  const left = await visitor().open(page)
  assert.match(left.text, /Your tickets are cancelled[\s\S]*“Cancel the order…” below gives it up\./)
  const end = await left.follow('Cancel the order…')
  assert.doesNotMatch(end.text, /become void/)
  assert.match(end.text, /3 extras are cancelled: 2 × Dinner/)
  // Once it is too late, the page says whom to ask.
  await db.write(accountId, tx => tx.run('UPDATE events SET cancel_until = NULL WHERE id = $1', [eventId]))
  const late = await visitor().open(page)
  assert.match(late.text, /Ask the organizer how you get it, or to take it back\./)
})
