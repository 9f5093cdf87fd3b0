import { statSync } from 'node:fs'
import { refuseExisting, StagedFile } from '../../../files/staged-file.ts'
import { Refusal } from '../../../refusal.ts'
import { type FileIdentity, identify, isSameFile } from '../database-files.ts'
import { startDatabaseThread } from '../threads/thread.ts'

/** How long it waits for another process to let it read, in milliseconds. */
const BUSY_TIMEOUT = 5_000

export interface BackupWorkerData {
  path: string
  into: string
  /** Milliseconds. */
  timeout: number
}

export type BackupAnswer = { code?: undefined; foreign?: boolean } | { code: string; message: string }

/**
 * Copies a database, as it is at one instant, to a new file, while servers and commands write to it. The copy is compact, on
 * the disk when this resolves, and for its owner alone.
 *
 * @param path of the database
 * @param source what stands there: a server knows which file is its own
 * @param onBegin gets what says how many bytes are copied so far
 * @returns the size of the copy in bytes
 * @throws Refusal when `target` exists or cannot be written, or the database cannot be read; nothing is left then
 */
export async function backUp(
  path: string,
  target: string,
  source: FileIdentity | undefined = identify(path),
  onBegin?: (copied: () => number) => void,
): Promise<number> {
  refuseReplaced(path, source)
  refuseExisting(target)
  const staged = new StagedFile(target)
  onBegin?.(() => statSync(staged.path, { throwIfNoEntry: false })?.size ?? 0)
  try {
    await copyInThread({ path, into: staged.path, timeout: BUSY_TIMEOUT }, target)
    refuseReplaced(path, source)
    const { size } = statSync(staged.path)
    staged.place()
    return size
  } finally {
    staged.discard()
  }
}

/** @throws Refusal */
function refuseReplaced(path: string, source: FileIdentity | undefined): void {
  if (isSameFile(identify(path), source)) return
  throw new Refusal(`${path} was removed or replaced, and was not copied.`)
}

async function copyInThread(workerData: BackupWorkerData, target: string): Promise<void> {
  const { worker, died } = startDatabaseThread('backup', workerData)
  // Nothing else may keep the process of a command running.
  worker.ref()
  const answered = new Promise<BackupAnswer>(resolve => worker.once('message', resolve))
  const answer = await Promise.race([answered, died])
  if (answer.code !== undefined) throw explainCopying(workerData.path, target, answer)
  if (answer.foreign) {
    throw new Refusal(`${workerData.path} is no database of Turnout. Name another folder with --data.`)
  }
}

/** @param path of the database that is copied */
function explainCopying(
  path: string,
  target: string,
  { code, message }: { code: string; message: string },
): Error {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new Refusal(
      `${path} is damaged, or is no SQLite database (${code}), and was not copied. Keep every backup that you have, and run "turnout check".`,
    )
  }
  if (/^SQLITE_(FULL|IOERR)/.test(code)) {
    return new Refusal(`${target} cannot be written (${code}): its disk is full or failing. Make room.`)
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new Refusal(`${path} is in use by another program. Try again shortly.`)
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)) {
    return new Refusal(
      `${path} cannot be copied to ${target} (${code}). Check who owns both folders, and their rights.`,
    )
  }
  return Object.assign(new Error(message), { code })
}
