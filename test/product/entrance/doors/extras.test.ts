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

test('a phone without a network lists the extras of an order too, as far as it knows that they were not handed out', async t => {
  const { a, dinner, codeOf, types, db, accountId, client, eventId } = await start(t)
  const listOf = async (door: typeof a) => {
    const { body } = (await door.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
    const copy = new Copy(body.device)
    copy.replace(body, Date.parse(body.now))
    const ofType = (name: string) => body.tickets.filter(row => row[1] === types[name]).map(([id]) => id)
    return { body, copy, ofType }
  }
  const alone = await client.post('/registrations', {
    event_id: eventId,
    registration_type_id: types.Guest,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  })
  const { body, copy, ofType } = await listOf(a)
  const other = alone.body.attendees[0].id as string
  const [guest = ''] = ofType('Guest').filter(id => id !== other)
  const extrasOf = (id: string) => copy.extrasOf(copy.find(id))
  assert.deepEqual(extrasOf(guest), [['Dinner', 2]])
  assert.equal(extrasOf(other), undefined, 'no order of its own')
  const [first = '', second = ''] = ofType('Dinner')
  assert.equal(extrasOf(first), undefined, 'an extra has none itself')
  assert.deepEqual(
    body.tickets.map(row => row.length),
    body.tickets.map(([id]) => (id === other ? 8 : 10)),
  )
  // Another door hands one out, which comes with the changes.
  const handed = codeOf(1)
  await dinner.one(dinner.scan({ code: handed }))
  copy.change((await a.changes(body.cursor)).body, Date.parse(body.now))
  assert.deepEqual(extrasOf(guest), [['Dinner', 1]])
  const shown = await a.one(a.scan({ code: codeOf(0) }))
  assert.deepEqual(shown.extras, extrasOf(guest), 'as the server says')
  copy.put(shown.ticket)
  assert.deepEqual(extrasOf(guest), [['Dinner', 1]], 'the ticket of an answer knows its order too')
  // What this phone itself hands out counts at once.
  for (const id of [first, second]) copy.mark(id, { scanId: `s-${id}`, at: body.now })
  assert.equal(extrasOf(guest), undefined)
  for (const id of [first, second]) copy.unmark(id, `s-${id}`)
  await db.write(accountId, tx =>
    tx.run(
      "UPDATE registrations SET status = 'cancelled', cancelled_at = confirmed_at WHERE registration_type_id = $1",
      [types.Dinner as string],
    ),
  )
  const after = await listOf(a)
  assert.equal(after.copy.extrasOf(after.copy.find(guest)), undefined, 'nor are cancelled ones listed')
})

test('the list says how many are in as a phone counts them, and extras only at a door that hands out nothing else', async t => {
  const { a, dinner, codeOf } = await start(t)
  const figuresOf = async (door: typeof a) => {
    const { body } = (await door.copy()) as unknown as { body: CopyAnswer & { device: Copy['device'] } }
    const copy = new Copy(body.device)
    copy.replace(body, Date.parse(body.now))
    assert.deepEqual(body.figures, copy.figuresAt(Date.parse(body.now)))
    return body.figures
  }
  assert.deepEqual(await figuresOf(a), { inside: 0, expected: 1, here: 0 })
  assert.deepEqual(await figuresOf(dinner), { inside: 0, expected: 2, here: 0 })
  await a.one(a.scan({ code: codeOf(0) }))
  await dinner.one(dinner.scan({ code: codeOf(1) }))
  assert.deepEqual(await figuresOf(a), { inside: 1, expected: 1, here: 1 })
  assert.deepEqual(await figuresOf(dinner), { inside: 1, expected: 2, here: 1 })
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
