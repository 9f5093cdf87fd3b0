import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newUuid } from '#base/ids.ts'
import type { Processor } from '#product/selling/payments/processor.ts'
import { anyStripeWalk, openStripeSales, type Step } from '#test/support/sales-walk.ts'

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
