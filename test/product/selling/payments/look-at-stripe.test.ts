import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { lookAtStripe, type StripePatient } from '#product/selling/payments/look-at-stripe.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { textsIn } from '#texts/catalogue.ts'

async function prepare(t: TestContext) {
  const clock = testClock('2026-11-21T12:00:00.000Z')
  const db = await openTestDatabase(t, { clock })
  const account = (name: string) =>
    db.write(INSTANCE, tx =>
      accounts.create(tx, {
        name,
        email: `${name}@example.org`,
        timezone: 'UTC',
        currency: 'EUR',
        service_fee: { basis_points: 0, per_ticket: 0 },
      }),
    )
  const connect = async (id: string, isLive = true, note?: Parameters<typeof connections.note>[2]) => {
    const secretKey = `rk_${isLive ? 'live' : 'test'}_organizer1234`
    await db.write(id, async (tx: WriteTx) => {
      await connections.connectStripe(tx, { secretKey, isLive, account: 'acct_1', name: 'Ada', at: clock() })
      if (note !== undefined) await connections.note(tx, secretKey, note)
    })
  }
  const look = async (rest: Partial<StripePatient> = {}) =>
    (await lookAtStripe({ reader: db, clock, allowsTest: false, isServed: true, ...rest })).map(each => {
      const sentence = each.say({ texts: textsIn('en'), format: new Format('en', 'UTC') })
      assert.match(sentence, /Ada|Bob/)
      assert.doesNotMatch(sentence, /rk_|organizer1234/)
      return `${each.level} ${each.code}`
    })
  return { clock, account, connect, look }
}

test('only organizations that take money by Stripe are told of, each by its own state', async t => {
  const { account, connect, look } = await prepare(t)
  const { id } = await account('Ada')
  await account('Bob')
  assert.deepEqual(await look(), [])
  await connect(id)
  assert.deepEqual(await look(), ['ok stripe_live'])
})

test('a key that Stripe refuses, and a test key where none is accepted, are broken', async t => {
  const { account, connect, look } = await prepare(t)
  const [ada, bob] = [await account('Ada'), await account('Bob')]
  await connect(ada.id, true, { trouble: 'denied' })
  await connect(bob.id, false)
  assert.deepEqual((await look()).sort(), ['error stripe_denied', 'error stripe_test_refused'])
  assert.deepEqual((await look({ allowsTest: true })).sort(), ['error stripe_denied', 'warning stripe_test'])
})

test('events that may be missed are a warning, and silence for longer than an hour is broken while a server runs', async t => {
  const { clock, account, connect, look } = await prepare(t)
  const { id } = await account('Ada')
  await connect(id, true, { readUntil: clock() / 1000 })
  clock.advance(HOUR)
  assert.deepEqual(await look(), ['ok stripe_live'])
  clock.advance(1)
  assert.deepEqual(await look(), ['error stripe_silent'])
  assert.deepEqual(await look({ isServed: false }), ['ok stripe_live'])
  await connect(id, true, { trouble: 'events_missed' })
  assert.deepEqual(await look({ isServed: false }), ['warning stripe_events_missed'])
})
