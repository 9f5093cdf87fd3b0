import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { slug as slugSchema } from '#base/fields.ts'
import { slugOf, withNumber } from '#product/catalog/events/slug.ts'

test('a slug is the words of the title in Latin letters, and "event" where it has none', () => {
  const slugs: Record<string, string> = {
    'Spring Meeting 2027!': 'spring-meeting-2027',
    '  “Ada’s” Straße – Ñandú  ': 'adas-strasse-nandu',
    'Łódź Æther İstanbul': 'lodz-aether-istanbul',
    'Конференция в Київі': 'konferentsiya-v-kiivi',
    'Αθήνα Φως': 'athina-fos',
    '50 % off': '50-off',
    v1: 'v1',
    '山田 花子': 'event',
    '🎪': 'event',
    '---': 'event',
  }
  for (const [title, slug] of Object.entries(slugs)) assert.equal(slugOf(title), slug, title)
})

test('a slug of any title is one, with a number too', () => {
  const titles = ['ا', 'مؤتمر ', 'a', 'ab ', 'щ', 'ж ', 'ﷺ', 'é', '-', 'a-', '\u0301'].map(part =>
    part.repeat(200),
  )
  for (const title of [...titles, `${'a'.repeat(79)} b`, `${'a'.repeat(78)}-b`]) {
    for (const slug of [slugOf(title), withNumber(slugOf(title), 2), withNumber(slugOf(title), 1234)]) {
      assert.ok(v.safeParse(slugSchema, slug).success, slug)
      assert.doesNotMatch(slug, /^-|-$|--/)
    }
  }
})

test('what is too long ends with a whole word, if there is more than one, and a number takes of its length', () => {
  const words = slugOf('word '.repeat(40))
  assert.equal(words, Array(16).fill('word').join('-'))
  assert.equal(slugOf('a'.repeat(200)), 'a'.repeat(80))
  assert.equal(withNumber('a'.repeat(80), 2), `${'a'.repeat(78)}-2`)
  assert.equal(withNumber(`${'a'.repeat(77)}-bb`, 10), `${'a'.repeat(77)}-10`)
})
