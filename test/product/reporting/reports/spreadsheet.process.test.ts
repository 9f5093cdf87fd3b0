import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readCsv } from '#test/support/csv.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const isInstalled = spawnSync('soffice', ['--version']).status === 0
const skip = isInstalled ? false : 'LibreOffice is not installed (no soffice in the path)'

/** The options of LibreOffice: comma, double quote, UTF-8, from the first line. */
const CSV = 'Text - txt - csv (StarCalc):44,34,76,1'

const texts = [
  '=1+1',
  '+31612345678',
  '+31+1',
  '-5',
  '-5+5',
  '@SUM(A1:A9)',
  '=HYPERLINK("https://example.org/","click")',
  '＝1+1',
  '＋31+1',
  '－5',
  '＠SUM',
  ' =1+1',
  '\u00a0=1+1',
  '\u2028=1+1',
  '\t=1+1',
  '\r=1+1',
  '\r\n-1+1',
  'a,b;c\td',
  'say ""hello""',
  '"',
  'two\r\nlines, and\na third',
  '🎟️ 👩‍👩‍👧 ümläut',
  'x'.repeat(5000),
  `${'"'.repeat(2400)}${'\r\n'.repeat(100)}end`,
]

/** Opens CSV in LibreOffice, and gives what it saved it as. */
function openAndSave(t: TestContext, csv: string, format: 'fods' | 'csv'): string {
  const folder = temporaryFolder(t)
  const [source, target] = [join(folder, 'report.csv'), join(folder, 'saved')]
  mkdirSync(target)
  writeFileSync(source, csv)
  const run = spawnSync(
    'soffice',
    [
      `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`,
      '--headless',
      `--infilter=${CSV}`,
      '--convert-to',
      format === 'csv' ? `csv:${CSV},,0,true,true` : format,
      '--outdir',
      target,
      source,
    ],
    { encoding: 'utf8', timeout: 60_000 },
  )
  assert.equal(run.status, 0, run.stderr)
  return readFileSync(join(target, `report.${format}`), 'utf8')
}

/** Reads what LibreOffice writes: lines that end in LF, and quotes around texts alone. */
function readLoosely(csv: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, field = '', end] of csv.matchAll(/("(?:[^"]|"")*"|[^",\n]*)([,\n])/g)) {
    lines.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

const withPlainBreaks = (text: string) => text.replace(/\r\n?/g, '\n')

test('LibreOffice evaluates a cell that is not made safe', { skip }, t => {
  assert.match(openAndSave(t, '\ufeff"=1+1","+1+1"\r\n', 'fods'), /table:formula="of:=1\+1"/)
})

test('LibreOffice opens the CSV with the same rows, and evaluates no cell', { skip }, async t => {
  const { client, eventId, ...server } = await startWithOrganization(t)
  for (const text of texts) {
    const answers = { a: text, b: text }
    const body = newRegistration({ eventId, types: server.types }, { answers })
    assert.equal((await client.post('/registrations', body)).status, 201)
  }
  const { text: csv } = await client.get(`/reports/registrations?event_id=${eventId}&format=csv`)
  assert.doesNotMatch(openAndSave(t, csv, 'fods'), /table:formula|#NAME|#VALUE|Err:/)
  const saved = readLoosely(openAndSave(t, csv, 'csv'))
  const [columns = [], ...lines] = readCsv(csv)
  assert.deepEqual(saved[0], columns)
  const typed = columns.flatMap((column, at) =>
    /^(answer:|buyer_|attendee_|status)/.test(column) ? [at] : [],
  )
  assert.ok(typed.length >= 8)
  const cellsOf = (cells: string[]) => typed.map(at => withPlainBreaks(cells[at] as string))
  assert.deepEqual(saved.slice(1).map(cellsOf), lines.map(cellsOf))
})
