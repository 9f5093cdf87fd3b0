import { existsSync } from 'node:fs'
import { copyInto } from '../../../files/copy-file.ts'
import { StagedFile } from '../../../files/staged-file.ts'
import { Refusal } from '../../../refusal.ts'
import type { FaultFinder } from '../../engine.ts'
import { claimDataFolder, databasePath } from '../data-folder.ts'
import { refuseOtherFiles, refuseUnfit } from '../inspection.ts'
import type { Schema } from '../migrations.ts'

/**
 * Makes the database of an empty data folder from a backup. The file may come from anywhere: a copy of it is inspected, and
 * that very copy becomes the database. A backup of an older version is migrated when it is next opened.
 *
 * @param findUnfit finds rows that no server could work with
 * @param schema for tests
 * @throws Refusal when the folder has data or a server, or the file is damaged, newer, cut short meanwhile or not a database of
 *   Turnout, or has rows that no server could work with; the folder is left as it was
 * @throws Error ENOENT, EACCES, ENOSPC
 */
export async function restore(
  file: string,
  folder: string,
  findUnfit: FaultFinder,
  schema?: Schema,
): Promise<{ version: number }> {
  refuseOtherFiles(file)
  refuseData(folder)
  const free = claimDataFolder(folder)
  try {
    // Somebody may have begun to use the folder.
    refuseData(folder)
    return await copyIntoPlace(file, databasePath(folder), findUnfit, schema)
  } finally {
    free()
  }
}

async function copyIntoPlace(
  file: string,
  path: string,
  findUnfit: FaultFinder,
  schema: Schema | undefined,
): Promise<{ version: number }> {
  const staged = new StagedFile(path)
  try {
    copyInto(file, staged.path)
    const found = await refuseUnfit(staged.path, file, findUnfit, schema)
    staged.place()
    return found
  } finally {
    staged.discard()
  }
}

/** A write-ahead log without its database is data too: SQLite would take it for the log of the new one. */
function refuseData(folder: string): void {
  const path = databasePath(folder)
  const found = ['', '-wal', '-shm', '-journal'].map(end => path + end).find(name => existsSync(name))
  if (found !== undefined) {
    throw new Refusal(
      `The data folder is not empty: there is ${found}. Name a new folder with --data, or stop the server and move the old files away first.`,
    )
  }
}
