import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { ListDrawer } from './draw-list.ts'
import { ReceiptDrawer } from './draw-receipt.ts'
import { SheetDrawer } from './draw-sheet.ts'
import { Typesetter } from './lines.ts'
import { Pen } from './pen.ts'
import { Shaper } from './shaper.ts'
import type { Carried, Sheets } from './sheet.ts'
import { Typefaces } from './typefaces.ts'

/** As the scheduler of the system counts: the higher, the later. So low that requests go first, and not that others starve it. */
const LOW_PRIORITY = 5

// Runs in a thread of its own: draws documents, one after the other, and later than requests are answered, where both wait for a
// processor. On Linux alone a thread has a priority of its own.
try {
  if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)
} catch {
  // Some systems let nobody.
}
const carried = workerData as Carried
const shaper = new Shaper(brotliDecompressSync(carried.get('harfbuzz') as Uint8Array))
const typesetter = new Typesetter(new Typefaces(shaper, carried), shaper)

function draw({ language, title, author, issuedAt, sheets }: Sheets): Buffer {
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
      Title: plain(title),
      Author: plain(author),
      Producer: 'Turnout',
      Creator: 'Turnout',
      CreationDate: new Date(issuedAt),
    },
  })
  escapeMetadata(document)
  const pen = new Pen(document, shaper)
  const tickets = new SheetDrawer(document, typesetter, pen)
  const receipts = new ReceiptDrawer(document, typesetter, pen)
  const lists = new ListDrawer(document, typesetter, pen)
  for (const sheet of sheets) {
    if ('code' in sheet) tickets.draw(sheet)
    else if ('nobody' in sheet) lists.draw(sheet)
    else receipts.draw(sheet)
  }
  pen.end()
  document.end()
  const file: Buffer | null = document.read()
  // A part that was begun and not ended: PDFKit would wait for it.
  if (file?.subarray(-6).toString('latin1') !== '%%EOF\n') throw new Error('A document was not ended.')
  return file
}

/** PDFKit writes what is known of a document as XML too, just before its end, and escapes nothing there. */
function escapeMetadata(document: InstanceType<typeof PDFDocument>): void {
  const inner = document as unknown as { endMetadata(): void }
  const endMetadata = inner.endMetadata.bind(document)
  inner.endMetadata = () => {
    const { info } = document
    for (const name of ['Title', 'Author'] as const) info[name] = escapeXml(info[name] ?? '')
    endMetadata()
  }
}

/** Without what XML cannot have. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
}

function escapeXml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&<>]/g, char => escapes[char] as string)
}

parentPort?.on('message', (sheets: Sheets) => {
  let result: unknown
  try {
    result = draw(sheets)
  } catch (error) {
    result = error
  }
  parentPort?.postMessage(result)
})
