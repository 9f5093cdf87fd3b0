import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { DAY } from '#base/time.ts'
import { Placeholders } from './placeholders.ts'

test('an id is named by the request that it came with first, and keeps its name', () => {
  const placeholders = new Placeholders()
  const [one, other] = [newUuid(), newUuid()]
  assert.equal(placeholders.put(`${one} ${other} ${one}`, 3), '<id 3.1> <id 3.2> <id 3.1>')
  assert.equal(placeholders.put(`${newUuid()} ${other}`, 7), '<id 7.1> <id 3.2>')
})

test('the times of a run are left out however they are written, and those of what is sold stay', () => {
  const put = (text: string) => new Placeholders().put(text, 1)
  const now = new Date(Date.now() + DAY)
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }).format(now)
  for (const text of [now.toISOString(), String(now.getTime()), written('en-GB'), written('es')])
    assert.equal(put(`at ${text}.`), 'at <time>.', text)
  assert.equal(put(`${written('en-GB')}, 14:05`), '<time>')
  for (const text of ['2031-05-12T09:00:00.000Z', '12 May 2031', '20310512T090000Z', '09:00'])
    assert.equal(put(text), text)
})

test('the names of things and words of a page are no ids', () => {
  const text = 'registrationTypeDescription border-inline-start-color /manage/forgotten 404'
  assert.equal(new Placeholders().put(text, 1), text)
})
