import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { documentOf, ticketOf } from '#test/support/ticket-documents.ts'
import { bundle } from '../../../build/bundle.mjs'

/** Fonts and all that draws may add this many bytes to a program. */
const ROOM = 1.5 * 1024 * 1024

test('a bundle draws the same tickets alone, carries the licences of its fonts, and ends by itself', {
  timeout: 120_000,
}, async t => {
  const folder = temporaryFolder(t)
  const document = documentOf({ tickets: ['Grace', 'محمد 2026', 'שלום', 'น้ำ'].map(name => ticketOf(name)) })
  const [entry, outfile] = [join(folder, 'entry.ts'), join(folder, 'alone', 'program.cjs')]
  const module = JSON.stringify(resolve('src/machinery/ticket-documents/ticket-pdf.ts'))
  writeFileSync(
    entry,
    `import { ticketPdf } from ${module}
    ticketPdf(${JSON.stringify(document)}).then(pdf => process.stdout.write(pdf.toString('base64')))`,
  )
  await bundle({ entryPoints: [entry], outfile }, [])
  const printed = execFileSync(process.execPath, [outfile], { cwd: folder, env: {}, timeout: 20_000 })
  assert.ok(Buffer.from(printed.toString(), 'base64').equals(await ticketPdf(document)))
  const program = readFileSync(outfile, 'latin1')
  assert.ok(program.includes('The Noto Project Authors') && program.includes('SIL OPEN FONT LICENSE'))
  for (const name of ['pdfkit', 'fontkit', 'bidi-js', 'harfbuzzjs', '@expo-google-fonts/noto-sans-thai']) {
    assert.match(program, new RegExp(`^${name} \\d`, 'm'), name)
  }
  const carried = program.replaceAll('\\\n', '').match(/[A-Za-z0-9+/=]{10000,}/g) ?? []
  const size = carried.reduce((sum, { length }) => sum + length, 0)
  assert.ok(carried.length === 10 && size < ROOM, `${carried.length} files of ${size} bytes`)
})
