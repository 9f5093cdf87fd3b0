import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { brotliDecompress } from 'node:zlib'

/** The text of `worker.ts` with everything it needs inside, in Base64 of Brotli. The bundle defines it. */
declare const WORKBOOK_THREAD: string | undefined

const decompress = promisify(brotliDecompress)

/** The heap of a thread in megabytes. What is large lies outside of it and has limits of its own. */
const MAX_HEAP = 256

/** Starts a thread for workbooks. It keeps nothing running: whoever gives it a task waits for the task. */
export async function startThread(): Promise<Worker> {
  const options: WorkerOptions = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } }
  if (typeof WORKBOOK_THREAD !== 'string')
    return new Worker(new URL('./thread-of-sources.mjs', import.meta.url), options)
  const program = await decompress(Buffer.from(WORKBOOK_THREAD, 'base64'))
  return new Worker(program.toString(), { ...options, eval: true })
}
