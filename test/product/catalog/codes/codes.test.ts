import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { generate } from '#product/catalog/codes/generate.ts'
import { priceOf, unlocks } from '#product/catalog/codes/prices.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { NewCode } from '#product/catalog/codes/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { at, startWithOrganizer } from '#test/support/people/organizer.ts'

function newCode(code: string, changes: Partial<NewCode> = {}): NewCode {
  return {
    code,
    percent: null,
    amount: null,
    registration_type_ids: null,
    valid_from: null,
    valid_until: null,
    max_tickets: null,
    active: true,
    note: null,
    ...changes,
  }
}

async function start(t: TestContext) {
  const server = await startWithOrganizer(t, organization({ events: [{ slug: 'other', title: 'Other' }] }))
  const { read, write, eventId, types, applied } = server
  const standard = { id: types.Standard as string, price: 5000 }
  const free = { id: types.Free as string, price: 0 }
  const create = (code: string, changes?: Partial<NewCode>) =>
    write(tx => codes.create(tx, eventId, newCode(code, changes)))
  const reserve = (text: string, ...lines: codes.CodeLine[]) =>
    write(tx => codes.reserve(tx, eventId, text, lines))
  const usedOf = (id: string) => read(async tx => (await codes.get(tx, eventId, id)).used)
  return { ...server, standard, free, create, reserve, usedOf, otherId: applied.events.other?.id as string }
}

test('a code is found without case and white space, and one that is not of the event is unknown', async t => {
  const { create, read, eventId, otherId, clock, write } = await start(t)
  const { id } = await create('Early-Bird_1')
  const find = (text: string, event = eventId) => read(tx => codes.findValid(tx, event, text, clock()))
  for (const text of ['Early-Bird_1', ' early-bird_1\t', 'EARLY-BIRD_1'])
    assert.equal((await find(text)).id, id)
  for (const text of ['', 'early', 'early-bird_1%', "' OR 1=1", 'x'.repeat(100_000)]) {
    await assert.rejects(find(text), { code: 'unknown_code' })
  }
  await assert.rejects(find('Early-Bird_1', otherId), { code: 'unknown_code' })
  await write(tx => codes.update(tx, eventId, id, { active: false }))
  await assert.rejects(find('Early-Bird_1'), { code: 'unknown_code' })
})

test('a code of before its time, after it, or used up says which', async t => {
  const { create, reserve, standard, clock } = await start(t)
  const [from, until] = [clock() + 1000, clock() + 2000]
  await create('Later', { valid_from: from, valid_until: until })
  const line = { type: standard, quantity: 1 }
  await assert.rejects(reserve('later', line), {
    code: 'code_not_yet',
    details: { from: new Date(from).toISOString() },
  })
  clock.advance(1000)
  await reserve('later', line)
  clock.advance(1000)
  await assert.rejects(reserve('later', line), { code: 'code_expired' })
  await create('Two', { max_tickets: 2 })
  await assert.rejects(reserve('two', { ...line, quantity: 3 }), {
    code: 'code_used_up',
    details: { left: 2 },
  })
  await reserve('two', { ...line, quantity: 2 })
  await assert.rejects(reserve('two', line), { code: 'code_used_up', details: { left: 0 } })
})

test('a reservation counts the tickets of the types that the code is for, and tells the price of each line', async t => {
  const { create, reserve, standard, free, usedOf } = await start(t)
  const { id } = await create('Half', { percent: 50, registration_type_ids: [standard.id], max_tickets: 3 })
  const { lines, tickets } = await reserve(
    'half',
    { type: { ...standard, price: 4999 }, quantity: 2 },
    { type: { ...free, price: 300 }, quantity: 50 },
  )
  assert.deepEqual(lines, [
    { price: 2500, discount: 2499, code_id: id },
    { price: 300, discount: 0, code_id: null },
  ])
  assert.deepEqual([tickets, await usedOf(id)], [2, 2])
})

test('no load makes a code good for more tickets than it is', async t => {
  const { create, standard, usedOf, eventId, accountId, db, data, clock } = await start(t)
  const other = await openTestDatabase(t, { data, clock })
  const { id } = await create('Ten', { max_tickets: 10, amount: 100 })
  const line = { type: standard, quantity: 3 }
  // Two connections work at once, as two processes do.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, each) =>
      (each % 2 === 0 ? db : other).write(accountId, tx => codes.reserve(tx, eventId, 'ten', [line])),
    ),
  )
  const taken = outcomes.filter(({ status }) => status === 'fulfilled').length
  const reasons = new Set(outcomes.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : [])))
  assert.deepEqual([taken, [...reasons], await usedOf(id)], [3, ['code_used_up'], 9])
})

