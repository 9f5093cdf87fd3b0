import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { writeXlsxStream } from 'hucre/xlsx'
import type { SheetCell, SheetHead, SheetMessage, SheetReply } from './sheet-task.ts'

/** The most characters that a cell takes. Excel calls a file damaged that has more. */
const MAX_TEXT = 32_767

/**
 * Writes a workbook of one sheet, whose header stays in sight. It asks the port for rows while it writes, and goes on with the next
 * piece when the last one was taken, so that nothing waits in memory but a few pieces.
 */
export async function writeWorkbook({ name, columns }: SheetHead, port: MessagePort): Promise<void> {
  const asking = new Asking(port)
  const file = writeXlsxStream(rows(asking), {
    name,
    columns: columns.map(({ header, width, format }) => ({
      header: toCell(header) as string,
      width,
      ...(format === undefined ? {} : { numFmt: format }),
    })),
    freezePane: { rows: 1 },
  })
  for await (const piece of file as unknown as AsyncIterable<Uint8Array>) await asking.give(piece)
}

async function* rows(asking: Asking): AsyncGenerator<SheetCell[]> {
  for (let some = await asking.askRows(); some !== null; some = await asking.askRows())
    for (const row of some) yield row.map(toCell)
}

/** Asks for rows and gives pieces. Both may wait at a time, each for an answer of its own kind. */
class Asking {
  readonly #port: MessagePort
  readonly #waiting: { rows?: (reply: SheetReply) => void; taken?: (reply: SheetReply) => void } = {}
  readonly #gone: Promise<never>

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (reply: SheetReply) => this.#waiting['rows' in reply ? 'rows' : 'taken']?.(reply))
    this.#gone = once(port, 'close').then(() => {
      throw new Error('Nobody takes the workbook any more.')
    })
    this.#gone.catch(() => undefined)
  }

  async askRows(): Promise<readonly (readonly SheetCell[])[] | null> {
    const reply = await this.#ask('rows', { wantsRows: true })
    return 'rows' in reply ? reply.rows : null
  }

  async give(piece: Uint8Array): Promise<void> {
    await this.#ask('taken', { piece })
  }

  #ask(kind: 'rows' | 'taken', message: SheetMessage): Promise<SheetReply> {
    const answered = new Promise<SheetReply>(resolve => {
      this.#waiting[kind] = resolve
    })
    this.#port.postMessage(message)
    return Promise.race([answered, this.#gone])
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_OF_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
/** What a reader would take for a character that XML cannot have. */
const LIKE_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g

function toCell(cell: SheetCell): SheetCell {
  if (typeof cell !== 'string') return cell
  return cell
    .toWellFormed()
    .replace(NOT_OF_XML, '')
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(LIKE_ESCAPE, '_x005F_')
}
