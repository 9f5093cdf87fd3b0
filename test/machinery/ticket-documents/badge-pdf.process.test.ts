import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BadgeMeasures, hasRoomForCode } from '#machinery/ticket-documents/badge-formats.ts'
import {
  BADGE_COLOURS,
  type BadgeDocument,
  badgePdf,
  type PrintedBadge,
} from '#machinery/ticket-documents/badge-pdf.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { png } from '#test/support/pictures.ts'
import { type Picture, readCode } from '#test/support/qr-reader.ts'
import { codeOf } from '#test/support/ticket-documents.ts'

const skip = withoutPoppler
const DOTS = 300
const toMillimetres = (dots: number) => (dots * 25.4) / DOTS

function badgeOf(name: string, changes: Partial<PrintedBadge> = {}): PrintedBadge {
  return {
    ...{ title: 'Spring Meeting', name, answer: null, type: 'Standard', typeAt: 0 },
    ...{ code: null, codeLabel: 'The code', leftOut: 'Some letters could not be printed', ...changes },
  }
}

type Parts = Partial<BadgeMeasures> & { first?: number; badges: readonly PrintedBadge[] }

async function read(t: TestContext, { first = 1, badges, ...layout }: Parts): Promise<PdfFile> {
  const measures = { format: 'card', width: 620, height: 400, offset_x: 0, offset_y: 0, ...layout } as const
  const document: BadgeDocument = {
    ...{ language: 'en', title: 'Badges', author: 'Elm Hall', issuedAt: 0 },
    ...{ layout: measures, first, badges },
  }
  return new PdfFile(t, await badgePdf(document, { lane: 'badges' }))
}

/** Returns the bars of types on a page: all runs of at least 25 dark mm, as left, top, right and bottom in millimetres. */
function barsOf({ width, height, grey }: Picture): [number, number, number, number][] {
  const bars: [number, number, number, number][] = []
  const long = (25 / 25.4) * DOTS
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = -1; x <= width; x++) {
      const isDark = x < width && (grey[y * width + x] as number) < 160
      if (isDark && from < 0) from = x
      if (isDark || from < 0) continue
      if (x - from >= long) {
        const [left, top, right] = [from, y, x].map(toMillimetres) as [number, number, number]
        // The letters of the type part the bar.
        const above = bars.find(bar => left > bar[0] - 0.2 && right < bar[2] + 0.2 && top - bar[3] < 6)
        if (above === undefined) bars.push([left, top, right, top])
        else above[3] = toMillimetres(y + 1)
      }
      from = -1
    }
  }
  return bars
}

function near(measured: number | undefined, wanted: number, what: string): void {
  assert.ok(
    measured !== undefined && Math.abs(measured - wanted) < 0.2,
    `${what}: ${measured} ≠ ${wanted} mm`,
  )
}

for (const [format, width, height] of [
  ['a6', 105, 148],
  ['a7', 74, 105],
  ['card', 86, 54],
  ['own', 62, 40],
] as const) {
  test(`a badge of format ${format} is a page of ${width} × ${height} mm, and its bar lies within`, {
    skip,
  }, async t => {
    const pdf = await read(t, { format, badges: [badgeOf('Ada'), badgeOf('Grace')] })
    const [, pages] = /Pages:\s+(\d+)/.exec(pdf.info()) ?? []
    assert.equal(pages, '2')
    const [, across, down] = /Page size:\s+([\d.]+) x ([\d.]+) pts/.exec(pdf.info()) ?? []
    near((Number(across) * 25.4) / 72, width, 'width')
    near((Number(down) * 25.4) / 72, height, 'height')
    const [bar] = barsOf(pdf.pictures(DOTS)[0] as Picture)
    const padding = Math.min(width, height) * 0.075
    near(bar?.[0], padding, 'left')
    near(bar?.[2], width - padding, 'right')
    near(bar?.[3], height - padding, 'bottom')
  })
}

for (const [format, columns, left, step, width] of [
  ['labels_14', 2, 4.65, 101.6, 99.1],
  ['labels_21', 3, 7.25, 66, 63.5],
] as const) {
  test(`the sheets of ${format} have their labels where those of A4 have them, from the one that is asked for, moved as it is asked`, {
    skip,
  }, async t => {
    const first = columns + 2
    const count = columns * 7
    const badges = Array.from({ length: count - first + 3 }, (_, at) => badgeOf(`Name ${at}`))
    const pdf = await read(t, { format, first, badges, offset_x: 15, offset_y: -20 })
    assert.match(pdf.info(), /595\.28 x 841\.89 pts \(A4\)/)
    const [one, two] = pdf.pictures(DOTS).map(barsOf)
    assert.equal(one?.length, count - first + 1)
    assert.equal(two?.length, 2)
    const padding = 38.1 * 0.075
    const place = (at: number, [barLeft, , barRight, bottom]: [number, number, number, number]) => {
      near(barLeft, left + (at % columns) * step + padding + 1.5, `left of label ${at + 1}`)
      near(barRight, left + (at % columns) * step + width - padding + 1.5, `right of label ${at + 1}`)
      near(bottom, 15.15 + (Math.floor(at / columns) + 1) * 38.1 - padding - 2, `bottom of label ${at + 1}`)
    }
    for (const [at, bar] of (one ?? []).entries()) place(first - 1 + at, bar)
    for (const [at, bar] of (two ?? []).entries()) place(at, bar)
  })
}

