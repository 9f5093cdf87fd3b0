import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { sellByTransfer } from '#test/support/banked.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { assertRefused, commandLine } from './turnout.ts'

/** Starts with an event that is sold by transfer, by the command line alone. */
async function start(t: TestContext) {
  const cli = commandLine(t)
  const event = {
    ...{ status: 'published', starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
    registration_types: [
      { name: 'Standard', price: 5000, capacity: 10 },
      { name: 'Free', price: 0, capacity: 10 },
    ],
  }
  const applied = await cli.json('apply', cli.write('organization.json', organization({ event })))
  const accountId = applied.account_id as string
  const { id: eventId, registration_types: types } = applied.events['spring-meeting']
  const db = await openTestDatabase(t, { data: cli.data, clock: cli.clock })
  const sale = await sellByTransfer({ db, clock: cli.clock, accountId, eventId, types })
  const on = (...argv: string[]) => cli.turnout(...argv, '--data', cli.data)
  const logged = async () => {
    const { data } = await cli.json('log', 'list')
    return data
      .filter(({ action }: { action: string }) => /^(order|payment|refund)\./.test(action))
      .map(({ actor, action, target_id: id }: Record<string, string>) => `${actor} ${action} ${id}`)
  }
  return { ...cli, ...sale, db, accountId, eventId, on, logged }
}

test('orders are listed, found and shown with their money, and a transfer is noted as paid, once', async t => {
  const { json, on, order, logged } = await start(t)
  const placed = await order({ Standard: 2 }, { name: 'Grace' })
  const free = await order({ Free: 1 }, { method: undefined, email: 'free@example.org' })
  const list = (...more: string[]) => json('order', 'list', '--event', 'spring-meeting', ...more)
  assert.equal((await list()).data.length, 2)
  for (const more of [
    ['--state', 'payment'],
    ['--search', placed.payment.reference as string],
    ['--search', placed.reference],
  ])
    assert.deepEqual(
      (await list(...more)).data.map(({ id }: { id: string }) => id),
      [placed.id],
      more.join(' '),
    )
  assert.deepEqual((await list('--state', 'confirmed')).data[0].id, free.id)
  const { out } = await on('order', 'list', '--event', 'spring-meeting')
  assert.match(out, /^ID +REFERENCE +BUYER.*\n.*\n.*Grace.*waits for payment +100\.00 EUR/)

  assertRefused(await on('order', 'show', placed.reference), /UUID.*order list --event … --search/)
  const shown = await json('order', 'show', placed.id)
  assert.equal(shown.registrations[0].quantity, 2)
  assert.deepEqual(shown.payments, [placed.payment])
  assert.deepEqual(shown.ledger, [])
  const [pending] = (await json('payments', 'list', '--status', 'pending')).data
  assert.equal(pending.id, placed.payment.id)
  assert.match((await on('payments', 'paid', pending.id)).out, /is noted: 100\.00 EUR/)
  assertRefused(await on('payments', 'paid', pending.id), /This payment is over/)
  const paid = await json('payments', 'show', pending.id)
  assert.deepEqual([paid.status, paid.received], ['confirmed', 10_000])
  assert.deepEqual(
    paid.ledger.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]).sort(),
    [
      ['fee', 0],
      ['payment', 10_000],
    ],
  )
  assert.match((await on('payments', 'show', pending.id)).out, /payment +100\.00 EUR/)
  assert.match((await on('order', 'show', placed.id)).out, /confirmed, 100\.00 EUR/)
  // The second line is the refusal.
  assert.deepEqual(await logged(), Array(2).fill(`cli payment.paid ${placed.id}`))
})

