import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumber, dayOf, holderAt, insideAt } from '#product/entrance/check-ins/entry-rule.ts'

const at = (iso: string) => Date.parse(iso)

test('a day at the door lasts from 06:00 to 06:00 by the clocks on the wall, also when they change', () => {
  const days: [instant: string, timezone: string, day: string][] = [
    ['2026-11-27T04:59:59.999Z', 'Europe/Madrid', '2026-11-26'],
    ['2026-11-27T05:00:00.000Z', 'Europe/Madrid', '2026-11-27'],
    ['2026-10-25T04:59:59.999Z', 'Europe/Madrid', '2026-10-24'],
    ['2026-10-25T05:00:00.000Z', 'Europe/Madrid', '2026-10-25'],
    ['2026-03-29T03:59:59.999Z', 'Europe/Madrid', '2026-03-28'],
    ['2026-03-29T04:00:00.000Z', 'Europe/Madrid', '2026-03-29'],
    ['2027-01-01T05:59:59.999Z', 'UTC', '2026-12-31'],
    ['2026-03-01T00:29:59.999Z', 'Asia/Kolkata', '2026-02-28'],
    ['2026-11-27T18:00:00.000Z', 'Pacific/Kiritimati', '2026-11-28'],
  ]
  for (const [instant, timezone, day] of days)
    assert.equal(dayOf({ entries: 'each_day' }, at(instant), timezone), day, `${instant} ${timezone}`)
  assert.equal(dayOf({ entries: 'once' }, at('2026-11-27T05:00:00Z'), 'UTC'), '-')
})

test('days are counted from the first of them, and none is before it', () => {
  const first = at('2026-11-26T23:00:00Z')
  assert.equal(dayNumber('2026-11-27', first, 'Europe/Madrid'), 1)
  assert.equal(dayNumber('2026-11-29', first, 'Europe/Madrid'), 3)
  assert.equal(dayNumber('2026-11-26', first, 'Europe/Madrid'), 1)
})

test('an entry holds its slot until its exit, and without a way back for its whole day', () => {
  const entries = [
    { at: at('2026-11-27T10:00:00Z'), leftAt: at('2026-11-27T11:00:00Z') },
    { at: at('2026-11-27T12:00:00Z'), leftAt: null },
  ]
  const both = { entries: 'each_day', reentry: true } as const
  const held = (iso: string, rule: Parameters<typeof holderAt>[0] = both) =>
    entries.indexOf(holderAt(rule, entries, at(iso), 'UTC') as never)
  assert.equal(held('2026-11-27T10:59:00Z'), 0)
  assert.equal(held('2026-11-27T11:00:00Z'), 1)
  assert.equal(held('2026-11-27T13:00:00Z'), 1)
  assert.equal(held('2026-11-28T13:00:00Z'), -1)
  assert.equal(held('2026-11-27T11:30:00Z', { entries: 'each_day', reentry: false }), 0)
  assert.equal(held('2026-11-28T13:00:00Z', { entries: 'once', reentry: true }), 1)
  const left = (iso: string) => entries.indexOf(insideAt(both, entries, at(iso), 'UTC') as never)
  assert.equal(left('2026-11-27T11:30:00Z'), -1)
  assert.equal(left('2026-11-27T12:30:00Z'), 1)
  assert.equal(left('2026-11-28T12:30:00Z'), -1)
})
