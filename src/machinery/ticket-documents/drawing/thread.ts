import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib'
import { SECOND } from '../../time.ts'
import type { Carried, Sheets } from './sheet.ts'

/** JSON of the text of `worker.ts` with all that it needs inside, and of what it carries, in Base64 of Brotli. The bundle has it. */
declare const TICKET_DRAWING: string | undefined

const decompress = promisify(brotliDecompress)

/** After so long without work it ends, and gives back its memory. In milliseconds. */
const IDLE = 30 * SECOND
/** A document that takes more ends the thread, and not the program. In megabytes. */
const MAX_HEAP = 256

interface Job {
  sheets: Sheets
  resolve: (pdf: Buffer) => void
  reject: (error: unknown) => void
}

const waiting: Job[] = []
let current: Job | undefined
let thread: Promise<Worker> | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Draws a document off the event loop, one after the other. The thread begins with the first, so that a start of the program
 * costs nothing of it, and keeps the process running only while it draws.
 *
 * @throws Error where the thread fails, which ends it: the next document has another
 */
export function drawInThread(sheets: Sheets): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    waiting.push({ sheets, resolve, reject })
    if (current === undefined) drawNext()
  })
}

function drawNext(): void {
  current = waiting.shift()
  clearTimeout(idle)
  if (current === undefined) {
    idle = setTimeout(end, IDLE).unref()
    return
  }
  const job = current
  thread ??= start()
  thread.then(
    worker => {
      worker.ref()
      worker.postMessage(job.sheets)
    },
    (error: unknown) => finish(error),
  )
}

function finish(result: unknown): void {
  const job = current
  current = undefined
  if (result instanceof Uint8Array) job?.resolve(Buffer.from(result.buffer, result.byteOffset, result.length))
  else job?.reject(result)
  drawNext()
}

function end(): void {
  const ended = thread
  thread = undefined
  ended?.then(worker => worker.terminate()).catch(() => undefined)
}

async function start(): Promise<Worker> {
  const made = makeThread()
  made.catch(() => {
    thread = undefined
  })
  const worker = await made
  worker.on('message', (result: unknown) => {
    worker.unref()
    finish(result)
  })
  let cause: unknown
  worker.on('error', (error: unknown) => {
    cause = error
  })
  worker.on('exit', () => {
    // One that ended because it was idle has been replaced by then, and nobody waits for it.
    if (cause === undefined) return
    thread = undefined
    finish(cause)
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
