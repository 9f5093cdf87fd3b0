import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  findCreditorReferences,
  isCreditorReference,
  makeCreditorReference,
  newCreditorReference,
  printCreditorReference,
} from '#base/creditor-reference.ts'

/** The examples that are printed again and again, and one of Finland. */
const published = ['RF18539007547034', 'RF712348231', 'RF332348236', 'RF97C2H5OH', 'RF45G72UUR', 'RF6518K5']

const bodies = fc.stringMatching(/^[A-Z0-9]{1,21}$/)

/** The check of ISO 7064 by a number of any length, which has nothing in common with what is tested. */
function hasRightChecksum(reference: string): boolean {
  const moved = reference.slice(4) + reference.slice(0, 4)
  const digits = [...moved].map(character => String(Number.parseInt(character, 36))).join('')
  return BigInt(digits) % 97n === 1n
}

test('a reference is RF, two check digits and its body, as ISO 11649 has it', () => {
  for (const reference of published) {
    assert.equal(makeCreditorReference(reference.slice(4).toLowerCase()), reference)
    assert.ok(isCreditorReference(reference))
  }
  fc.assert(
    fc.property(bodies, body => {
      const reference = makeCreditorReference(body)
      assert.ok(isCreditorReference(reference) && hasRightChecksum(reference))
    }),
  )
  for (const body of ['', 'A'.repeat(22), 'A B', 'Ä', '1-2']) assert.throws(() => makeCreditorReference(body))
})

test('what is no reference, or has other check digits that divide as well, is none', () => {
  for (const text of [
    ...['', 'RF', 'RF18', 'RF18539007547035', 'RF81539007547034', 'RF18539007547043', 'rf18539007547034'],
    ...['RF18 5390 0754 7034', 'XX18539007547034', `RF18${'1'.repeat(22)}`, 'RF1853900754703٤'],
  ])
    assert.equal(isCreditorReference(text), false, text)
  for (let at = 0; at < 97; at++) {
    const reference = makeCreditorReference(String(at))
    const other = String(Number(reference.slice(2, 4)) + 97).padStart(2, '0')
    const less = String(Number(reference.slice(2, 4)) - 97).padStart(2, '0')
    for (const digits of [other, less]) {
      assert.equal(isCreditorReference(`RF${digits}${at}`), false)
      assert.ok(!findCreditorReferences(`RF${digits}${at}`).includes(`RF${digits}${at}`))
    }
  }
})

test('of a new reference, one wrong digit and two neighbours that have changed places are seen', () => {
  for (const reference of Array.from({ length: 50 }, newCreditorReference)) {
    for (let at = 2; at < reference.length; at++) {
      const put = (text: string, length: number) =>
        reference.slice(0, at) + text + reference.slice(at + length)
      for (const digit of '0123456789')
        if (digit !== reference[at]) assert.equal(isCreditorReference(put(digit, 1)), false)
      const [first, second] = [reference[at], reference[at + 1]]
      if (second !== undefined && first !== second)
        assert.equal(isCreditorReference(put(`${second}${first}`, 2)), false)
    }
  }
})

test('a new reference is three groups of four without letters behind RF', () => {
  const made = new Set(Array.from({ length: 1_000 }, newCreditorReference))
  assert.ok(made.size > 990)
  for (const reference of made) {
    assert.ok(isCreditorReference(reference))
    assert.match(printCreditorReference(reference), /^RF\d{2} \d{4} \d{4}$/)
  }
  assert.equal(printCreditorReference('RF18539007547034'), 'RF18 5390 0754 7034')
  assert.equal(printCreditorReference('RF6518K5'), 'RF65 18K5')
})

test('a known reference is found however a bank has mangled it', () => {
  const original = 'RF18539007547034'
  for (const text of [
    ...[original, 'rf18539007547034', 'RF18 5390 0754 7034', 'Rf18-5390-0754-7034', 'RF18.5390.0754.7034'],
    ...['/ROC/RF18539007547034//', '/ROC/RF18 5390 0754 7034//URI/', 'SVWZ+RF18 5390 0754 7034ABWA+Ann'],
    ...['EREF+RF18539007547034 SVWZ+Tickets', 'Tickets RF18 5390 07\n54 7034 danke', 'R\nF18539007547034'],
    ...['TICKETSRF18539007547034DANKE', 'RF18 5390 0754 7034 20261122', 'RF 18 5390\r\n0754\t7034,'],
    ...[
      'ＲＦ１８５３９００７５４７０３４',
      'RF18\u00a05390\u202f0754\u200b7034',
      'RF18–5390—0754−7034',
      'RF18\u00ad53900754\u00ad7034',
    ],
    ...['RF18 RF18539007547034', 'RF18539007RF18539007547034', 'Ref.:RF18539007547034/Ann Arbor'],
    `${'x'.repeat(2_000)}${original}`,
  ])
    assert.deepEqual(
      findCreditorReferences(text, reference => reference === original),
      [original],
      text.slice(-60),
    )
})

test('a reference that was cut, or is broken by other signs, is not found, and no other in its place', () => {
  const made = Array.from({ length: 300 }, newCreditorReference)
  const existing = new Set(made)
  for (const reference of made) {
    const printed = printCreditorReference(reference)
    for (let end = 0; end < printed.length; end++)
      assert.deepEqual(
        findCreditorReferences(printed.slice(0, end), each => existing.has(each)),
        [],
      )
    for (const limit of [35, 140]) {
      const text = `${'Tickets, thank you. '.repeat(10).slice(0, limit - 10)}${reference}`.slice(0, limit)
      assert.deepEqual(
        findCreditorReferences(text, each => existing.has(each)),
        [],
      )
    }
    assert.deepEqual(
      findCreditorReferences(reference.replace(/.{4}$/, '/$&'), each => existing.has(each)),
      [],
    )
  }
})

test('several references of one transfer are found in their order, each once', () => {
  const [one, other] = ['RF712348231', 'RF332348236']
  const existing = new Set([one, other])
  const find = (text: string) => findCreditorReferences(text, each => existing.has(each))
  assert.deepEqual(find(`${other} and ${one} and ${other}`), [other, one])
  assert.deepEqual(find(`${one}${other}`), [one, other])
})

test('nothing that is found has wrong check digits, whatever the text', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.stringMatching(/^[RrFf0-9 \n./+-]{0,30}$/),
    bodies.map(makeCreditorReference),
    bodies.map(body => printCreditorReference(makeCreditorReference(body)).toLowerCase()),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), texts => {
      for (const found of findCreditorReferences(texts.join('')))
        assert.ok(isCreditorReference(found) && hasRightChecksum(found), found)
    }),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), bodies, fc.string({ maxLength: 40 }), (before, body, after) => {
      const reference = makeCreditorReference(body)
      assert.ok(findCreditorReferences(`${before}${reference}${after}`).includes(reference))
    }),
  )
})

test('a text of any length costs little, and what is far behind is not looked at', {
  timeout: 10_000,
}, () => {
  for (const bad of ['RF18', 'R', 'RF18 ', ' ', 'RF\n', '1', 'ﷺ', '-', 'RF00'])
    for (let again = 0; again < 20; again++) findCreditorReferences(bad.repeat(1_000_000))
  assert.deepEqual(findCreditorReferences(`${'x'.repeat(20_000)}RF18539007547034`), [])
})
