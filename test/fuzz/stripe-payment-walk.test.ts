import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newUuid } from '#base/ids.ts'
import type { Processor } from '#product/selling/payments/processor.ts'
import {
  anyStripeExchangeWalk,
  anyStripeSeriesWalk,
  anyStripeWalk,
  openStripeSales,
  type Step,
} from '#test/support/sales-walk.ts'

// This test does the same as walk.test.ts over sockets: STRIPE_WALKS says how many, STRIPE_SEED from which seed.
const RUNS = Number(process.env.STRIPE_WALKS ?? 20)
const USUAL_SEED = 1
const anySeed = () => Math.floor(Math.random() * 2 ** 31)
const SEED = Number(
  process.env.STRIPE_SEED ?? (process.env.STRIPE_WALKS === undefined ? USUAL_SEED : anySeed()),
)

const HAPPENINGS = ['confirmed', 'died', 'organizer', 'paid out', 'processor', 'unpaid', 'withdrawn']

test('whatever happens at Stripe, on the way to it and here, all money is somewhere, once', async t => {
  t.diagnostic(`seed ${SEED}, ${RUNS} runs`)
  const { walk, damage, seen } = await openStripeSales(t)
  await fc.assert(
    fc.asyncProperty(anyStripeWalk, async steps => {
      await walk(steps)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.WALK_SHRINK === undefined },
  )
  assert.deepEqual(await damage(), [])
  t.diagnostic([...seen].sort().join(', '))
  // Walks in which nothing happens would show nothing.
  if (RUNS >= 1_000 || (SEED === USUAL_SEED && RUNS >= 20))
    for (const each of HAPPENINGS) assert.ok(seen.has(each), each)
})

const step = (kind: Step['kind'], a = 0, b = 0): Step => ({ kind, a, b })
const PASS = step('pass', 0, 1)

const BROKEN: [what: string, steps: Step[], change: (processor: Processor) => Partial<Processor>][] = [
  [
    'looks for nothing that may have been done',
    // The stand-in pays back, answers 500, and sends no event of it.
    [step('holdEvents', 0, 1), step('fault', 1, 2), step('refund'), step('settle'), PASS],
    () => ({ findRefund: async () => undefined }),
  ],
  [
    'sends what is sent again under another key',
    // The program dies once the money is back, and before that is written down.
    [step('refund'), step('crash', 0, 3), step('settle'), PASS],
    processor => ({ refund: (id, call) => processor.refund(id, { ...call, key: newUuid() }) }),
  ],
  [
    'takes what is on its way for paid',
    [step('order', 0, 1), step('settle'), step('payLater', 1), PASS],
    processor => ({
      read: async (...parameters) => {
        const read = await processor.read(...parameters)
        return read.state === 'processing' ? { ...read, state: 'paid', chargeId: read.id } : read
      },
    }),
  ],
]

for (const [what, steps, change] of BROKEN) {
  test(`an adapter that ${what} is found out, and ours passes`, async t => {
    const job = { approves: false, isPaid: true, steps }
    const adapter = (processor: Processor) => {
      const changes = change(processor)
      return new Proxy(processor, {
        get: (target, name: keyof Processor) =>
          changes[name] ?? (target[name] as (...args: unknown[]) => unknown).bind(target),
      })
    }
    const broken = await openStripeSales(t, { adapter })
    await assert.rejects(broken.walk(job), { name: 'AssertionError' })
    const ours = await openStripeSales(t)
    await ours.walk(job)
    assert.deepEqual(await ours.damage(), [])
  })
}

// Each begins with an order of three tickets, Whole for 10.00, Third for 3.33 and Free, that is paid by card.
const EXCHANGES: [what: string, steps: Step[], seen: string[]][] = [
  [
    'a ticket becomes a cheaper one, and Stripe makes the refund of the difference while its answer is lost',
    [step('fault', 1, 2), step('exchange', 0, 3), step('settle'), PASS],
    ['difference', 'organizer'],
  ],
  [
    'the ticket that took its place becomes a cheaper one again, and the program dies in between',
    [
      step('exchange', 0, 3),
      step('crash', 0, 3),
      step('settle'),
      step('exchange', 0, 2),
      step('settle'),
      PASS,
    ],
    ['difference', 'difference again', 'died'],
  ],
  [
    'a ticket becomes a dearer one, money goes back for it, and then the event is cancelled',
    [step('exchange', 1, 10), step('refund'), step('settle'), step('cancelEvent'), step('exchange', 0, 2)],
    ['exchanged', 'organizer', 'not_on_sale'],
  ],
  [
    'a bank disputes what was paid for a ticket that was exchanged, which is then exchanged no more',
    [step('exchange', 0, 3), step('settle'), step('dispute'), PASS, step('exchange', 0, 2), PASS],
    ['difference', 'ticket_disputed'],
  ],
  [
    'money goes back at Stripe itself for a ticket that was exchanged, and the refund of a difference fails',
    [step('refundThere'), step('exchange', 0, 3), step('settle'), step('failRefund'), PASS],
    ['difference', 'processor', 'organizer'],
  ],
]

for (const [what, steps, happened] of EXCHANGES) {
  test(`after a payment by card, ${what}: all money is somewhere, once`, async t => {
    const { walk, damage, seen } = await openStripeSales(t)
    await walk({ approves: false, isPaid: true, steps })
    for (const each of happened) assert.ok(seen.has(each), `${each}, not ${[...seen].join(', ')}`)
    assert.deepEqual(await damage(), [])
  })
}

test('however tickets that were paid by card are exchanged, whatever banks and Stripe do, all money is somewhere, once', async t => {
  const { walk, damage, seen } = await openStripeSales(t)
  await fc.assert(fc.asyncProperty(anyStripeExchangeWalk, walk), { numRuns: 40, seed: 5, endOnFailure: true })
  assert.deepEqual(await damage(), [])
  t.diagnostic([...seen].sort().join(', '))
  for (const each of ['exchanged again', 'difference', 'ticket_disputed']) assert.ok(seen.has(each), each)
})

test('of a series that is paid by card, the ledger, the payouts and the monthly report of all dates say the same', async t => {
  const { walk, damage, seen } = await openStripeSales(t, {}, 3)
  await fc.assert(fc.asyncProperty(anyStripeSeriesWalk, walk), { numRuns: 20, seed: 2, endOnFailure: true })
  assert.deepEqual(await damage(), [])
  t.diagnostic([...seen].sort().join(', '))
  for (const each of ['repriced', 'exchanged', 'paid out']) assert.ok(seen.has(each), each)
})
