import { setEnvironmentData } from 'node:worker_threads'
import { Refusal } from '../../../refusal.ts'

/**
 * Loads SQLite's addon, and tells the threads that begin later from where: two copies of SQLite in one process would take
 * each other's locks away, as POSIX frees the locks of a process on a file with the first descriptor that it closes.
 *
 * @param remedy a sentence for where the system does not load it
 * @throws Refusal
 */
export function loadAddon(path: string, remedy: string): unknown {
  const loaded = { exports: {} }
  try {
    // Not `require`, which looks at the file first: threads begin late, and the file may be gone or another by then.
    process.dlopen(loaded, path)
  } catch (error) {
    throw new Refusal(`SQLite cannot be loaded (${(error as Error).message}). ${remedy}`, { cause: error })
  }
  setEnvironmentData('turnout.addon', path)
  return loaded.exports
}
