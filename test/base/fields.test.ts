import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { english, faultsOf, say } from '#base/faults.ts'
import { label, name, timezone } from '#base/fields.ts'
import { toNfc } from '#base/words.ts'

function faultOf(schema: v.GenericSchema, value: unknown): string | undefined {
  const { issues } = v.safeParse(schema, value, { abortEarly: true })
  return issues && say(english, faultsOf(issues)[0].fault)
}

const invisible = {
  'zero-width space': '\u200b',
  'soft hyphens': '\u00ad\u00ad',
  'byte-order mark': '\ufeff\u200b',
  'word joiner': '\u2060',
  'turning marks': '\u202e\u202c',
  'braille blank': '\u2800',
  'Hangul fillers': '\u3164\u115f\u1160\uffa0',
  'Khmer vowels that nobody sees': '\u17b4\u17b5',
  'Mongolian vowel separator': '\u180e',
  'variation selectors': '\ufe0f\u{e0100}',
  tags: '\u{e0067}\u{e007f}',
  'null notehead': '\u{1d159}',
  'nobody’s code points': '\ufffe\u{1ffff}',
  'a combining mark': '\u0301',
  'a vowel sign without its letter': '\u093f',
  'all kinds among white space': ' \u200b\u00a0\u0301\u3164\u2800\u3000',
}

test('a name or a label that nobody can see is none', () => {
  for (const [what, text] of Object.entries(invisible)) {
    assert.equal(faultOf(name(), text), 'must have a visible character', what)
    assert.equal(faultOf(label(80), text), 'must have a visible character', what)
    assert.equal(faultOf(name(), `${text}x`), undefined, what)
    assert.equal(faultOf(label(80), `x${text}`), undefined, what)
  }
  assert.equal(faultOf(label(80), ' '), 'must have a visible character')
})

test('names are taken in every script, with all the marks that it writes', () => {
  const names = [
    'สุภาพรณ์ น้ำผึ้ง',
    'क्षत्रिय श्रीमती ज्योत्स्ना',
    'مُحَمَّدٌ ٱلْمُصْطَفَىٰ',
    'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים',
    'Nguyễn Thị Hạnh',
    'Nguyễn Thị Hạnh'.normalize('NFD'),
    'བསྟན་འཛིན་རྒྱ་མཚོ',
    '각'.normalize('NFD'),
    '👩🏽‍❤️‍💋‍👨🏿 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1️⃣',
    '\ue000',
    '\u{30000}',
    '.',
  ]
  for (const given of names) assert.equal(faultOf(name(), given), undefined, given)
})

test('a name has at most 30 combining marks in a row, however they are sent', () => {
  const message = 'must not have more than 30 combining marks in a row'
  const piles = [
    ['\u0334', 30],
    ['\u0301\u0316', 15],
    // This letter is two marks in NFC.
    ['\u0344', 15],
    // Nothing is between two of them but what nobody sees.
    ['\u0334\u200d', 30],
  ] as const
  for (const [marks, most] of piles) {
    assert.equal(faultOf(name(), `q${marks.repeat(most)}algo`), undefined, marks)
    assert.equal(faultOf(name(), `q${marks.repeat(most)}\u0334algo`), message, marks)
  }
  // A mark that becomes one character with its letter is in no row of marks.
  assert.equal(faultOf(name(), `e\u0301${'\u0334'.repeat(30)}`), undefined)
  assert.equal(faultOf(name(), `${'e\u0301'.repeat(100)}`), undefined)
  assert.equal(faultOf(name(), `${`q${'\u0334'.repeat(30)}`.repeat(6)}`), undefined)
})

test('a name is measured in the form that it is kept in, and one that cannot fit is not normalized', t => {
  const message = 'must have 1 to 200 characters'
  const normalize = t.mock.method(String.prototype, 'normalize')
  for (const unit of ['\u0301', '\u0301\u0316', 'x', '\u{1f600}', '\ufb2c']) {
    assert.equal(faultOf(name(), unit.repeat(100_000)), message)
  }
  assert.equal(normalize.mock.callCount(), 0)
  assert.equal(faultOf(name(), '\ufb2c'.repeat(66)), undefined)
  assert.equal(faultOf(name(), '\ufb2c'.repeat(67)), message)
  const longest = '\u{1d15e}'.repeat(100)
  assert.equal(faultOf(name(), longest), undefined)
  assert.equal(faultOf(name(), `${longest}x`), message)
  assert.ok(normalize.mock.callCount() > 0)
})

test('no code point comes from more than four, so that no legal name is taken for too long before it is normalized', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const parts = [...String.fromCodePoint(code).normalize('NFD')]
    assert.ok(parts.length <= 4, code.toString(16))
  }
})

test('a text is put into NFC, but for one with more marks on a letter than any script writes', t => {
  assert.equal(toNfc('Zoe\u0308'), 'Zo\u00eb')
  const legal = `a${'\u0301\u0316'.repeat(15)}`
  assert.equal(toNfc(legal), legal.normalize('NFC'))
  const normalize = t.mock.method(String.prototype, 'normalize')
  const piled = `e\u0308${'\u0301\u0316'.repeat(100_000)}`
  assert.equal(toNfc(piled), piled)
  assert.equal(normalize.mock.callCount(), 0)
})

test('a time zone is looked up only when its name could be one', () => {
  for (const zone of ['Europe/Madrid', 'America/Argentina/ComodRivadavia', 'Etc/GMT+12', 'UTC']) {
    assert.equal(faultOf(timezone, zone), undefined, zone)
  }
  for (const zone of [
    'A'.repeat(1_000_000),
    'Europe/Madrid\n',
    'Europe Madrid',
    '+01:00',
    'Europe/Nowhere',
  ]) {
    assert.equal(faultOf(timezone, zone), 'must be an IANA time zone such as Europe/Madrid')
  }
})
