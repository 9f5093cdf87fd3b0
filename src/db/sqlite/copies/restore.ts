import { existsSync } from 'node:fs'
import { copyInto } from '../../../files/copy-file.ts'
import { StagedFile } from '../../../files/staged-file.ts'
import { Refusal } from '../../../refusal.ts'
import type { Look } from '../../engine.ts'
import { claimDataFolder, databasePath } from '../data-folder.ts'
import { refuseOtherFiles, refuseUnfit } from '../inspection.ts'
import type { Schema } from '../migrations.ts'

/**
 * Makes the database of an empty data folder from a backup. The file may come from anywhere: a copy of it is looked at, and
 * that very copy takes the place. One of an older version is brought up to date when it is next opened.
 *
 * @param findUnfit looks at the rows
 * @param schema for tests
 * @throws Refusal when the folder has data or a server, or the file is damaged, newer, cut short meanwhile or not a database of
 *   Turnout, or has rows that no server could work with; the folder is left as it was
 * @throws Error ENOENT, EACCES, ENOSPC
 */
export async function restore(
  file: string,
  folder: string,
  findUnfit: Look,
  schema?: Schema,
): Promise<{ version: number }> {
  refuseOtherFiles(file)
  refuseData(folder)
  const free = claimDataFolder(folder)
  try {
    // Somebody may have begun to use the folder.
    refuseData(folder)
    return await bringIn(file, databasePath(folder), findUnfit, schema)
  } finally {
    free()
  }
}

async function bringIn(
  file: string,
  path: string,
  findUnfit: Look,
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

/** A write-ahead log without its database is data too: SQLite would take it for that of the new one. */
function refuseData(folder: string): void {
  const path = databasePath(folder)
  const found = ['', '-wal', '-shm', '-journal'].map(end => path + end).find(name => existsSync(name))
  if (found !== undefined) {
    throw new Refusal(
      `The data folder is not empty: there is ${found}. Name a new folder with --data, or stop the server and move the old files away first.`,
    )
  }
}