test('uses are given back as tickets become void, and taken again', async t => {
  const { create, standard, usedOf, eventId, types, write } = await start(t)
  const { id } = await create('Four', { max_tickets: 4 })
  const place = (quantity: number) =>
    write(async tx => {
      const event = await events.get(tx, eventId)
      const type = await registrationTypes.get(tx, eventId, types.Standard as string)
      const reserved = await codes.reserve(tx, eventId, 'four', [{ type: standard, quantity }])
      const code_id = reserved.lines[0]?.code_id
      const attendees = Array.from({ length: quantity }, () => ({ name: 'Ann', code_id }))
      const buyer = { name: 'Grace', email: 'grace@example.org' }
      const common = { source: 'checkout', status: 'confirmed', amount_total: 0, buyer } as const
      return registrations.place(tx, { ...common, event, type, attendees })
    })
  const placed = await place(3)
  await assert.rejects(place(2), { code: 'code_used_up' })
  assert.equal(await usedOf(id), 3)
  const cancel = () => write(tx => registrations.cancel(tx, placed.id))
  await cancel()
  assert.equal(await usedOf(id), 0)
  await assert.rejects(cancel(), { code: 'already_cancelled' })
  assert.equal(await usedOf(id), 0)
  const retake = (tickets: number) => write(tx => codes.retake(tx, id, tickets))
  await retake(4)
  await assert.rejects(retake(1), { code: 'code_used_up' })
  await write(tx => codes.release(tx, id, 4))
  // Void tickets still say which code they had.
  await assert.rejects(
    write(tx => codes.remove(tx, eventId, id)),
    { code: 'in_use', details: { reason: 'code_used' } },
  )
  const unused = await create('Unused')
  await write(tx => codes.remove(tx, eventId, unused.id))
  await assert.rejects(usedOf(unused.id), { code: 'not_found' })
})

test('what contradicts itself, is there already or belongs to another event is refused, with its field', async t => {
  const { create, reserve, standard, write, eventId, otherId } = await start(t)
  const { id } = await create('Spring', { max_tickets: 5 })
  await assert.rejects(create('SPRING'), { code: 'already_taken', param: 'code' })
  await assert.rejects(create('Both', { percent: 10, amount: 100 }), { param: 'amount' })
  await assert.rejects(create('Dates', { valid_from: at('2026-12-02'), valid_until: at('2026-12-01') }), {
    param: 'valid_until',
  })
  await assert.rejects(create('Type', { registration_type_ids: [eventId] }), {
    code: 'not_found',
    param: 'registration_type_ids',
  })
  await reserve('spring', { type: standard, quantity: 3 })
  const update = (event: string, changes: Partial<NewCode>) =>
    write(tx => codes.update(tx, event, id, changes))
  await assert.rejects(update(eventId, { max_tickets: 2 }), { code: 'below_used', details: { used: 3 } })
  await assert.rejects(update(otherId, { note: 'x' }), { code: 'not_found' })
  assert.deepEqual((await update(eventId, { max_tickets: 3, code: 'spring' })).code, 'spring')
})

test('random codes are as many as wanted, all different, and alike otherwise', async t => {
  const { write, read, eventId } = await start(t)
  const { code: _, ...rest } = newCode('x', { amount: 500, max_tickets: 1, note: 'Sponsors' })
  const made = await write(tx => generate(tx, eventId, { ...rest, prefix: 'VIP-', count: 1000 }))
  assert.equal(new Set(made.map(code => code.toLowerCase())).size, 1000)
  assert.ok(made.every(code => /^VIP-[2-9A-HJKMNP-Z]{10}$/.test(code)))
  const kept = await read(tx => codes.listAll(tx, eventId))
  assert.deepEqual(kept.map(({ code }) => code).sort(), made.toSorted())
  assert.ok(
    kept.every(({ amount, max_tickets, note }) => amount === 500 && max_tickets === 1 && note === 'Sponsors'),
  )
})

test('with a code a ticket is never dearer, never below nothing, and a percentage is rounded half up', () => {
  const all = { registration_type_ids: null }
  const priced: [number, { percent?: number; amount?: number }, number][] = [
    [5, { percent: 50 }, 3],
    [5, { percent: 10 }, 5],
    [333, { percent: 33 }, 223],
    [99_999_999, { percent: 1 }, 98_999_999],
    [1, { percent: 100 }, 0],
    [500, { amount: 499 }, 1],
    [500, { amount: 99_999_999 }, 0],
    [0, { percent: 50 }, 0],
    [500, {}, 500],
  ]
  for (const [price, { percent = null, amount = null }, expected] of priced) {
    assert.deepEqual(priceOf({ ...all, percent, amount }, { id: 't', price }), {
      price: expected,
      discount: price - expected,
    })
  }
  const off = fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), amount: fc.constant(null) }),
    fc.record({ percent: fc.constant(null), amount: fc.integer({ min: 1, max: 99_999_999 }) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), off, (price, code) => {
      const made = priceOf({ ...all, ...code }, { id: 't', price })
      assert.ok(Number.isInteger(made.price) && made.price >= 0 && made.price <= price)
      assert.equal(made.price + made.discount, price)
      if (code.percent === null) return
      // The price is at most half of a minor unit away, and rounds up in the middle.
      const away = 100 * made.price - price * (100 - code.percent)
      assert.ok(away > -50 && away <= 50)
    }),
  )
})

test('a code shows the hidden types that it names, and one that takes nothing off shows all', () => {
  const none = { percent: null, amount: null }
  assert.equal(unlocks({ ...none, registration_type_ids: null }, 'a'), true)
  assert.equal(unlocks({ ...none, registration_type_ids: ['b'] }, 'a'), false)
  assert.equal(unlocks({ percent: 10, amount: null, registration_type_ids: null }, 'a'), false)
  assert.equal(unlocks({ percent: 10, amount: null, registration_type_ids: ['a'] }, 'a'), true)
})
