import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync('src/faces/scanner/page/style/result.css', 'utf8')

type Color = readonly [red: number, green: number, blue: number]
type Matrix = readonly [Color, Color, Color]

/** How eyes see that lack one kind of cone, in linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.0. */
const EYES: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** @param hex such as #8df5a6 or #000 @returns its parts in linear RGB */
function linear(hex: string): Color {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  return [1, 3, 5].map(at => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Color
}

function seenBy(matrix: Matrix, color: Color): Color {
  return matrix.map(row => {
    const sum = row.reduce((all, weight, at) => all + weight * (color[at] as number), 0)
    return Math.min(1, Math.max(0, sum))
  }) as unknown as Color
}

function contrast(one: Color, other: Color): number {
  const [dark, bright] = [one, other]
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

function colorsOf(kind: string): { on: string; under: string } {
  const [, on, under] =
    new RegExp(`^\\.${kind} \\{\\s+--on: (#\\w+);\\s+--under: (#\\w+);`, 'm').exec(css) ?? []
  assert.ok(on !== undefined && under !== undefined, kind)
  return { on, under }
}

const ANSWERS = ['admitted', 'used', 'refused'] as const

for (const [eyes, matrix] of Object.entries(EYES)) {
  test(`any two answers differ in brightness by 2.6 for ${eyes} eyes, and are read by them`, () => {
    const seen = ANSWERS.map(kind => {
      const { on, under } = colorsOf(kind)
      return { kind, on: seenBy(matrix, linear(on)), under: seenBy(matrix, linear(under)) }
    })
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        const found = contrast(one.under, other.under)
        assert.ok(found >= 2.6, `${one.kind} and ${other.kind}: ${found.toFixed(2)}`)
      }
      // WCAG 2.2 asks for 4.5, by usual eyes. Large letters need 3.
      const least = eyes === 'usual' ? 4.5 : 3
      assert.ok(contrast(one.on, one.under) >= least, one.kind)
    }
  })
}

test('the colours of before, which were equally bright, would be found', () => {
  assert.ok(contrast(linear('#046a38'), linear('#ad1119')) < 2.6)
})
