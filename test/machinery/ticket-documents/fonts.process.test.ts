import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { prepareFonts } from '#app/fonts.ts'
import { openLog } from '#base/log.ts'
import { badgePdf } from '#machinery/ticket-documents/badge-pdf.ts'
import { covers, readCoverage } from '#machinery/ticket-documents/drawing/coverage.ts'
import { OutsideFonts } from '#machinery/ticket-documents/drawing/outside-fonts.ts'
import { regionOf } from '#machinery/ticket-documents/drawing/region.ts'
import { Shaper } from '#machinery/ticket-documents/drawing/shaper.ts'
import { useFonts } from '#machinery/ticket-documents/drawing/thread.ts'
import { listPdf } from '#machinery/ticket-documents/list-pdf.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { fontFile, madeFont, madeSquares, type Tables } from '#test/support/made-fonts.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { documentOf, TICKET_URL, ticketOf } from '#test/support/ticket-documents.ts'
import { eventually } from '#test/support/webhooks.ts'

const skip = withoutPoppler
const CHINESE = { 王: 'W', 小: 'X', 明: 'M', 山: 'S', '、': 'I' }

/** Makes a folder of fonts, and returns what is warned of while documents take letters from it. */
function useFolder(
  t: TestContext,
  files: Readonly<Record<string, Buffer>>,
): { folder: string; warnings: string[] } {
  const folder = temporaryFolder(t)
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), file)
  const warnings: string[] = []
  useFonts(folder, sentence => warnings.push(sentence))
  t.after(() => useFonts(undefined, () => undefined))
  return { folder, warnings }
}

async function textOf(t: TestContext, name: string): Promise<string> {
  return new PdfFile(t, await ticketPdf(documentOf({ tickets: [ticketOf(name)] }))).text(1)
}

for (const [outlines, font] of [
  ['TrueType', madeFont(CHINESE)],
  ['PostScript', madeSquares('王小明山、')],
] as const) {
  test(`a name in Chinese prints by a font of the server with ${outlines} outlines, is copied as it is, and is small`, {
    skip,
  }, async t => {
    const plain = await ticketPdf(documentOf({ tickets: [ticketOf('Wang')] }))
    const without = await textOf(t, '王小明')
    assert.match(without, /\[…\]/)
    const { warnings } = useFolder(t, { 'font.otf': fontFile(font) })
    const drawn = await ticketPdf(documentOf({ tickets: [ticketOf('王小明 Ann')] }))
    const text = new PdfFile(t, drawn).text(1)
    assert.ok(text.includes('王小明 Ann'), text)
    assert.doesNotMatch(text, /left out|\[…\]/)
    assert.ok(drawn.length - plain.length < 60_000, `${drawn.length - plain.length} bytes more`)
    // What it does not have is still told.
    assert.match(await textOf(t, '王 김'), /王 \[…\][\s\S]*were left out/)
    assert.deepEqual(warnings, [])
  })
}

test('the glyphs of a font with PostScript outlines are drawn where the name stands', { skip }, async t => {
  useFolder(t, { 'squares.otf': fontFile(madeSquares('王小明')) })
  const pdf = new PdfFile(t, await ticketPdf(documentOf({ tickets: [ticketOf('王王王')] })))
  const [box] = [
    ...pdf
      .text(1, '-bbox')
      .matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">王王王</g),
  ]
  const [left, top, right, bottom] = (box as RegExpMatchArray).slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const [picture] = pdf.pictures(72)
  const { grey, width } = picture as NonNullable<typeof picture>
  let dark = 0
  let all = 0
  for (let y = Math.ceil(top); y < bottom; y++) {
    for (let x = Math.ceil(left); x < right; x++) {
      all++
      if ((grey[y * width + x] as number) < 128) dark++
    }
  }
  // The squares are nine tenths of an em, and a line is higher than one.
  assert.ok(dark > all * 0.3, `${dark} of ${all} dots`)
})