test('money is given back in part and whole, no more than there is, and noted once it was paid by hand', async t => {
  const { json, on, order, logged } = await start(t)
  const { id, payment } = await order({ Standard: 2 })
  await json('payments', 'paid', payment.id)
  for (const amount of ['0', '1.005', '-3', 'all', ''])
    assert.equal((await on('order', 'refund', id, '--amount', amount)).code, 1, amount)
  assertRefused(
    await on('order', 'refund', id, '--amount', '100.01'),
    /So much is not left.*at most 100\.00 EUR/,
  )
  const { data } = await json('order', 'refund', id, '--amount', '12,50', '--note', 'A favour', '--quiet')
  assert.deepEqual(
    data.map((row: Record<string, unknown>) => [row.amount, row.reason, row.note, row.is_by_hand]),
    [[1250, 'organizer', 'A favour', true]],
  )
  assert.equal(
    (await json('mail', 'list')).data.filter((row: { kind: string }) => row.kind === 'refund').length,
    0,
  )
  const [rest] = (await json('payments', 'refund', payment.id)).data
  assert.equal(rest.amount, 8750)
  assert.equal(
    (await json('mail', 'list')).data.filter((row: { kind: string }) => row.kind === 'refund').length,
    1,
  )
  assertRefused(await on('payments', 'refund', payment.id), /So much is not left/)
  assert.equal((await json('payments', 'list', '--owed')).data.length, 2)
  assert.equal((await json('payments', 'paid-back', rest.id)).status, 'done')
  assertRefused(await on('payments', 'paid-back', rest.id), /is done/)
  assertRefused(await on('payments', 'retry', data[0].id), /nobody is asked for it/)
  assert.match((await on('payments', 'list', '--owed')).out, /12\.50 EUR +organizer/)
  assert.ok((await logged()).includes(`cli refund.paid_back ${rest.id}`))
  assertRefused(await on('payments', 'drop', rest.id), /is done/)
  assert.equal((await json('payments', 'drop', data[0].id)).status, 'dropped')
  assert.equal((await json('payments', 'list', '--owed')).data.length, 0)
  assert.ok((await logged()).includes(`cli refund.drop ${data[0].id}`))
  assert.deepEqual((await json('check')).ok, true)
})

test('tickets become void with the money, where that is said', async t => {
  const { json, order } = await start(t)
  const { id, payment } = await order({ Standard: 2 })
  await json('payments', 'paid', payment.id)
  const { data } = await json('order', 'refund', id, '--void')
  assert.deepEqual(
    data.map((row: { amount: number }) => row.amount),
    [10_000],
  )
  const shown = await json('order', 'show', id)
  assert.equal(shown.registrations[0].status, 'refunded')
  assert.deepEqual((await json('check')).ok, true)
})

test('an order that waits is approved or cancelled; one that is paid is refunded instead', async t => {
  const { json, on, order, db, accountId, eventId } = await start(t)
  const unpaid = await order({ Standard: 1 })
  assert.equal((await json('order', 'cancel', unpaid.id)).failed_for, 'declined')
  assertRefused(await on('order', 'cancel', unpaid.id), /^error: /)
  const paid = await order({ Standard: 1 })
  await json('payments', 'paid', paid.payment.id)
  assertRefused(await on('order', 'cancel', paid.id), /The order is paid: use "turnout order refund"/)
  const free = await order({ Free: 2 }, { method: undefined })
  assert.equal((await json('order', 'cancel', free.id)).status, 'cancelled')
  await db.write(accountId, tx => events.update(tx, eventId, { requires_approval: true }))
  const waits = await order({ Standard: 1 }, { method: undefined })
  assert.match((await on('order', 'approve', waits.id)).out, /is approved, and waits for its payment/)
  assertRefused(await on('order', 'approve', waits.id), /^error: /)
})

test('what nobody has, or is no id, is refused by each command, and nothing is written', async t => {
  const { on, logged } = await start(t)
  const commands = [
    ...['show', 'approve', 'cancel', 'refund'].map(name => ['order', name]),
    ...['show', 'paid', 'refund', 'paid-back', 'retry', 'drop'].map(name => ['payments', name]),
  ]
  for (const command of commands) {
    assertRefused(await on(...command, UNKNOWN_ID), /^error: There is no such resource/)
    assertRefused(await on(...command, 'RF18'), /^error: The id must be/)
  }
  assertRefused(await on('payments', 'list', '--status', 'paid'), /--status must be/)
  assertRefused(await on('order', 'list', '--event', 'other'), /There is no event other/)
  assert.deepEqual(await logged(), [])
})
