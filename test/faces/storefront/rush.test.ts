import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { changed, hiddenOf, OrderForms, PATH, startSale } from '#test/support/people/order-forms.ts'

const VISITORS = 300
const PLACES = 40

test('of 300 visitors at once exactly as many get an order as there are places, and each other is told and may wait', {
  timeout: 60_000,
}, async t => {
  const { app, db, types, clock, taken } = await startSale(
    t,
    { registration_types: [{ name: 'Guest', price: 0, capacity: PLACES }] },
    { settings: { orderRate: '0' } },
  )
  const crowd = Array.from({ length: 6 }, () => new OrderForms(t, app.siteUrl, 10))
  const each = <Result>(work: (forms: OrderForms, visitor: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: VISITORS }, (_, n) => work(crowd[n % crowd.length] as OrderForms, n)))
  const filled = await each(async (forms, n) => {
    await forms.get(PATH)
    const form = hiddenOf(await forms.get(`${PATH}register?q.${types.Guest}=1`))
    return changed(form, { 'buyer.name': `Visitor ${n}`, 'buyer.email': `v${n}@example.org` })
  })
  clock.advance(SECOND)
  const reviews = await each(async (forms, n) =>
    hiddenOf(await forms.post(`${PATH}register`, filled[n] as URLSearchParams)),
  )
  const answers = await each((forms, n) => forms.post(`${PATH}register/order`, reviews[n] as URLSearchParams))
  const made = answers.filter(({ status }) => status === 303)
  const refused = answers.filter(({ status }) => status === 409)
  assert.deepEqual([made.length, refused.length], [PLACES, VISITORS - PLACES])
  assert.equal(new Set(made.map(({ location }) => location)).size, PLACES)
  for (const { text } of refused) {
    assert.match(text, /sold out|not enough places left: 0/i)
    // The text links to the waitlist itself, or to the page of the event, which has it.
    assert.match(text, new RegExp(`href="${PATH}`))
  }
  assert.match((await (crowd[0] as OrderForms).get(PATH)).text, /Sold out[\s\S]*Join the waitlist/)
  assert.deepEqual(await taken(), { orders: PLACES, tickets: PLACES, sold: PLACES, mails: PLACES })
  const pending = await db.read(INSTANCE, tx =>
    tx.one<{ n: number }>("SELECT count(*) AS n FROM orders WHERE status <> 'confirmed'"),
  )
  assert.equal(pending?.n, 0)
  assert.deepEqual(await findDamage(db), [])
})
