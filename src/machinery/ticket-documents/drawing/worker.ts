import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { Carried } from '#machinery/threads/carried-thread.ts'
import { giveWay } from '#machinery/threads/give-way.ts'
import { BadgeDrawer } from './draw-badges.ts'
import { ListDrawer } from './draw-list.ts'
import { ReceiptDrawer } from './draw-receipt.ts'
import { TicketDrawer } from './draw-tickets.ts'
import { BrokenFace } from './embedded-font.ts'
import { Typesetter } from './lines.ts'
import { OutsideFonts } from './outside-fonts.ts'
import { Pen } from './pen.ts'
import { Shaper } from './shaper.ts'
import type { DrawingResult, DrawingTask, DrawingWarning, Sheets } from './sheet.ts'
import { Typefaces } from './typefaces.ts'

// This script runs in a thread of its own. It draws documents, a page of each in turn.
giveWay()
const carried = workerData as Carried
const shaper = new Shaper(brotliDecompressSync(carried.get('harfbuzz') as Uint8Array))

/** What is drawn with: the carried fonts, and those of a folder of the server. */
interface Tools {
  typesetter: Typesetter
  outside: OutsideFonts | undefined
}

const tools = new Map<string | undefined, Tools>()

function toolsFor(folder: string | undefined): Tools {
  let own = tools.get(folder)
  if (own === undefined) {
    const warn = (warning: string) => parentPort?.postMessage({ warning } satisfies DrawingWarning)
    own = withFonts(folder === undefined ? undefined : new OutsideFonts(shaper, folder, warn))
    tools.set(folder, own)
  }
  return own
}

function withFonts(outside: OutsideFonts | undefined): Tools {
  return { typesetter: new Typesetter(new Typefaces(shaper, carried, outside), shaper), outside }
}

/** Draws a document. A font of the server that turns out broken is used no longer, and the document is drawn without it. */
async function draw(sheets: Sheets, folder: string | undefined): Promise<Buffer> {
  for (;;) {
    const { typesetter, outside } = toolsFor(folder)
    try {
      return await drawWith(typesetter, sheets)
    } catch (error) {
      if (!(error instanceof BrokenFace)) throw error
      outside?.drop(error.face)
      // What was set before has glyphs of the broken font.
      tools.set(folder, withFonts(outside))
    }
  }
}

/** Draws a document. Between two pages the other waiting documents get theirs drawn. */
async function drawWith(typesetter: Typesetter, drawn: Sheets): Promise<Buffer> {
  const { language, title, author, issuedAt, sheets, paper = 'A4', accent, logo } = drawn
  const document = new PDFDocument({
    size: typeof paper === 'string' ? paper : [...paper],
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    tagged: true,
    autoFirstPage: false,
    font: '',
    // The file does not contain the time at which it is made, so the same tickets give the same file.
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
  const ofTickets = { paper: typeof paper === 'string' ? paper : 'A4', accent, logo } as const
  const tickets = new TicketDrawer(document, typesetter, pen, ofTickets)
  const receipts = new ReceiptDrawer(document, typesetter, pen, logo)
  const lists = new ListDrawer(document, typesetter, pen)
  const badges = new BadgeDrawer(document, typesetter, pen, logo)
  for (const sheet of sheets) {
    if ('slips' in sheet) tickets.draw(sheet)
    else if ('badges' in sheet) badges.draw(sheet)
    else if ('nobody' in sheet) lists.draw(sheet)
    else receipts.draw(sheet)
    await nextTurn()
  }
  pen.end()
  document.end()
  const chunks: Buffer[] = []
  // Newer versions of Node give one chunk at a time, and older ones all at once.
  for (let chunk: Buffer | null = document.read(); chunk !== null; chunk = document.read()) chunks.push(chunk)
  const file = Buffer.concat(chunks)
  // PDFKit would wait for a part that was begun and not ended.
  if (file.subarray(-6).toString('latin1') !== '%%EOF\n') throw new Error('A document was not ended.')
  return file
}

/**
 * Escapes the title and the author. PDFKit also writes them as XML, just before the end of the document, and escapes nothing
 * there.
 */
function escapeMetadata(document: InstanceType<typeof PDFDocument>): void {
  const inner = document as unknown as { endMetadata(): void }
  const endMetadata = inner.endMetadata.bind(document)
  inner.endMetadata = () => {
    const { info } = document
    for (const name of ['Title', 'Author'] as const) info[name] = escapeXml(info[name] ?? '')
    endMetadata()
  }
}

/** Returns the text without characters that XML cannot have. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
}

function escapeXml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&<>]/g, char => escapes[char] as string)
}

parentPort?.on('message', async (task: DrawingTask | null) => {
  // Nothing else keeps the thread running.
  if (task === null) return parentPort?.close()
  const { number, sheets, fonts } = task
  let result: unknown
  try {
    result = await draw(sheets, fonts)
  } catch (error) {
    result = error
  }
  parentPort?.postMessage({ number, result } satisfies DrawingResult)
})
