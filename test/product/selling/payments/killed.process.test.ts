import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { Life } from '#test/support/mortal.ts'
import { argumentsFor } from '#test/support/program.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

const event = {
  registration_types: [{ name: 'Standard', price: 5000, capacity: 1_000, tax_basis_points: 1900 }],
}

/**
 * Sells one order of each kind: one that is paid and refunded in part, one that is withdrawn while it is paid, one that nobody
 * pays, and one with a cancelled line. The server dies at a step of it, and another comes after it.
 */
async function sell(shop: Awaited<ReturnType<typeof openScriptedShop>>, life: Life): Promise<boolean> {
  const { db, clock, processor, order, sessionOf, write, refund } = shop
  const log = openLog('silent', { write: () => undefined })
  const server = { baseUrl: 'https://tickets.example.org', secret: 's' }
  const processors = new Map([['test' as const, life.processor(processor)]])
  const mortal = new Reconciler({ db: life.database(db), clock, log, processors, server })
  const settle = async () => {
    if (!life.isDead) await Promise.race([mortal.settle(), life.died])
    if (!life.isDead) return
    await life.laidToRest()
    await shop.reconciler.settle()
  }
  const before = { sessions: processor.sessions.length, refunds: processor.refunds.length }
  const [paid, withdrawn, unpaid] = [
    await order({ Standard: 2 }),
    await order({ Standard: 1 }),
    await order({ Standard: 1 }),
  ].map(({ id }) => id) as [string, string, string]
  await settle()
  for (const id of [paid, withdrawn]) processor.pay(await sessionOf(id))
  await write(tx => orders.fail(tx, withdrawn, 'withdrawn'))
  clock.advance(MINUTE)
  await settle()
  clock.advance(5 * MINUTE)
  await settle()
  await refund(paid, 3000)
  await settle()
  clock.advance(40 * MINUTE)
  await settle()
  // The server is down for a day, and then does what is left to do.
  clock.advance(DAY + HOUR)
  await settle()
  const states = await Promise.all([paid, withdrawn, unpaid].map(shop.states))
  assert.deepEqual(states, ['confirmed', 'withdrawn', 'unpaid'])
  assert.deepEqual(await shop.moved(paid), ['payment 10000', 'refund -3000'])
  assert.deepEqual(await shop.refundStates(paid), ['organizer 3000 done'])
  assert.deepEqual(await shop.moved(withdrawn), ['payment 5000', 'refund -5000'])
  assert.deepEqual([await shop.moved(unpaid), await shop.refundStates(unpaid)], [[], []])
  // Each object there is one of ours, and no more of them.
  assert.equal(processor.sessions.length - before.sessions, 3)
  assert.equal(processor.refunds.length - before.refunds, 2)
  assert.ok(processor.sessions.every(({ state }) => state !== 'open'))
  return life.isDead
}

test('wherever a server dies, before or after any of its calls and commits, the next one brings every order to the same end', async t => {
  const shop = await openScriptedShop(t, { event })
  let step = 1
  for (; ; step++) {
    const life = new Life()
    life.dieIn(step)
    const hasDied = await sell(shop, life).catch(error => {
      throw new Error(`It died at step ${step}.`, { cause: error })
    })
    assert.deepEqual((await shop.sold()).Standard, 2 * step)
    if (!hasDied) break
  }
  assert.ok(step > 40, `${step} steps`)
  assert.deepEqual(await shop.damage(), [])
  t.diagnostic(`died at ${step - 1} steps`)
})

type Phase = 'begin' | 'paid' | 'refund'

/** Runs what is due in a process that is killed, and then what is left. */
async function killAt(t: TestContext, phase: Phase, { killAt = '', dieIn = '' }) {
  const shop = await openScriptedShop(t, { event })
  const { processor, data, clock, reconciler, order, refund, sessionOf } = shop
  const { id } = await order({ Standard: 2 })
  if (phase !== 'begin') {
    await reconciler.settle()
    processor.pay(await sessionOf(id))
    clock.advance(5 * MINUTE)
  }
  if (phase === 'refund') {
    await reconciler.settle()
    await refund(id, 3000)
  }
  const memory = join(data, 'processor.json')
  writeFileSync(memory, processor.memory())
  const child = spawn(
    process.execPath,
    [
      ...argumentsFor('test/support/payments-process.ts', ['test/support/killed-server.ts']),
      ...[data, memory, String(clock()), dieIn],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, KILL_AT: killAt } },
  )
  t.after(() => child.kill('SIGKILL'))
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
  processor.recall(readFileSync(memory, 'utf8'))
  const left = { damage: await shop.damage(), moved: await shop.moved(id) }
  // It comes back after a day, when no key is known any more.
  if (phase === 'refund') clock.advance(DAY + HOUR)
  await reconciler.settle()
  if (phase === 'begin') {
    processor.pay(await sessionOf(id))
    clock.advance(5 * MINUTE)
    await reconciler.settle()
  }
  clock.advance(MINUTE)
  await reconciler.settle()
  return { ...shop, id, left }
}

const kills: [phase: Phase, when: string, at: { killAt?: string; dieIn?: string }][] = [
  ['begin', 'once the call is kept, and not sent', { dieIn: '4' }],
  ['begin', 'once the processor has made the session, and nobody has written it down', { dieIn: '6' }],
  ['begin', 'while it writes the session down', { killAt: 'after UPDATE payments' }],
  ['paid', 'once it knows that it is paid', { dieIn: '2' }],
  [
    'paid',
    'once the money is in the ledger, and the order waits',
    { killAt: 'after INSERT INTO ledger_entries' },
  ],
  ['paid', 'once the order is confirmed, and its registrations are not', { killAt: 'after UPDATE orders' }],
  ['paid', 'once programs are told, and not the buyer', { killAt: 'after INSERT INTO webhook_events' }],
  ['paid', 'once the buyer is told, and nothing is committed', { killAt: 'after INSERT INTO emails' }],
  ['refund', 'once the refund is kept, and not sent', { dieIn: '4' }],
  ['refund', 'once the processor has paid back, and nobody knows', { dieIn: '6' }],
  [
    'refund',
    'once the refund is done, and not in the ledger',
    { killAt: 'before INSERT INTO ledger_entries' },
  ],
]
for (const [phase, when, at] of kills) {
  test(`a server that is killed ${when} has it done once`, { timeout: 60_000 }, async t => {
    const { id, left, states, moved, refundStates, sold, damage, processor, mails, webhooks } = await killAt(
      t,
      phase,
      at,
    )
    assert.deepEqual([left.damage, await damage()], [[], []])
    assert.deepEqual(left.moved, phase === 'refund' ? ['payment 10000'] : [])
    const back = phase === 'refund' ? 3000 : 0
    assert.equal(await states(id), 'confirmed')
    assert.deepEqual(await moved(id), ['payment 10000', ...(back > 0 ? ['refund -3000'] : [])])
    assert.deepEqual(await refundStates(id), back > 0 ? ['organizer 3000 done'] : [])
    assert.deepEqual(processor.books(), { paid: 10000, refunded: back })
    assert.deepEqual([processor.sessions.length, (await sold()).Standard], [1, 2])
    assert.deepEqual(
      [await mails(), (await webhooks()).sort()],
      [['order_confirmed'], ['payment.completed', 'registration.created']],
    )
  })
}
