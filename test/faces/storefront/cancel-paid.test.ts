import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { startTicketMail } from '#test/support/ticket-mail.ts'

/** Starts with the page of an order that was paid: two tickets of 25 and a free one. */
async function start(t: TestContext, changes: EventChanges = {}) {
  const server = await startDashboard(t, ordered())
  const { db, accountId, eventId, clock, visitor } = server
  const change = (some: EventChanges) => db.write(accountId, tx => events.update(tx, eventId, some))
  await change({ cancel_until: clock() + DAY, cancel_refund_basis_points: 3333, ...changes })
  const [found] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>("SELECT id FROM orders WHERE reference = '2345-WXYZ'"),
  )
  const id = found?.id as string
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as {
    secret: string
  }
  const path = orderUrl({ baseUrl: '', secret }, await db.read(accountId, tx => orders.get(tx, id)))
  const refunds = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ amount: number; reason: string; status: string }>(
        'SELECT amount, reason, status FROM refunds',
      ),
    )
  return { ...server, change, path, refunds, buyer: visitor('es'), mail: await startTicketMail(t, db, clock) }
}

test('a buyer sees the exact sum before, gets it, and one mail that says the tickets and the sum', async t => {
  const { buyer, path, refunds, mail, db } = await start(t)
  const confirmation = await buyer.open(`${path}/cancel`)
  assert.match(confirmation.text, /3 entradas quedan anuladas/)
  assert.match(confirmation.text, /Te devolvemos 16,66\s€ de los 50,00\s€ que cuestan estas entradas/)
  assert.deepEqual(await refunds(), [], 'nothing is done by looking')
  const english = await buyer.open(`${path}/cancel?lang=en`)
  assert.match(english.text, /You get €16\.66 back of the €50\.00 that these tickets cost/)
  const done = await confirmation.press('Cancelar')
  assert.match(done.text, /16,66\s€/)
  assert.deepEqual(await refunds(), [{ amount: 1666, reason: 'buyer', status: 'requested' }])
  const mails = (await mail.take()).filter(({ parsed }) =>
    /ada@example\.org/i.test(JSON.stringify(parsed.to)),
  )
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.parsed.text ?? '', /Te devolvemos 16,66\s€ por donde los pagaste/)
  assert.deepEqual(await findDamage(db), [])
})

test('a sum that was not shown is not paid, whatever is sent, and after the date nothing is done', async t => {
  const { buyer, path, refunds, change, clock, db } = await start(t)
  const confirmation = await buyer.open(`${path}/cancel`)
  await change({ cancel_refund_basis_points: 0 })
  const again = await confirmation.press('Cancelar')
  assert.equal(again.status, 409)
  assert.match(again.text, /No se devuelve nada de los 50,00\s€/)
  for (const back of ['5000', '-1', '', 'x'])
    assert.equal((await buyer.post(`${path}/cancel`, { back })).status, 409)
  await change({ cancel_refund_basis_points: 10_000 })
  const late = await buyer.open(`${path}/cancel`)
  clock.advance(DAY)
  assert.equal((await late.press('Cancelar')).status, 409)
  assert.deepEqual(await refunds(), [])
  assert.deepEqual(
    await db.read(INSTANCE, tx =>
      tx.all("SELECT id FROM registrations WHERE status = 'cancelled' AND reference = 'b'"),
    ),
    [],
  )
  assert.deepEqual(await findDamage(db), [])
})
