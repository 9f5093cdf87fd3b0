import { on } from 'node:events'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { SECOND } from '#base/time.ts'
import type { SheetCell, SheetHead, SheetMessage, SheetReply, SheetTask } from './sheet-task.ts'
import { startThread } from './thread.ts'

export type { SheetCell, SheetColumn, SheetHead } from './sheet-task.ts'

/** The media type of a workbook. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** How long the thread may be without work, in milliseconds. Then it ends and gives back its memory. */
const IDLE = 30 * SECOND

/** All workbooks are written by one thread, in turns: each waits for its own rows, and for whoever takes it. */
let thread: Promise<Worker> | undefined
let underWay = 0
let idle: NodeJS.Timeout | undefined

/**
 * Writes a workbook of one sheet off the event loop, while its rows are read and its pieces are taken. Whoever stops taking pieces
 * ends it.
 *
 * @param batches some rows at a time. Each row has a cell for each column
 * @throws Error if the thread fails. That ends it, and the next workbook has another thread
 */
export async function* writeSheet(
  head: SheetHead,
  batches: AsyncIterable<readonly (readonly SheetCell[])[]>,
): AsyncGenerator<Buffer> {
  const rows = batches[Symbol.asyncIterator]()
  const { port1: port, port2 } = new MessageChannel()
  underWay++
  clearTimeout(idle)
  try {
    const messages = on(port, 'message', { close: ['close'] }) as AsyncIterable<[SheetMessage]>
    thread ??= start()
    const worker = await thread
    worker.postMessage({ kind: 'write', head, port: port2 } satisfies SheetTask, [port2])
    const answer = (reply: SheetReply) => port.postMessage(reply)
    for await (const [message] of messages) {
      if ('wantsRows' in message) {
        const { done, value } = await rows.next()
        answer({ rows: done ? null : value })
      } else if ('piece' in message) {
        const { buffer, byteOffset, byteLength } = message.piece
        yield Buffer.from(buffer, byteOffset, byteLength)
        answer({ taken: true })
      } else if ('failed' in message) throw message.failed
      else return
    }
    throw new Error('The thread that writes workbooks ended before one of them.')
  } finally {
    port.close()
    await rows.return?.()
    if (--underWay === 0) idle = setTimeout(end, IDLE).unref()
  }
}

function start(): Promise<Worker> {
  const started = startThread()
  const forget = () => {
    if (thread === started) thread = undefined
  }
  started.then(worker => {
    // The ports of the tasks keep the process running, as long as there are any.
    worker.unref()
    // Those who wait for it see their ports close.
    worker.on('error', () => undefined)
    worker.on('exit', forget)
  }, forget)
  return started
}

function end(): void {
  if (underWay > 0) return
  const ended = thread
  thread = undefined
  ended?.then(worker => worker.terminate()).catch(() => undefined)
}
