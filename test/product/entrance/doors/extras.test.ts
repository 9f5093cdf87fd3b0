import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CopyAnswer } from '#faces/scanner/page/contract.ts'
import { Copy } from '#faces/scanner/page/copy.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization } from '#test/support/organization.ts'

const DAY_OF_EVENT = '2026-12-01T10:00:00.000Z'

async function start(t: TestContext) {
  const file = organization({
    event: {
      status: 'published',
      starts_at: '2026-12-01T09:00:00Z',
      ends_at: '2026-12-01T18:00:00Z',
      registration_types: [
        { name: 'Guest', price: 0, capacity: 10 },
        { name: 'Dinner', kind: 'extra', price: 0, capacity: 10 },
      ],
    },
  })
  const server = await startWithDoors(t, file)
  const { db, accountId, eventId, types, clock, pair } = server
  const { id } = await db.write(accountId, tx =>
    place(tx, eventId, {
      ...{ formId: 'f', buyer: { name: 'Ada', email: 'ada@example.org' }, language: 'en', answers: {} },
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: ['Guest', 'Dinner', 'Dinner'].slice(0, 2).map((name, at) => ({
        typeId: types[name] as string,
        tickets: Array.from({ length: at + 1 }, () => ({ name: 'Ada', email: null })),
      })),
    }),
  )
  clock.set(DAY_OF_EVENT)
  const order = await db.read(accountId, tx => orders.getDetails(tx, id))
  const codeOf = (line: number, n = 0) => order.registrations[line]?.attendees[n]?.qr_code as string
  const { door: dinner } = await pair({ name: 'Dinner', registration_type_ids: [types.Dinner as string] })
  return { ...server, codeOf, dinner }
}

test('the code of an extra admits nobody at a door for all tickets, and is handed out once where its type is chosen', async t => {
  const { a, dinner, codeOf } = await start(t)
  const refused = await a.one(a.scan({ code: codeOf(1) }))
  assert.deepEqual([refused.outcome, refused.reason], ['refused', 'wrong_door'])
  assert.equal(refused.ticket[3], null, 'nobody is named')
  const handed = await dinner.one(dinner.scan({ code: codeOf(1) }))
  assert.deepEqual([handed.outcome, handed.reason], ['admitted', null])
  const again = await dinner.one(dinner.scan({ code: codeOf(1) }))
  assert.deepEqual([again.outcome, again.reason], ['refused', 'already_checked_in'])
  const other = await dinner.one(dinner.scan({ code: codeOf(0) }))
  assert.deepEqual([other.outcome, other.reason], ['refused', 'wrong_door'])
})

test('a guest let in with an extra at a door for tickets, without a network, is a conflict', async t => {
  const { a, codeOf } = await start(t)
  const scan = await a.one(a.scan({ code: codeOf(1) }, { shown: 'admitted' }))
  assert.deepEqual([scan.outcome, scan.reason], ['conflict', 'wrong_door'])
})

test('the screen of a door lists what an order has beside its ticket, as far as it is still to be handed out', async t => {
  const { a, dinner, codeOf, clock } = await start(t)
  const ticket = await a.one(a.scan({ code: codeOf(0) }))
  assert.deepEqual(ticket.extras, [['Dinner', 2]])
  clock.advance(1_000)
  await dinner.one(dinner.scan({ code: codeOf(1) }))
  assert.deepEqual((await a.one(a.scan({ code: codeOf(0) }))).extras, [['Dinner', 1]])
  await dinner.one(dinner.scan({ code: codeOf(1, 1) }))
  assert.equal((await a.one(a.scan({ code: codeOf(0) }))).extras, undefined)
})

test('a phone without a network decides as the server does, and counts and finds tickets alone', async t => {
  const { a, dinner, codeOf } = await start(t)
  const phone = async (door: typeof a) => {
    const { body } = (await door.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
    const copy = new Copy(body.device)
    copy.replace(body, Date.parse(body.now))
    return { copy, now: Date.parse(body.now), tickets: body.tickets, types: body.types }
  }
  const { copy, now, tickets, types } = await phone(a)
  assert.deepEqual(
    types.map(({ name, admitted_here, extra }) => [name, admitted_here, extra]),
    [
      ['Guest', true, undefined],
      ['Dinner', false, true],
    ],
  )
  const dinnerType = types.find(({ extra }) => extra)?.id
  const decide = (of: Copy, isExtra: boolean) =>
    of.decide(tickets.find(row => (row[1] === dinnerType) === isExtra)?.[0] as string, now)
  assert.deepEqual(decide(copy, true), { outcome: 'refused', reason: 'wrong_door' })
  assert.deepEqual(decide(copy, false), { outcome: 'admitted', reason: null })
  assert.deepEqual([copy.figuresAt(now).expected, [...copy.rows()].length], [1, 1])
  const there = await phone(dinner)
  assert.deepEqual(decide(there.copy, true), { outcome: 'admitted', reason: null })
  assert.equal(there.copy.figuresAt(now).expected, 2)
  await dinner.one(dinner.scan({ code: codeOf(1) }))
  assert.deepEqual(
    [(await phone(dinner)).copy.figuresAt(now).inside, (await phone(a)).copy.figuresAt(now).inside],
    [1, 0],
  )
})
