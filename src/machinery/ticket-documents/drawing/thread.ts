import type { Worker } from 'node:worker_threads'
import { SECOND } from '#base/time.ts'
import { startCarried } from '#machinery/threads/carried-thread.ts'
import type { DrawingResult, DrawingTask, DrawingWarning, Sheets } from './sheet.ts'

/** The thread as `startCarried` takes it. The bundle defines it. */
declare const TICKET_DRAWING: string | undefined

/** How long the thread may be without work, in milliseconds. Then it ends and gives back its memory. */
const IDLE = 30 * SECOND
/** The heap of the thread in megabytes. A document that takes more ends the thread, and not the program. */
const MAX_HEAP = 256

interface Drawing {
  resolve: (pdf: Buffer) => void
  reject: (error: unknown) => void
}

/** The documents that the thread draws, by number. */
const drawings = new Map<number, Drawing>()
let begun = 0
let thread: Promise<Worker> | undefined
let idle: NodeJS.Timeout | undefined

/** The server's own fonts. The process has one thread, so it has one folder. */
let fonts: { folder: string | undefined; warn: (sentence: string) => void } | undefined

/** Lets documents take letters that no carried font has from a folder. @param warn is told of each font that turns out broken */
export function useFonts(folder: string | undefined, warn: (sentence: string) => void): void {
  fonts = { folder, warn }
}

/**
 * Draws a document off the event loop. The thread draws several in turns, a page of each, so a long one does not hold up a short
 * one. All of them are in its memory meanwhile. The thread begins with the first document, so a start of the program does not pay
 * for it. It keeps the process running only while it draws.
 *
 * @throws Error if the thread fails. That ends it, and the next document has another thread
 */
export function drawInThread(sheets: Sheets): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const number = begun++
    drawings.set(number, { resolve, reject })
    clearTimeout(idle)
    thread ??= start()
    thread.then(
      worker => {
        worker.ref()
        worker.postMessage({ number, sheets, fonts: fonts?.folder } satisfies DrawingTask)
      },
      (error: unknown) => finish(number, error),
    )
  })
}

function finish(number: number, result: unknown): void {
  const drawing = drawings.get(number)
  drawings.delete(number)
  if (drawings.size === 0) idle = setTimeout(end, IDLE).unref()
  if (result instanceof Uint8Array)
    drawing?.resolve(Buffer.from(result.buffer, result.byteOffset, result.length))
  else drawing?.reject(result)
}

function end(): void {
  if (drawings.size > 0) return
  const ended = thread
  thread = undefined
  ended
    ?.then(worker => {
      // The process waits for the end of a thread that is ending.
      worker.ref()
      worker.postMessage(null)
    })
    .catch(() => undefined)
}

async function start(): Promise<Worker> {
  const made = makeThread()
  made.catch(() => {
    thread = undefined
  })
  const worker = await made
  worker.on('message', (told: DrawingResult | DrawingWarning) => {
    if ('warning' in told) return fonts?.warn(told.warning)
    finish(told.number, told.result)
    if (drawings.size === 0) worker.unref()
  })
  let cause: unknown
  worker.on('error', (error: unknown) => {
    cause = error
  })
  worker.on('exit', () => {
    // A thread that ended because it was idle has been replaced by then, and nobody waits for it.
    if (cause === undefined) return
    thread = undefined
    for (const number of [...drawings.keys()]) finish(number, cause)
  })
  return worker
}

function makeThread(): Promise<Worker> {
  return startCarried({
    text: typeof TICKET_DRAWING === 'string' ? TICKET_DRAWING : undefined,
    folder: () => new URL('./', import.meta.url),
    maxHeap: MAX_HEAP,
  })
}