test('lists on paper take their letters from the same fonts, and a ticket without such letters is the same with them', {
  skip,
}, async t => {
  const document = documentOf({ tickets: ['Grace', 'محمد', 'שלום', 'น้ำ'].map(name => ticketOf(name)) })
  const before = await ticketPdf(document)
  useFolder(t, { 'font.ttf': fontFile(madeFont({ ...CHINESE, G: 'Q', م: 'Q' })) })
  assert.ok(before.equals(await ticketPdf(document)))
  const rows = [{ name: '王小明', note: null, what: '山、Standard', isTicked: false }]
  const words = { about: 'List', columns: ['Name', 'Ticket'] as const, nobody: 'Nobody', leftOut: 'Left out' }
  const list = { language: 'en', title: 'List', author: 'Ada', issuedAt: 0, ...words, rows, page: () => '' }
  const drawn = new PdfFile(t, await listPdf(list, { lane: 'members', shares: ['account', 'person'] }))
  assert.match(drawn.text(1), /王小明[\s\S]*山、Standard/)
  assert.doesNotMatch(drawn.text(1), /Left out/)
})

test('a name in Chinese on a badge prints by a font of the server', { skip }, async t => {
  useFolder(t, { 'font.ttf': fontFile(madeFont(CHINESE)) })
  const layout = { format: 'card', width: 620, height: 400, offset_x: 0, offset_y: 0 } as const
  const badge = { title: 'Meeting', name: '王小明', answer: null, type: 'Standard', typeAt: 0 }
  const badges = [{ ...badge, code: null, codeLabel: '', leftOut: 'Some letters could not be printed' }]
  const words = { language: 'en', title: 'Badges', author: 'Ada', issuedAt: 0 }
  const drawn = await badgePdf({ ...words, layout, first: 1, badges }, { lane: 'badges' })
  assert.match(new PdfFile(t, drawn).text(1), /Meeting\s+王小明\s+Standard/)
})

test('a long text in Chinese is broken between its letters, and no line begins with its punctuation', {
  skip,
}, async t => {
  useFolder(t, { 'font.ttf': fontFile(madeFont(CHINESE)) })
  const title = `Ann ${'王小明山、'.repeat(12)}`
  const pdf = new PdfFile(t, await ticketPdf(documentOf({ event: { title }, tickets: [ticketOf('Ann')] })))
  const lines = pdf
    .text(1, '-layout')
    .split('\n')
    .filter(line => /[王小明山、]/u.test(line))
  assert.ok(lines.length > 1, pdf.text(1))
  assert.match(lines[0] as string, /Ann 王/)
  assert.ok(
    lines.every(line => !line.trim().startsWith('、')),
    lines.join('\n'),
  )
  assert.equal(lines.map(line => line.trim()).join(''), title)
})

test('a font whose glyphs are broken is used no longer and told in the log, and the ticket says what it left out', {
  skip,
}, async t => {
  const broken = new Map(madeFont(CHINESE))
  broken.set('loca', Buffer.alloc((broken.get('loca') as Buffer).length, 0x7f))
  const { warnings, folder } = useFolder(t, { 'a-broken.ttf': fontFile(broken) })
  const text = (await textOf(t, 'Ann 王小明')).replace(/\s+/g, ' ')
  assert.ok(text.includes('Ann […]') && text.includes(`shows them all: ${TICKET_URL}`), text)
  await eventually('it is told', () => warnings.length > 0)
  const path = join(folder, 'a-broken.ttf')
  assert.deepEqual(warnings, [`The font ${path} is no font, or is broken, so PDFs do without it.`])
  // Another font that has the letters would have drawn them.
  useFolder(t, { 'a-broken.ttf': fontFile(broken), 'b-good.ttf': fontFile(madeFont(CHINESE)) })
  assert.match(await textOf(t, 'Ann 王小明'), /Ann 王小明/)
})

