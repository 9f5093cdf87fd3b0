import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startWithStrangers } from '#test/support/people/strangers.ts'

const NOT_SENT = /so we have sent you no mail|nothing is sent to grace@example\.org by itself/

test('an order whose mail was sent, and is no more told of, is not said to wait for many others', async t => {
  const { buy, settled, received, page, member, eventId, db, accountId, clock } = await startWithStrangers(t)
  const path = await buy('grace@example.org')
  await settled()
  assert.equal(received.length, 1)
  assert.doesNotMatch((await page(path)).text, NOT_SENT)
  // An order whose networks are known, and of which there is no mail, has been left out.
  const left = await buy('alan@example.org')
  await settled()
  await db.write(accountId, tx => tx.run("DELETE FROM emails WHERE recipient = 'alan@example.org'"))
  assert.match((await page(left)).text, NOT_SENT)
  clock.advance(366 * DAY)
  await cleanUp(db, clock, 90)
  assert.equal(await db.read(INSTANCE, tx => tx.one('SELECT 1 FROM emails LIMIT 1')), undefined)
  const shown = await page(path)
  assert.equal(shown.status, 200)
  assert.doesNotMatch(shown.text, NOT_SENT)
  const found = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 9 }))
  const order = found.find(({ buyer }) => buyer.email === 'grace@example.org')
  const manager = await member('manager')
  const seen = await manager.open(`/manage/e/${eventId}/orders/${order?.id}`)
  assert.match(seen.text, /grace@example\.org/)
  assert.doesNotMatch(seen.text, NOT_SENT)
})

test('the page of an order says of no mail that it is on its way which waits for its turn, or is not sent', async t => {
  const { buy, settled, page, forms, from, db, accountId } = await startWithStrangers(t)
  for (let n = 0; n < 5; n++) await buy(`b${n}@example.org`, [`o${n}@example.org`])
  const path = await buy('grace@example.org', ['bob@example.org'])
  await settled()
  const answer = await forms.post(`${path}/resend`, '', from('192.0.2.1'))
  assert.equal(answer.status, 303)
  const shown = await page(answer.location as string)
  assert.match(shown.text, /so the mail to you goes out later, at about/)
  assert.doesNotMatch(shown.text, /on their way/)
  await db.write(accountId, tx => tx.run("DELETE FROM emails WHERE recipient = 'grace@example.org'"))
  const left = await page(path)
  assert.match(left.text, NOT_SENT)
  assert.doesNotMatch(left.text, /by mail too/)
})
