import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTime } from '#product/selling/order-mails/event-time.ts'

const timeOf = (
  starts_at: string | null,
  ends_at: string | null,
  timezone: string,
  language: 'en' | 'es' = 'en',
) => describeTime({ starts_at, ends_at, timezone }, language)

test('an event has its weekday and the clock of its place: of one day with one date, of several with both', () => {
  const [start, end] = ['2026-12-23T08:00:00.000Z', '2026-12-23T17:00:00.000Z']
  assert.equal(timeOf(start, end, 'Europe/Madrid'), 'Wednesday, 23 December 2026, 09:00–18:00 (Madrid time)')
  assert.equal(
    timeOf(start, end, 'Pacific/Auckland'),
    'Wednesday, 23 December 2026, 21:00 – Thursday, 24 December 2026, 06:00 (Auckland time)',
  )
  assert.equal(timeOf(start, null, 'Europe/Madrid'), 'Wednesday, 23 December 2026, 09:00 (Madrid time)')
  assert.equal(timeOf(null, null, 'Europe/Madrid'), 'Date to be announced')
})

test('a time zone is never named by its name in the database: by its city in the language of the reader, or as people write it', () => {
  const start = '2026-12-23T08:00:00.000Z'
  const clockOf = (zone: string, language: 'en' | 'es') =>
    /\((.*)\)$/.exec(timeOf(start, null, zone, language))?.[1]
  assert.deepEqual(
    (['Europe/London', 'America/Argentina/Buenos_Aires', 'Atlantic/Canary', 'UTC', 'Etc/UTC'] as const).map(
      zone => [clockOf(zone, 'en'), clockOf(zone, 'es')],
    ),
    [
      ['London time', 'hora de Londres'],
      ['Buenos Aires time', 'hora de Buenos Aires'],
      ['Canary Islands time', 'hora de Canarias'],
      ['UTC', 'UTC'],
      ['UTC', 'UTC'],
    ],
  )
  for (const zone of Intl.supportedValuesOf('timeZone'))
    for (const language of ['en', 'es'] as const)
      assert.doesNotMatch(clockOf(zone, language) ?? '/', /[/_]/, zone)
})