test('what is wrong with the folder or its fonts is a sentence in the log, and the server starts', async t => {
  const folder = temporaryFolder(t)
  const start = (fontDir: string) => {
    const lines: { level: number; msg: string }[] = []
    const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
    prepareFonts({ fontDir }, log)
    t.after(() => useFonts(undefined, () => undefined))
    return lines.map(({ level, msg }) => `${level} ${msg}`)
  }
  const missing = join(folder, 'missing')
  assert.deepEqual(start(missing), [
    `40 The folder of fonts ${missing} cannot be read, so PDFs do without it.`,
  ])
  assert.deepEqual(start(folder), [`40 The folder of fonts ${folder} has no font.`])
  const without = (tags: readonly string[], tables: Tables = madeFont(CHINESE)) =>
    fontFile(new Map([...tables].filter(([tag]) => !tags.includes(tag))))
  const restricted = new Map(madeFont(CHINESE))
  const style = Buffer.from(restricted.get('OS/2') as Buffer)
  style.writeUInt16BE(2, 8)
  restricted.set('OS/2', style)
  const files: Record<string, Buffer> = {
    'cut.ttf': fontFile(madeFont(CHINESE)).subarray(0, 9_000),
    'deep/good.ttc': fontFile(madeFont(CHINESE), madeSquares('王')),
    'empty.otf': Buffer.alloc(0),
    'good.TTF': fontFile(madeFont(CHINESE)),
    'no-glyphs.ttf': without(['glyf']),
    'no-map.ttf': without(['cmap']),
    'none.ttf': Buffer.from('<!doctype html><title>Not found</title>'),
    'restricted.ttf': fontFile(restricted),
    'notes.txt': Buffer.from('These are fonts.'),
  }
  mkdirSync(join(folder, 'deep'))
  mkdirSync(join(folder, 'folder.otf'))
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), file)
  const said = (name: string, why: string) =>
    `40 The font ${join(folder, name)} ${why}, so PDFs do without it.`
  assert.deepEqual(start(folder), [
    said('cut.ttf', 'is no font, or is broken'),
    said('empty.otf', 'is no font, or is broken'),
    said('folder.otf', 'cannot be read'),
    said('no-glyphs.ttf', 'has no glyphs that a PDF can show'),
    said('no-map.ttf', 'is no font, or is broken'),
    said('none.ttf', 'is no font, or is broken'),
    said('restricted.ttf', 'says itself that it is for no document'),
  ])
  if (skip === false) assert.match(await textOf(t, '王小明'), /王小明/)
})

test('of several fonts that have a letter the one of its writing, without serifs, and of its weight is taken', t => {
  const folder = temporaryFolder(t)
  const fonts: [string, string, number][] = [
    ...['SC', 'TC', 'JP', 'KR'].flatMap((region): [string, string, number][] => [
      [`${region}-serif`, `Made Serif ${region}`, 400],
      [`${region}-mono`, `Made Mono ${region}`, 400],
      [`${region}-bold`, `Made Sans ${region}`, 700],
      [`${region}-regular`, `Made Sans ${region}`, 400],
    ]),
  ]
  const letters = { ...CHINESE, あ: 'A', 김: 'K', ㄅ: 'B' }
  for (const [name, family, weight] of fonts)
    writeFileSync(join(folder, `${name}.ttf`), fontFile(madeFont(letters, { family, weight })))
  const wasm = readFileSync(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm'))
  const outside = new OutsideFonts(new Shaper(Uint8Array.from(wasm)), folder, assert.fail)
  for (const [text, region] of [
    ['王小明', 'SC'],
    ['王ㄅ', 'TC'],
    ['山あ', 'JP'],
    ['김明', 'KR'],
  ] as const) {
    for (const weight of ['regular', 'bold'] as const) {
      const found = outside.find([text.codePointAt(0) as number], weight, regionOf(text))
      assert.equal(found?.name, join(folder, `${region}-${weight}.ttf`), text)
    }
  }
  assert.equal(outside.find(['ก'.codePointAt(0) as number], 'regular', 'china'), undefined)
})

test('the characters of a font are known by its table, in either form, and a broken table has none', () => {
  const groups = readCoverage(madeFont(CHINESE).get('cmap') as Buffer)
  for (const shown of Object.keys(CHINESE)) assert.ok(covers(groups, shown.codePointAt(0) as number), shown)
  for (const absent of ['A', '汉', '\u{10ffff}']) assert.ok(!covers(groups, absent.codePointAt(0) as number))
  const require = createRequire(import.meta.url)
  const thai = readFileSync(
    require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  )
  const record = Array.from({ length: thai.readUInt16BE(4) }, (_, at) => 12 + at * 16).find(
    at => thai.toString('latin1', at, at + 4) === 'cmap',
  ) as number
  const segments = readCoverage(thai.subarray(thai.readUInt32BE(record + 8)))
  assert.ok(
    covers(segments, 'ก'.codePointAt(0) as number) && !covers(segments, '王'.codePointAt(0) as number),
  )
  for (const broken of [Buffer.alloc(0), Buffer.alloc(40, 0xff), Buffer.alloc(3)])
    assert.equal(readCoverage(broken).length, 0)
})
