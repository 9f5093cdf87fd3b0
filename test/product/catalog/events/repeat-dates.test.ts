import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DateTime } from 'luxon'
import { DAY, toLocalTime } from '#base/time.ts'
import { areTooMany, datesOf, judgeDates, readDates, readTime } from '#product/catalog/events/repeat-dates.ts'
import { MAX_REPEATED } from '#product/catalog/events/series-schemas.ts'

const MADRID = 'Europe/Madrid'
const NOW = Date.parse('2026-11-21T12:00:00Z')
const none: ReadonlySet<number> = new Set()

const judge = (locals: readonly string[], timezone = MADRID, taken = none) =>
  judgeDates(locals, { timezone, now: NOW, taken })

test('weekdays and times give each slot of each day between two dates, both included', () => {
  const pattern = { from: '2026-12-01', until: '2026-12-10', every: 1 }
  assert.deepEqual(datesOf({ ...pattern, weekdays: [2, 4], times: ['18:00', '09:30', '18:00'] }), [
    '2026-12-01T09:30',
    '2026-12-01T18:00',
    '2026-12-03T09:30',
    '2026-12-03T18:00',
    '2026-12-08T09:30',
    '2026-12-08T18:00',
    '2026-12-10T09:30',
    '2026-12-10T18:00',
  ])
  assert.deepEqual(datesOf({ ...pattern, weekdays: [], times: ['09:00'] }), [])
  assert.deepEqual(datesOf({ ...pattern, weekdays: [1], times: [] }), [])
  assert.deepEqual(datesOf({ ...pattern, until: '2026-11-30', weekdays: [1, 2], times: ['09:00'] }), [])
})

test('every second week counts from the week of the first day', () => {
  const pattern = { from: '2026-12-03', until: '2026-12-31', times: ['09:00'] }
  const days = (weekdays: number[], every: number) =>
    datesOf({ ...pattern, weekdays, every }).map(date => date.slice(5, 10))
  assert.deepEqual(days([1, 5], 2), ['12-04', '12-14', '12-18', '12-28'])
  assert.deepEqual(days([1, 5], 4), ['12-04', '12-28'])
})

test('each date of a pattern has its weekday and its time whatever the clocks do, in any zone and year', () => {
  const zones = [MADRID, 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia', 'UTC']
  let seed = 1
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  let changes = 0
  for (let round = 0; round < 400; round++) {
    const zone = zones[next(zones.length)] as string
    const start = DateTime.utc(2027 + next(20), 1 + next(12), 1 + next(28))
    const weekdays = [1 + next(7), 1 + next(7)]
    const times = [0, 1, 2].map(() => `${String(next(24)).padStart(2, '0')}:${next(2) === 0 ? '00' : '30'}`)
    const [from, until] = [start, start.plus({ days: next(80) })].map(day => day.toFormat('yyyy-MM-dd'))
    const every = 1 + next(3)
    const dates = datesOf({ weekdays, times, from: from as string, until: until as string, every })
    const judged = judge(dates, zone)
    assert.equal(new Set(dates).size, dates.length)
    assert.deepEqual(dates, [...dates].sort())
    for (const [at, { local, starts_at, fault }] of judged.entries()) {
      assert.equal(local, dates[at])
      const day = DateTime.fromISO(local, { zone: 'utc' })
      assert.ok(weekdays.includes(day.weekday) && times.includes(local.slice(11)))
      assert.ok(local.slice(0, 10) >= (from as string) && local.slice(0, 10) <= (until as string))
      if (fault === 'skipped') {
        changes++
        // No instant of that day shows it.
        const noon = day.toMillis()
        for (let each = noon - DAY; each <= noon + DAY; each += 30 * 60_000)
          assert.notEqual(toLocalTime(each, zone), local)
        continue
      }
      assert.equal(fault, null)
      assert.equal(toLocalTime(starts_at as number, zone), local)
      // Of a time that comes twice the first counts.
      for (let before = 1; before <= 4; before++)
        assert.notEqual(toLocalTime((starts_at as number) - before * 30 * 60_000, zone), local)
    }
  }
  assert.ok(changes > 0)
})

test('what cannot be is said of each date by itself', () => {
  const taken = new Set([Date.parse('2027-01-04T18:00:00Z')])
  const asked = [
    '2027-03-28T02:30',
    '2027-02-29T10:00',
    '2028-02-29T10:00',
    '2026-11-21T13:00',
    '2026-11-21T13:01',
    '2027-01-04T19:00',
    '2027-01-05T19:00',
    '2027-01-05T19:00',
    '2027-10-31T02:30',
    '2027-13-01T10:00',
  ]
  assert.deepEqual(
    judge(asked, MADRID, taken).map(({ local, fault, isTwice }) => [local, isTwice ? 'twice' : fault]),
    [
      ['2026-11-21T13:00', 'past'],
      ['2026-11-21T13:01', null],
      ['2027-01-04T19:00', 'taken'],
      ['2027-01-05T19:00', null],
      ['2027-01-05T19:00', 'double'],
      ['2027-02-29T10:00', 'no_such_day'],
      ['2027-03-28T02:30', 'skipped'],
      ['2027-10-31T02:30', 'twice'],
      ['2027-13-01T10:00', 'no_such_day'],
      ['2028-02-29T10:00', null],
    ],
  )
})

test('pasted lines are read in the ways that people write days, and the others are named', () => {
  const text =
    '2027-01-09 10:00, 12:30\n\n 9.1.2027 9h00\r\n10. 1. 2027\n2027-01-11T18:00:00\nnext Monday\n11.1.27 10:00\n2027-1-12;25:00'
  assert.deepEqual(readDates(text, ['20:00']), {
    dates: [
      '2027-01-09T10:00',
      '2027-01-09T12:30',
      '2027-01-09T09:00',
      '2027-01-10T20:00',
      '2027-01-11T18:00',
    ],
    unread: [
      { line: 6, text: 'next Monday' },
      { line: 7, text: '11.1.27 10:00' },
      { line: 8, text: '2027-1-12;25:00' },
    ],
  })
  for (const [text, time] of [
    ['9:00', '09:00'],
    ['23.59', '23:59'],
    ['24:00', undefined],
    ['9', undefined],
    ['9:0', undefined],
  ] as const)
    assert.equal(readTime(text), time)
})

test('200 dates are not too many, and one more is, but for those that cannot be', () => {
  const times = Array.from({ length: 20 }, (_, at) => `${String(at).padStart(2, '0')}:15`)
  const dates = datesOf({
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    times,
    from: '2027-01-01',
    until: '2027-01-10',
    every: 1,
  })
  assert.equal(dates.length, MAX_REPEATED)
  assert.equal(areTooMany(judge(dates)), false)
  assert.equal(areTooMany(judge([...dates, '2027-02-29T10:00', dates[0] as string])), false)
  assert.equal(areTooMany(judge([...dates, '2027-02-01T10:00'])), true)
})

test('a pattern over thousands of years is given up long before it is counted', () => {
  const dates = datesOf({
    weekdays: [1],
    times: ['10:00'],
    from: '2027-01-01',
    until: '9999-12-31',
    every: 1,
  })
  assert.ok(dates.length > MAX_REPEATED && dates.length < 1_300)
})
