import { Worker, type WorkerOptions } from 'node:worker_threads'
import SqliteConnection from 'better-sqlite3'

/** JSON of the texts of all `*-worker.cjs` of this folder, with what they need inside, by their names. The bundle has it. */
declare const DATABASE_WORKERS: string | undefined

export interface DatabaseThread {
  worker: Worker
  /** Rejects when the thread has ended, with the error that ended it where there is one. */
  died: Promise<never>
}

/**
 * Starts `NAME-worker.cjs` of this folder in a thread of its own, which does not keep the process running. Workers are
 * plain JavaScript, as the sources are run by a loader that threads lack; they say `require('better-sqlite3')`.
 */
export function startDatabaseThread(name: string, workerData: unknown): DatabaseThread {
  const worker = startWorker(name, { execArgv: [], workerData })
  worker.unref()
  const died = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error(`The ${name} thread of the database has ended.`)))
  })
  // Between two requests nobody waits for it; the next one is told.
  died.catch(() => undefined)
  return { worker, died }
}

function startWorker(name: string, options: WorkerOptions): Worker {
  if (typeof DATABASE_WORKERS !== 'string') {
    return new Worker(new URL(`./${name}-worker.cjs`, import.meta.url), options)
  }
  // Where the thread finds SQLite is told once this one has loaded it.
  new SqliteConnection(':memory:').close()
  const { [name]: text } = JSON.parse(DATABASE_WORKERS) as Record<string, string>
  return new Worker(text as string, { ...options, eval: true })
}
