import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areMatched, MAX_WORDS, termsOf, wordsOf } from '#base/words.ts'

const wordsOfName = (name: string) => [...wordsOf([{ name, email: null }])].map(word => word.normalize('NFC'))

const isFound = (text: string, name: string | null, email: string | null = null) =>
  areMatched(termsOf(text), [{ name, email }])

test('words have neither case nor marks, whatever way they were typed', () => {
  for (const [name, words] of [
    ['José  Ángel Müller-Straße', ['jose', 'angel', 'muller', 'strasse']],
    ['JOSE\u0301', ['jose']],
    ['Işık İnan', ['isik', 'inan']],
    ['Søren Łukasz Đorđe Ærø', ['soren', 'lukasz', 'dorde', 'aero']],
    ['ΟΔΥΣΣΕΥΣ', ['οδυσσευσ']],
    ['Ｇｒａｃｅ ﬁ', ['grace', 'fi']],
    ['Gr\u00adace\u200d', ['grace']],
    ['Олег', ['олег']],
    ['— ✨ —', []],
  ] as const) {
    assert.deepEqual(wordsOfName(name), words, name)
  }
  assert.ok(isFound('ΟΔΥΣ', 'Οδυσσεύς'))
  assert.ok(isFound('STRASSE', 'Straße') && isFound('straß', 'Strasse'))
})

test('a word is found by its beginning, never by its middle', () => {
  assert.ok(isFound('gra', 'Grace Hopper') && isFound('HOP', 'Grace Hopper'))
  assert.ok(!isFound('race', 'Grace Hopper') && !isFound('grace hopperx', 'Grace Hopper'))
  assert.ok(isFound('hop gra', 'Grace Hopper') && !isFound('hop ada', 'Grace Hopper'))
})

test('a name with an apostrophe is found with it, without it, and by what follows it', () => {
  for (const name of ["O'Brien", 'O’Brien', 'Oʼbrien']) {
    for (const text of ["o'brien", 'O’Br', 'obri', 'brien']) assert.ok(isFound(text, name), `${text} ${name}`)
  }
})

test('in Han, Kana and Hangul a word begins with each character', () => {
  assert.deepEqual(wordsOfName('山田太郎Grace'), ['山田太郎', '田太郎', '太郎', '郎', 'grace'])
  assert.deepEqual(wordsOfName('김한국'), ['김한국', '한국', '국'])
  assert.ok(isFound('太郎', '山田太郎') && isFound('ヤマダ', 'ﾔﾏﾀﾞ') && !isFound('山郎', '山田太郎'))
  // The last syllable is not finished yet.
  assert.ok(isFound('하', '김한국') && !isFound('ㅏ', '김한국'))
  // Past the first plane, UTF-16 and code points sort differently.
  assert.deepEqual(wordsOfName('𠮷野'), ['𠮷野', '野'])
})

test('of an e-mail the local part has words; one that is typed so far is compared as it is', () => {
  assert.deepEqual(
    [...wordsOf([{ name: null, email: 'Grace.Hopper+2026@navy.example' }])],
    ['grace', 'hopper', '2026'],
  )
  const email = 'grace@example.org'
  assert.ok(isFound('grace', null, email) && isFound('Grace@EXAM', null, email))
  assert.ok(!isFound('example', null, email) && !isFound('grace@org', null, email))
  for (const text of ['erika@mün', 'Erika@MÜNCHEN', 'erika@mu\u0308n', 'erika@xn--mnchen-3ya.de']) {
    assert.ok(isFound(text, null, 'erika@münchen.de'), text)
  }
  assert.ok(isFound('erika@münchen.de', null, 'erika@xn--mnchen-3ya.de'))
  assert.ok(!isFound('erika@müns', null, 'erika@münchen.de'))
})

test('however many people there are, and however long their names, the words are bounded', () => {
  const name = (at: number) =>
    String.fromCodePoint(...Array.from({ length: 200 }, (_, by) => 0x4e00 + at * 200 + by))
  const crowd = Array.from({ length: 100 }, (_, at) => ({ name: name(at), email: `guest${at}@example.org` }))
  const words = [...wordsOf([{ name: 'Grace', email: null }, ...crowd])]
  assert.equal(words.length, MAX_WORDS)
  assert.ok(words.every(word => [...word].length <= 32))
  // Each has some of the room.
  assert.ok(words.includes('guest40'))
  const [long] = crowd
  assert.ok(isFound(`${long?.name}`, long?.name ?? ''))
})

test('of the words that are looked for, those that begin another, or come twice, say no more', () => {
  assert.deepEqual(termsOf("ann anna Ann an bob o'").prefixes, ['anna', 'bob', 'o'])
  assert.deepEqual(termsOf(' -- ').prefixes, [])
})

test('a name that unfolds into a long run of letters before an apostrophe costs little', () => {
  const people = Array.from({ length: 100 }, (_, number) => ({
    name: `${'㌖'.repeat(190)}${number} '`,
    email: null,
  }))
  const start = performance.now()
  wordsOf(people)
  const took = performance.now() - start
  assert.ok(took < 1_000, `${took} ms`)
})
