import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSymbolFont } from '#product/programme/submissions/symbol-font.ts'

/** Returns a text as Word puts it into the clipboard in its Symbol font. */
const pasted = (text: string) => text.replace(/./g, char => String.fromCharCode(0xf000 + char.charCodeAt(0)))

test('letters that were pasted in the Symbol font are the Greek ones that it shows', () => {
  assert.equal(withoutSymbolFont(pasted('abgdezhqiklmnxoprstufcyw')), 'αβγδεζηθικλμνξοπρστυφχψω')
  assert.equal(withoutSymbolFont(pasted('ABGDEZHQIKLMNXOPRSTUFCYW')), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ')
  assert.equal(withoutSymbolFont(pasted('JjVv')), 'ϑϕςϖ')
})

test('digits, signs and arrows of the Symbol font are those that it shows', () => {
  assert.equal(withoutSymbolFont(pasted('0 <= 1 (2-3)')), '0 <= 1 (2−3)')
  const places =
    '\uf0a3\uf0b3\uf0b1\uf0b4\uf0b9\uf0ae\uf0ab\uf0b0\uf0b7\uf0a5\uf0ce\uf0d6\uf0e5\uf0f2\uf0bb\uf0de\uf0e1\uf0f1\uf05e\uf0fe'
  assert.equal(withoutSymbolFont(places), '≤≥±×≠→↔°•∞∈√∑∫≈⇒⟨⟩⊥⎭')
})

test('what is not of the Symbol font stays as it is, and so do its empty places', () => {
  const plain = 'Greek αβγ, a box □, 𝛼, emoji 🧪, \ue000, \uf01f and \uf100.'
  assert.equal(withoutSymbolFont(plain), plain)
  const empty = '\uf07f\uf080\uf09f\uf0f0\uf0ff'
  assert.equal(withoutSymbolFont(empty), empty)
})
