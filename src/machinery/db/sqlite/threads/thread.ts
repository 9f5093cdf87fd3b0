import { Worker, type WorkerOptions } from 'node:worker_threads'
import { nativeBinding } from '../addon/native-binding.ts'

/**
 * The texts of all `*-worker.cjs` of this folder, with their dependencies included, by their names, as JSON. The bundle defines
 * it.
 */
declare const DATABASE_WORKERS: string | undefined

export interface DatabaseThread {
  worker: Worker
  /** Rejects when the thread has ended, with the error that ended it if there is one. */
  died: Promise<never>
}

/** The message that ends a thread. It closes its connection, and then nothing keeps it running. */
const END = 'end'

/**
 * Starts `NAME-worker.cjs` of this folder in a thread of its own, which does not keep the process running. Workers are plain
 * JavaScript, because a loader that threads lack runs the sources. They open files by `./open-file.cjs`.
 */
export function startDatabaseThread(name: string, workerData: unknown): DatabaseThread {
  // The thread learns where SQLite is only after this thread has loaded it.
  nativeBinding()
  const worker = startWorker(name, { execArgv: [], workerData })
  worker.unref()
  const died = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error(`The ${name} thread of the database has ended.`)))
  })
  // Between two requests nobody waits for this promise. The next request gets the rejection.
  died.catch(() => undefined)
  return { worker, died }
}

/**
 * Makes a thread close its connection and end, and waits for it. `terminate` would end it in the middle of its work. The message
 * reaches the thread once it has answered everything.
 */
export async function endDatabaseThread({ worker, died }: DatabaseThread): Promise<void> {
  worker.ref()
  worker.postMessage(END)
  await died.catch(() => undefined)
}

function startWorker(name: string, options: WorkerOptions): Worker {
  if (typeof DATABASE_WORKERS !== 'string') {
    return new Worker(new URL(`./${name}-worker.cjs`, import.meta.url), options)
  }
  const { [name]: text } = JSON.parse(DATABASE_WORKERS) as Record<string, string>
  return new Worker(text as string, { ...options, eval: true })
}
