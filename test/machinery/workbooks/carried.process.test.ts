import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folder.ts'
import { readSheetRows } from '#test/support/read-sheet.ts'
import { sheetOf } from '#test/support/workbooks.ts'
import { bundle } from '../../../build/bundle.mjs'

/** The thread with its packages may add this many bytes to a program. */
const ROOM = 96 * 1024

test('a bundle reads and writes workbooks alone, carries the licences of its packages, and ends by itself', {
  timeout: 120_000,
}, async t => {
  const folder = temporaryFolder(t)
  const [entry, outfile] = [join(folder, 'entry.ts'), join(folder, 'alone', 'program.cjs')]
  const at = (name: string) => JSON.stringify(resolve(`src/machinery/workbooks/${name}.ts`))
  const file = sheetOf([['Guests'], ['Name'], ['李小龍']]).toString('base64')
  writeFileSync(
    entry,
    `import { readWorkbook } from ${at('reading')}
    import { writeSheet } from ${at('writing')}
    const bytes = Buffer.from('${file}', 'base64')
    const source = { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) }
    async function* rows() { for await (const piece of readWorkbook(source)) yield [[Buffer.from(piece).toString(), 2]] }
    async function write() {
      const columns = [{ header: 'Text', width: 9 }, { header: 'Number', width: 9, format: '0.00' }]
      const pieces = []
      for await (const piece of writeSheet({ name: 'A', columns }, rows())) pieces.push(piece)
      process.stdout.write(Buffer.concat(pieces).toString('base64'))
    }
    void write()`,
  )
  await bundle({ entryPoints: [entry], outfile }, [])
  const printed = execFileSync(process.execPath, [outfile], { cwd: folder, env: {}, timeout: 20_000 })
  assert.deepEqual(await readSheetRows(Buffer.from(printed.toString(), 'base64')), [
    ['Text', 'Number'],
    ['"Guests"\r\n"Name"\r\n"李小龍"\r\n', '2'],
  ])
  const program = readFileSync(outfile, 'latin1')
  for (const name of ['hucre', 'saxen']) assert.match(program, new RegExp(`^${name} \\d`, 'm'), name)
  // The packages that read and write are inside in compressed form, and nowhere else.
  assert.ok(!program.includes('writeXlsxStream') && !program.includes('unclosed tag'))
  const carried = program.replaceAll('\\\n', '').match(/[A-Za-z0-9+/=]{10000,}/g) ?? []
  const size = carried.reduce((sum, { length }) => sum + length, 0)
  t.diagnostic(`${size} bytes`)
  assert.ok(carried.length === 1 && size < ROOM, `${carried.length} files of ${size} bytes`)
})
