import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askWhichZone, findZone } from '#machinery/web/forms/zone-search.ts'
import { textsIn } from '#texts/catalogue.ts'

test('a place means its time zone, however it is written, and also by a name that is newer than the list', () => {
  for (const [typed, zone] of [
    ['Europe/Madrid', 'Europe/Madrid'],
    ['Madrid', 'Europe/Madrid'],
    [' new york ', 'America/New_York'],
    ['Bogotá', 'America/Bogota'],
    ['SÃO PAULO', 'America/Sao_Paulo'],
    ['Buenos Aires', 'America/Buenos_Aires'],
    ['Kyiv', 'Europe/Kyiv'],
    ['Kolkata', 'Asia/Kolkata'],
    ['UTC', 'UTC'],
  ]) {
    const found = findZone(typed as string)
    assert.equal(found, zone)
  }
})

test('a text that means no zone, or is longer than any name, means none', () => {
  for (const typed of ['', '  ', 'Nowhere', 'Europe/', 'Europe', '../Madrid', 'x'.repeat(1_000_000)]) {
    assert.equal(findZone(typed), undefined, typed.slice(0, 20))
  }
})

test('a part of a name lists at most five zones, and nothing lists none', () => {
  const listed = (typed: string) => askWhichZone(typed)?.say(textsIn('en'))
  assert.equal(listed('madr'), 'Choose a whole name, such as one of these: Europe/Madrid.')
  assert.equal(listed('europe')?.match(/Europe\//g)?.length, 5)
  for (const typed of ['', ' ', 'Madrid', 'Nowhere', 'x'.repeat(1_000_000)])
    assert.equal(listed(typed), undefined)
})
