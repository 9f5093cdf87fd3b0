import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import type { TestClock } from '#test/support/clock.ts'
import { changed, hiddenOf, OrderForms, PATH, startSale } from '#test/support/people/order-forms.ts'
import { startStripeProcess } from '#test/support/stripe/process.ts'

const KEY = 'rk_test_organizer0001'
const ACCOUNT = 'acct_one'
const PRICE = 4_900

/** SOAK=1 sends as many buyers as a person wants to see; a run of all tests sends a tenth of them. */
const isLong = process.env.SOAK === '1'
const BUYERS = isLong ? 2_000 : 100
const PLACES = isLong ? 200 : 10
/** The buyers come within these milliseconds. */
const WITHIN = isLong ? 20_000 : 1_000
/** Everything is settled within these milliseconds. */
const SETTLED = 180_000

/** The clock of the machine: a rush takes its time. */
function realClock(): TestClock {
  return Object.assign(() => Date.now(), { advance: () => undefined, set: () => undefined })
}

test(`of ${BUYERS} buyers within ${WITHIN / 1000} s exactly ${PLACES} pay, and each other is told`, {
  timeout: isLong ? 400_000 : 120_000,
}, async t => {
  const stripe = await startStripeProcess(
    t,
    ...['--latency', '300', '--rate', '25', '--key', KEY, '--account', ACCOUNT],
  )
  const day = 86_400_000
  const dates = {
    starts_at: new Date(Date.now() + 90 * day).toISOString(),
    ends_at: new Date(Date.now() + 91 * day).toISOString(),
  }
  const { app, db, types, accountId } = await startSale(
    t,
    { ...dates, registration_types: [{ name: 'Guest', price: PRICE, capacity: PLACES }] },
    {
      clock: realClock(),
      settings: { orderRate: '0', testPayments: true, stripeApi: stripe.origin },
    },
  )
  await db.write(accountId, tx =>
    connectStripe(tx, {
      ...{ secretKey: KEY, isLive: false, account: ACCOUNT, name: 'Ada', at: Date.now() },
    }),
  )
  const crowd = Array.from({ length: 8 }, () => new OrderForms(t, app.siteUrl, 20))
  const began = Date.now()
  const waits: number[] = []

  /** Buys from the page of the event to the tickets, or until the page says that there are none. */
  const buy = async (n: number): Promise<'paid' | 'told'> => {
    const forms = crowd[n % crowd.length] as OrderForms
    await wait((n / BUYERS) * WITHIN)
    await forms.get(PATH)
    const form = await forms.get(`${PATH}register?q.${types.Guest}=1`)
    if (form.status !== 200) return refusalOf(form)
    await wait(1_050)
    const typed = { 'buyer.name': `Buyer ${n}`, 'buyer.email': `b${n}@example.org` }
    const review = await forms.post(`${PATH}register`, changed(hiddenOf(form), typed))
    if (review.status !== 200) return refusalOf(review)
    const placed = await forms.post(`${PATH}register/order`, changed(hiddenOf(review), { pay: 'stripe' }))
    if (placed.status !== 303) return refusalOf(placed)
    const page = (placed.location as string).split('?')[0] as string
    const ordered = Date.now()
    const session = await until(async () => /\/c\/pay\/(cs_\w+)/.exec((await forms.get(page)).text)?.[1])
    waits.push(Date.now() - ordered)
    await stripe.remote.pay(session)
    await until(async () => /svg class="qr"/.test((await forms.get(page)).text) || undefined)
    return 'paid'
  }

  const ends = await Promise.all(Array.from({ length: BUYERS }, (_, n) => buy(n)))
  const took = Date.now() - began
  assert.deepEqual(
    [ends.filter(end => end === 'paid').length, ends.filter(end => end === 'told').length],
    [PLACES, BUYERS - PLACES],
  )
  assert.ok(took < SETTLED, `settled after ${took} ms`)
  const sums = await db.read(INSTANCE, tx =>
    tx.all<{ kind: string; n: number; amount: number }>(
      'SELECT kind, count(*) AS n, sum(amount) AS amount FROM ledger_entries GROUP BY kind ORDER BY kind',
    ),
  )
  assert.deepEqual(
    sums.find(({ kind }) => kind === 'payment'),
    { kind: 'payment', n: PLACES, amount: PLACES * PRICE },
  )
  assert.equal(
    sums.find(({ kind }) => kind === 'refund'),
    undefined,
  )
  assert.deepEqual(await stripe.remote.unkeyed(), [])
  assert.deepEqual(await findDamage(db), [])
  waits.sort((a, b) => a - b)
  const [median, longest] = [waits[Math.floor(waits.length / 2)], waits.at(-1)]
  t.diagnostic(
    `settled after ${took} ms; the page of Stripe was there after ${median} ms, at most ${longest}`,
  )

  function refusalOf({ status, text }: { status: number; text: string }): 'told' {
    assert.equal(status, 409)
    assert.match(text, /sold out|not enough places left: 0/i)
    return 'told'
  }
})

/** Looks again and again, as somebody does who waits. */
async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  const limit = Date.now() + SETTLED
  while (Date.now() < limit) {
    const found = await look()
    if (found !== undefined) return found
    await wait(500)
  }
  throw new Error('It did not come.')
}
