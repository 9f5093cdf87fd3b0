import { on } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { wrong } from '#machinery/tables/lines.ts'
import type { SheetMarks } from '#machinery/tables/plain-header.ts'
import { MAX_WORKBOOK } from './limits.ts'
import type { SheetMessage, SheetTask } from './sheet-task.ts'
import { startThread } from './thread.ts'

/** One read of the file takes this many bytes. */
const READ = 1024 * 1024
/** The largest workbook takes some ten seconds. What takes longer than this, in milliseconds, is not waited for. */
const MOST_TIME = 2 * MINUTE

/** Workbooks are read one after the other, as each takes a processor for itself. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Reads a workbook in a thread of its own, which ends with it, and yields its first sheet with content as CSV in UTF-8: see
 * `workbookToCsv`. All cells are texts, and a row has the line that it has in the spreadsheet.
 *
 * @param marks tell a sheet that is read before those with content
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`; unavailable if it
 *   takes too long
 */
export async function* readWorkbook(
  source: Source,
  marks: readonly SheetMarks[] = [],
): AsyncGenerator<Uint8Array> {
  if (source.size > MAX_WORKBOOK) throw wrong(makeFault('tooManyBytes', { max: MAX_WORKBOOK }))
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const before = last
  last = before.then(() => ended)
  await before
  try {
    yield* readInThread(await readAll(source), marks)
  } finally {
    end()
  }
}

async function readAll({ size, read }: Source): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  for (let start = 0; start < size; start += READ)
    bytes.set(await read(start, Math.min(size, start + READ)), start)
  return bytes
}

async function* readInThread(bytes: Uint8Array, marks: readonly SheetMarks[]): AsyncGenerator<Uint8Array> {
  const { port1: port, port2 } = new MessageChannel()
  const thread = await startThread()
  let cause: unknown
  thread.on('error', error => {
    cause = error
  })
  const time = setTimeout(() => {
    cause = new Problem('unavailable')
    port.close()
  }, MOST_TIME)
  try {
    const messages = on(port, 'message', { close: ['close'] })
    thread.postMessage({ kind: 'read', bytes, marks, port: port2 } satisfies SheetTask, [
      port2,
      bytes.buffer as ArrayBuffer,
    ])
    for await (const [message] of messages as AsyncIterable<[SheetMessage]>) {
      if ('piece' in message) yield message.piece
      else if ('refused' in message) throw wrong(message.refused.fault, message.refused.line)
      else if ('failed' in message) throw message.failed
      else if ('ended' in message) return
    }
    throw cause ?? new Error('The thread that reads a workbook ended before it.')
  } finally {
    clearTimeout(time)
    port.close()
    await thread.terminate()
  }
}
