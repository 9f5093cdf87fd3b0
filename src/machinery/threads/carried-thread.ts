import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib'

/** The files that a thread needs, compressed with Brotli, by their names in its `carried.json`. It gets them as its data. */
export type Carried = ReadonlyMap<string, Uint8Array>

/** A thread that a bundle carries. */
export interface CarriedThread {
  /**
   * The text of its `worker.ts` with everything it needs inside, and the files of its `carried.json`, in Base64 of Brotli, as
   * JSON. The bundle defines it. It is undefined if a loader runs the sources.
   */
  text: string | undefined
  /** Returns the folder of the sources, with `worker.ts`, `thread-of-sources.mjs` and `carried.json`. */
  folder: () => URL
  /** The heap of the thread in megabytes. What takes more ends the thread, and not the program. */
  maxHeap: number
  /**
   * The part of it for what is new, in megabytes. The smaller it is, the less the thread can take at once beyond its heap: what takes
   * much more ends the program.
   */
  maxYoungHeap?: number
}

const decompress = promisify(brotliDecompress)

/** Starts a thread with the files that are carried for it. Nothing of it is read or decompressed before. */
export async function startCarried({ text, folder, maxHeap, maxYoungHeap }: CarriedThread): Promise<Worker> {
  const young = maxYoungHeap === undefined ? {} : { maxYoungGenerationSizeMb: maxYoungHeap }
  const resourceLimits = { maxOldGenerationSizeMb: maxHeap, ...young }
  const options: WorkerOptions = { execArgv: [], resourceLimits }
  if (text === undefined) {
    const workerData = readCarried(new URL('carried.json', folder()))
    return new Worker(new URL('thread-of-sources.mjs', folder()), { ...options, workerData })
  }
  const carried = JSON.parse(text) as { text: string; files: Record<string, string> }
  const workerData: Carried = new Map(
    Object.entries(carried.files).map(([name, file]) => [name, Buffer.from(file, 'base64')]),
  )
  const program = await decompress(Buffer.from(carried.text, 'base64'))
  return new Worker(program.toString(), { ...options, workerData, eval: true })
}

/** Reads the files that a `carried.json` names, from where the packages are. */
export function readCarried(list: URL): Carried {
  const { resolve } = createRequire(import.meta.url)
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const paths = Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>)
  return new Map(
    paths.map(([name, path]) => [name, brotliCompressSync(readFileSync(resolve(path)), quickly)]),
  )
}
