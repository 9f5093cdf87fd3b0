import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEntries } from '#product/entrance/check-ins/entry-hours.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { organization } from '#test/support/organization.ts'

const ZONE = 'Europe/Madrid'

test('entries and exits are counted by the hours of the event, a night with the day before, also where the clocks change', async t => {
  const dates = { starts_at: '2027-10-30T09:00:00Z', ends_at: '2027-11-07T18:00:00Z', timezone: ZONE }
  const types = [{ name: 'Standard', price: 0, capacity: 100, entries: 'each_day', reentry: true }]
  const server = await startWithDoors(t, organization({ event: { ...dates, registration_types: types } }))
  const { a, b, sell, clock, db, accountId, eventId } = server
  const [one, two] = [await sell(), await sell()]
  const event = { id: eventId, timezone: ZONE }
  const look = async (of = accountId) => {
    const { inside, hours, isMore } = await countEntries(db, of, event, clock())
    assert.equal(isMore, false)
    return [
      inside,
      ...hours.map(({ day, at, entered, left }) => [
        day,
        new Date(at).toISOString().slice(5, 16),
        entered,
        left,
      ]),
    ]
  }
  assert.deepEqual(await look(), [0])
  clock.set('2027-10-30T21:10:00Z') // 23:10 in Madrid
  await a.one(a.scan({ code: one.code }))
  clock.set('2027-10-30T21:50:00Z')
  await a.one(a.scan({ code: two.code }))
  // At 03:00 of the next morning it is 02:00 once more.
  clock.set('2027-10-31T00:20:00Z')
  await b.one(b.exit({ code: one.code }))
  clock.set('2027-10-31T01:20:00Z')
  await a.one(a.scan({ code: one.code }))
  const night = [
    ['2027-10-30', '10-31T01:00', 1, 0],
    ['2027-10-30', '10-31T00:00', 0, 1],
    ['2027-10-30', '10-30T21:00', 2, 0],
  ]
  assert.deepEqual(await look(), [2, ...night])
  // At 06:00 the day begins on which nobody has come yet.
  clock.set('2027-10-31T04:59:59Z')
  assert.deepEqual(await look(), [2, ...night])
  clock.set('2027-10-31T05:00:00Z')
  assert.deepEqual(await look(), [0, ...night])
  await b.one(b.scan({ code: two.code }))
  assert.deepEqual(await look(), [1, ['2027-10-31', '10-31T05:00', 1, 0], ...night])
  assert.deepEqual(await look('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'), [0], 'nothing of another account')
})
