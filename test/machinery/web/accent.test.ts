import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { accentOf, accentPath, accentSheet, findAccentSheet, LEAST_CONTRAST } from '#machinery/web/accent.ts'
import { contrastOf, readHex, toHex, toOklch, toRgb } from '#machinery/web/oklch.ts'

/** Every colour whose parts are multiples of 17: 4,096 of them. */
const COLOURS = Array.from({ length: 4096 }, (_, at) =>
  toHex([(at >> 8) * 17, ((at >> 4) & 15) * 17, (at & 15) * 17]),
)

/** The colours of style.css in both schemes, as the browser computes them. */
function groundsOf(scheme: 'light' | 'dark'): string[] {
  const css = readFileSync('src/machinery/web/assets/files/style/tokens.css', 'utf8')
  return ['ground', 'surface', 'sunken'].map(name => {
    const found = new RegExp(`--${name}: light-dark\\(oklch\\(([^)]+)\\), oklch\\(([^)]+)\\)\\)`).exec(css)
    const [lightness = 0, chroma = 0, hue = 0] = (found?.[scheme === 'light' ? 1 : 2] ?? '')
      .split(' ')
      .map(Number)
    return toHex(toRgb({ lightness, chroma, hue: (hue * Math.PI) / 180 }))
  })
}

const contrast = (one: string, other: string) => contrastOf(readHex(one), readHex(other))

test('of 4,096 colours each gives links and buttons that can be read, in the light and in the dark', () => {
  assert.equal(new Set(COLOURS).size, 4096)
  for (const scheme of ['light', 'dark'] as const) {
    const grounds = groundsOf(scheme)
    for (const colour of COLOURS) {
      const { accent, on, soft } = accentOf(colour)[scheme]
      for (const ground of [...grounds, soft])
        assert.ok(contrast(accent, ground) >= LEAST_CONTRAST, `${colour}: ${accent} on ${ground}`)
      assert.ok(contrast(on, accent) >= LEAST_CONTRAST, `${colour}: ${on} on ${accent}`)
    }
  }
})

test('text and what is quiet can be read on the soft ground of each of them', () => {
  const inks = { light: ['#1a2029', '#535b67'], dark: ['#e9ebee', '#a5acb8'] } as const
  for (const scheme of ['light', 'dark'] as const)
    for (const colour of COLOURS)
      for (const ink of inks[scheme])
        assert.ok(contrast(ink, accentOf(colour)[scheme].soft) >= LEAST_CONTRAST, `${ink} for ${colour}`)
})

test('a colour that can be read stays as it is, and any other keeps its hue and no more chroma than it had', () => {
  assert.equal(accentOf('#2855ad').light.accent, '#2855ad')
  assert.equal(accentOf('#ffee00').dark.accent, '#ffee00')
  for (const colour of COLOURS) {
    const given = toOklch(readHex(colour))
    for (const scheme of ['light', 'dark'] as const) {
      const made = toOklch(readHex(accentOf(colour)[scheme].accent))
      assert.ok(made.chroma <= given.chroma + 0.01, `${colour} in the ${scheme}`)
      // Of a colour that is nearly grey nobody sees the hue.
      if (made.chroma < 0.04) continue
      const turned = Math.abs(((made.hue - given.hue + 3 * Math.PI) % (2 * Math.PI)) - Math.PI)
      assert.ok(turned < 0.06, `${colour} in the ${scheme}: ${turned}`)
    }
  }
})

test('lightness goes no further than it must', () => {
  for (const colour of ['#ffffff', '#ffcc00', '#33cc33', '#2647c8', '#000000'])
    for (const [scheme, grounds] of [
      ['light', groundsOf('light')],
      ['dark', groundsOf('dark')],
    ] as const) {
      const { accent, soft } = accentOf(colour)[scheme]
      if (accent === colour) continue
      const least = Math.min(...[...grounds, soft].map(ground => contrast(accent, ground)))
      assert.ok(least < LEAST_CONTRAST + 0.35, `${colour} in the ${scheme}: ${least}`)
    }
})

test('the address of a style sheet has the hash of its content, and no other address has one', () => {
  const path = accentPath('#c0392b')
  const file = path.slice(path.lastIndexOf('/') + 1)
  assert.match(file, /^c0392b\.[\w-]{12}\.css$/)
  assert.equal(findAccentSheet(file), accentSheet('#c0392b'))
  for (const wrong of ['c0392b.css', file.replace('c0', 'c1'), `${file}x`, '', '../style.css', 'C0392B.css'])
    assert.equal(findAccentSheet(wrong), undefined, wrong)
})
