import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib'
import { SECOND } from '#base/time.ts'
import type { Carried, DrawingResult, DrawingTask, Sheets } from './sheet.ts'

/**
 * The text of `worker.ts` with everything it needs inside, and the files it carries, in Base64 of Brotli, as JSON. The bundle
 * defines it.
 */
declare const TICKET_DRAWING: string | undefined

const decompress = promisify(brotliDecompress)

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
        worker.postMessage({ number, sheets } satisfies DrawingTask)
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
  worker.on('message', ({ number, result }: DrawingResult) => {
    finish(number, result)
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

async function makeThread(): Promise<Worker> {
  const options: WorkerOptions = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } }
  if (typeof TICKET_DRAWING !== 'string') {
    const workerData = readFiles(new URL('./carried.json', import.meta.url))
    return new Worker(new URL('./thread-of-sources.mjs', import.meta.url), { ...options, workerData })
  }
  const { text, files } = JSON.parse(TICKET_DRAWING) as { text: string; files: Record<string, string> }
  const workerData: Carried = new Map(
    Object.entries(files).map(([name, file]) => [name, Buffer.from(file, 'base64')]),
  )
  const program = await decompress(Buffer.from(text, 'base64'))
  return new Worker(program.toString(), { ...options, workerData, eval: true })
}

function readFiles(list: URL): Carried {
  const { resolve } = createRequire(import.meta.url)
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const paths = Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>)
  return new Map(
    paths.map(([name, path]) => [name, brotliCompressSync(readFileSync(resolve(path)), quickly)]),
  )
}
