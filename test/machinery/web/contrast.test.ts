import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const style = readFileSync(
  new URL('../../../src/machinery/web/assets/files/style/tokens.css', import.meta.url),
  'utf8',
)

/** The least contrast of text, and of what a control or a picture is recognised by (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5
const SHAPE = 3

/** Each ground with the tokens that text is written in on it. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ground: ['text', 'quiet', 'accent', 'bad'],
  surface: ['text', 'quiet', 'accent', 'bad'],
  sunken: ['text', 'quiet', 'accent'],
  'accent-soft': ['text', 'quiet', 'accent'],
  'good-soft': ['text', 'quiet', 'good'],
  'warn-soft': ['text', 'quiet', 'warn'],
  'bad-soft': ['text', 'quiet', 'bad'],
  accent: ['on-accent'],
  good: ['on-accent'],
  warn: ['on-accent'],
  bad: ['on-accent'],
}

/** The edges of fields and buttons, the ring of the focus, bars, discs, and the line below the open tab. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  ground: ['control', 'accent', 'bad', 'good', 'warn'],
  surface: ['control', 'accent', 'bad', 'good', 'text'],
  sunken: ['control', 'accent'],
  'accent-soft': ['control', 'accent'],
  'good-soft': ['accent', 'good'],
  'warn-soft': ['accent', 'warn'],
  'bad-soft': ['accent', 'bad'],
}

/** It only separates what is apart without it. */
const DECORATION = 'line'

type Rgb = readonly [number, number, number]
type Theme = 'hex' | 'light' | 'dark'

function fromHex(hex: string): Rgb {
  const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? [])
  return digits.map(pair => Number.parseInt(pair, 16) / 255) as unknown as Rgb
}

/** Converts a colour. Colours beyond what screens show are cut off, as browsers do (CSS Color 4, section 9.2). */
function fromOklch(written: string): Rgb {
  const [lightness = 0, chroma = 0, hue = 0] = written.split(' ').map(Number)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
  return linear.map(value => encode(Math.min(1, Math.max(0, value)))) as unknown as Rgb
}

/** Reads the colours of a style sheet, in each theme and for browsers that know no oklch. */
function readTokens(css: string): Record<Theme, Map<string, Rgb>> {
  const found = { hex: new Map<string, Rgb>(), light: new Map<string, Rgb>(), dark: new Map<string, Rgb>() }
  for (const [, name = '', hex = ''] of css.matchAll(/--([\w-]+): #(\w+);/g))
    found.hex.set(name, fromHex(hex))
  const pairs = /--([\w-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\)/g
  for (const [, name = '', light = '', dark = ''] of css.matchAll(pairs)) {
    found.light.set(name, fromOklch(light))
    found.dark.set(name, fromOklch(dark))
  }
  return found
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(value =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns each pair below its least contrast. */
function findFaint(css: string): string[] {
  const faint: string[] = []
  for (const [theme, tokens] of Object.entries(readTokens(css))) {
    const hold = (pairs: typeof texts, least: number, change = (color: Rgb) => color) => {
      for (const [ground, names] of Object.entries(pairs)) {
        for (const name of names) {
          const [over, under] = [tokens.get(name), tokens.get(ground)]
          assert.ok(over && under, `${theme} has ${name} and ${ground}`)
          const found = contrast(change(over), change(under))
          if (found < least) faint.push(`${theme}: ${name} on ${ground} ${found.toFixed(2)}`)
        }
      }
    }
    hold(texts, TEXT)
    hold(shapes, SHAPE)
    const brighter = Number(/filter: brightness\(([\d.]+)\)/.exec(css)?.[1])
    const brighten = (color: Rgb) => color.map(value => Math.min(1, value * brighter)) as unknown as Rgb
    hold({ accent: ['on-accent'], bad: ['on-accent'] }, TEXT, brighten)
  }
  return faint
}

/** The declarations of each rule; those around other rules have none. */
function readRules(css: string): { selector: string; declarations: [property: string, value: string][] }[] {
  const rules = css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)
  return [...rules].map(([, selector = '', body = '']) => ({
    selector: selector.trim(),
    declarations: [...body.matchAll(/([\w-]+):\s*([^;]+);/g)].map(([, property = '', value = '']) => [
      property,
      value,
    ]),
  }))
}

const tokensIn = (value: string, existing: ReadonlyMap<string, Rgb>) =>
  [...value.matchAll(/var\(--([\w-]+)\)/g)].map(([, name = '']) => name).filter(name => existing.has(name))

test('every text, control and picture stands out from each ground that it stands on, in both themes', () => {
  assert.deepEqual(findFaint(style), [])
})

test('a token that comes nearer to its ground is found, in whichever theme', () => {
  const names = [...new Set([...Object.values(texts), ...Object.values(shapes)].flat())]
  for (const name of names) {
    const pale = style
      .replace(new RegExp(`--${name}: #\\w+`), `--${name}: #999`)
      .replace(
        new RegExp(`--${name}: light-dark.*`),
        `--${name}: light-dark(oklch(0.7 0 0), oklch(0.5 0 0));`,
      )
    const themes = new Set(findFaint(pale).map(fault => fault.slice(0, fault.indexOf(':'))))
    assert.deepEqual([...themes], ['hex', 'light', 'dark'], name)
  }
})

test('each colour of the style is held against a ground, and rules that set both have their pair in the tables', () => {
  const { hex: existing } = readTokens(style)
  const grounds = new Set([...Object.keys(texts), ...Object.keys(shapes)])
  const written = new Set(Object.values(texts).flat())
  const drawn = new Set([...written, ...Object.values(shapes).flat(), ...grounds, DECORATION])
  for (const { selector, declarations } of readRules(style)) {
    const of = (names: RegExp) =>
      declarations
        .filter(([name]) => names.test(name))
        .flatMap(([property, value]) => (property.startsWith('--') ? [] : tokensIn(value, existing)))
    const [over, under] = [of(/^color$/), of(/^background/)]
    for (const name of over) assert.ok(written.has(name), `${selector}: text in ${name}`)
    for (const name of of(/^(border|outline|box-shadow|fill|stroke|accent-color)/)) {
      assert.ok(drawn.has(name), `${selector}: shape in ${name}`)
    }
    for (const ground of under) {
      assert.ok(grounds.has(ground), `${selector}: ground ${ground}`)
      for (const name of over) assert.ok(texts[ground]?.includes(name), `${selector}: ${name} on ${ground}`)
    }
  }
})

test('browsers that know no oklch get the same light colours, and no dark controls on them', () => {
  const { hex, light, dark } = readTokens(style)
  assert.deepEqual([...hex.keys()], [...light.keys()])
  assert.equal(dark.size, 16)
  for (const [name, color] of hex) {
    const away = color.map((value, at) => Math.abs(value - (light.get(name)?.[at] ?? 0)) * 255)
    assert.ok(Math.max(...away) <= 1.5, `${name} is ${away.map(Math.round)} away`)
  }
  const [before = '', after = ''] = style.split('@supports (color: light-dark')
  assert.match(before, /color-scheme: light;/)
  assert.match(after, /^[^}]*color-scheme: light dark;/)
})