test('the code of each badge is read back from a picture of it, in every format that has room for one', {
  skip,
}, async t => {
  const formats = ['a6', 'a7', 'card', 'labels_14', 'labels_21', 'own'] as const
  for (const format of formats) {
    assert.ok(hasRoomForCode({ format, width: 620, height: 400 }))
    const pdf = await read(t, { format, badges: [badgeOf('Ada Lovelace', { code: codeOf(7) })] })
    assert.equal(readCode(pdf.pictures(DOTS)[0] as Picture), codeOf(7), format)
  }
  assert.ok(!hasRoomForCode({ format: 'own', width: 620, height: 200 }))
})

test('a short name is larger than a long one, and takes two lines at most', { skip }, async t => {
  const long = 'María de la Concepción Fernández-Castaño y Güell'
  const pdf = await read(t, { badges: [badgeOf('Ada Lovelace'), badgeOf(long)] })
  const heights = [1, 2].map(page => {
    const found = [...pdf.text(page, '-bbox').matchAll(/yMin="([\d.]+)"[^>]*yMax="([\d.]+)">([^<]+)</g)]
    const words = found.filter(([, , , word]) => !['Spring', 'Meeting', 'Standard'].includes(word as string))
    const lines = new Set(words.map(([, top]) => top))
    return { size: Math.max(...words.map(([, top, end]) => Number(end) - Number(top))), lines: lines.size }
  })
  const [short, other] = heights as [{ size: number; lines: number }, { size: number; lines: number }]
  assert.ok(short.size > other.size * 1.3, JSON.stringify(heights))
  assert.ok(short.lines <= 2 && other.lines === 2, JSON.stringify(heights))
})

test('names of 200 letters and of every script are printed whole, and a badge says it if its name was not', {
  skip,
}, async t => {
  const names = {
    letters: 'Wolfeschlegelsteinhausen'.repeat(9).slice(0, 200),
    words: 'Maximilian '.repeat(18).trim(),
    Greek: 'Ελένη Παπαδοπούλου',
    Cyrillic: 'Олександра Коваленко',
    Thai: 'สมชาย ใจดี',
    Hebrew: 'דוד בן גוריון',
    Arabic: 'ليلى حداد',
  }
  const all = Object.values(names).map(name => badgeOf(name))
  for (const format of ['labels_21', 'card'] as const) {
    const pdf = await read(t, { format, badges: all })
    const pages = format === 'card' ? all.map((_, at) => at + 1) : [1]
    const text = pages.map(page => pdf.text(page, '-raw')).join('\n')
    const letters = text.replace(/\s/g, '')
    for (const name of [names.letters, names.words, names.Greek, names.Cyrillic, names.Thai])
      assert.ok(letters.includes(name.replace(/\s/g, '')), `${format}: ${name} in ${text}`)
    for (const word of [...names.Hebrew.split(' '), ...names.Arabic.split(' ')])
      assert.ok(text.includes(word) || text.includes([...word].reverse().join('')), `${format}: ${word}`)
    assert.ok(!text.includes('Some letters'), text)
  }
  const pdf = await read(t, { badges: [badgeOf('李小龙'), badgeOf('Ada')] })
  assert.match(pdf.text(1), /Some letters could not be printed/)
  assert.match(pdf.text(2), /Spring Meeting/)
  assert.doesNotMatch(pdf.text(2), /Some letters/)
})

test('the answer stands below the name, the type on its colour, and the same badges give the same bytes', {
  skip,
}, async t => {
  const badges = [badgeOf('Ada', { answer: 'Elm Hall & <Sons>', type: 'Speaker', typeAt: 9 })]
  const pdf = await read(t, { badges })
  assert.match(pdf.text(1), /Spring Meeting\s+Ada\s+Elm Hall & <Sons>\s+Speaker/)
  const layout = { format: 'card', width: 620, height: 400, offset_x: 0, offset_y: 0 } as const
  const document = { language: 'en', title: 'B', author: 'E', issuedAt: 0, layout, first: 1, badges } as const
  const [one, two] = await Promise.all([1, 2].map(() => badgePdf(document, { lane: 'badges' })))
  assert.ok(one !== undefined && two !== undefined && one.equals(two))
})

test('a logo stands in the place of the title, and says to people who do not see it what the event is', {
  skip,
}, async t => {
  const file = png(120, 40)
  const layout = { format: 'card', width: 620, height: 400, offset_x: 0, offset_y: 0 } as const
  const words = { language: 'en', title: 'Badges', author: 'Elm Hall', issuedAt: 0 } as const
  const draw = (logo: BadgeDocument['logo']) =>
    badgePdf({ ...words, logo, layout, first: 1, badges: [badgeOf('Ada')] }, { lane: 'badges' })
  const plain = new PdfFile(t, await draw(undefined))
  const drawn = await draw({ file, width: 120, height: 40 })
  assert.match(plain.text(1), /Spring Meeting/)
  assert.doesNotMatch(new PdfFile(t, drawn).text(1), /Spring Meeting/)
  assert.ok(drawn.includes('/Subtype /Image'))
})

test('white letters have a contrast of 4.5 on the colour of each type', () => {
  for (const colour of BADGE_COLOURS) {
    const [red, green, blue] = colour.map(part => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    assert.ok(1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5, String(colour))
  }
})
