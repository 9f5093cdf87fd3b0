import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { SheetDrawer } from './draw-sheet.ts'
import { Typesetter } from './lines.ts'
import { Pen } from './pen.ts'
import { Shaper } from './shaper.ts'
import type { Carried, Sheets } from './sheet.ts'
import { Typefaces } from './typefaces.ts'

// Runs in a thread of its own: draws documents, one after the other.

const carried = workerData as Carried
const shaper = new Shaper(brotliDecompressSync(carried.get('harfbuzz') as Uint8Array))
const typesetter = new Typesetter(new Typefaces(shaper, carried), shaper)

async function draw({ language, title, author, issuedAt, sheets }: Sheets): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    tagged: true,
    autoFirstPage: false,
    font: '',
    // Without the time at which it is made: the same tickets are the same file.
    info: {
      Title: title,
      Author: author,
      Producer: 'Turnout',
      Creator: 'Turnout',
      CreationDate: new Date(issuedAt),
    },
  })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = once(document, 'end')
  const pen = new Pen(document, shaper)
  const drawer = new SheetDrawer(document, typesetter, pen)
  for (const sheet of sheets) drawer.draw(sheet)
  pen.end()
  document.end()
  await ended
  return Buffer.concat(parts)
}

parentPort?.on('message', (sheets: Sheets) => {
  draw(sheets).then(
    pdf => parentPort?.postMessage(pdf),
    (error: unknown) => parentPort?.postMessage(error),
  )
})
