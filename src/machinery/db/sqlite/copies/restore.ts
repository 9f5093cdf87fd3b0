import { existsSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { copyInto } from '#machinery/files/copy-file.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import type { FaultFinder, Restored, RestoreSteps } from '../../engine.ts'
import { lacksSecret } from '../../instance.ts'
import type { Database } from '../../port.ts'
import { claimDataFolder, databasePath } from '../data-folder.ts'
import { openSqlite } from '../database.ts'
import { refuseOtherFiles, refuseUnfit } from '../inspection.ts'
import type { Schema } from '../migrations.ts'

/**
 * Makes the database of an empty data folder from a backup. The file may come from anywhere, so a copy of it is inspected, and
 * that same copy becomes the database. A backup of an older version is migrated when it is next opened. A backup without secrets
 * gets new ones before it has its place, so no server can ever run without them.
 *
 * @param findUnfit finds rows that no server could work with
 * @param schema for tests
 * @throws Refusal if the folder has data or a server, or the file is damaged, newer, cut short meanwhile or not a database of
 *   Turnout, or has rows that no server could work with. The folder is left as it was
 * @throws Error ENOENT, EACCES, ENOSPC
 */
export async function restore<Renewed>(
  file: string,
  folder: string,
  findUnfit: FaultFinder,
  schema?: Schema,
  steps?: RestoreSteps<Renewed>,
): Promise<Restored<Renewed>> {
  refuseOtherFiles(file)
  refuseData(folder)
  const free = claimDataFolder(folder)
  try {
    // Somebody may have begun to use the folder.
    refuseData(folder)
    return await copyIntoPlace(file, databasePath(folder), findUnfit, schema, steps)
  } finally {
    free()
  }
}

async function copyIntoPlace<Renewed>(
  file: string,
  path: string,
  findUnfit: FaultFinder,
  schema: Schema | undefined,
  steps: RestoreSteps<Renewed> | undefined,
): Promise<Restored<Renewed>> {
  const staged = new StagedFile(path)
  try {
    copyInto(file, staged.path)
    let isWithout = false
    // The rows of a copy without secrets fit only once it has its secrets.
    const findMore: FaultFinder = async reader => {
      isWithout = steps !== undefined && (await reader.read(INSTANCE, lacksSecret))
      return isWithout ? [] : findUnfit(reader)
    }
    const { version } = await refuseUnfit(staged.path, file, findMore, schema)
    let renewed: { renewed?: Renewed } = {}
    if (steps !== undefined && isWithout) {
      renewed = { renewed: await renewIn(staged.path, steps.renew) }
      await refuseUnfit(staged.path, file, findUnfit, schema)
    }
    steps?.beforePlace()
    staged.place()
    return { version, ...renewed }
  } finally {
    staged.discard()
  }
}

async function renewIn<Renewed>(path: string, renew: (db: Database) => Promise<Renewed>): Promise<Renewed> {
  // The clock says 0, so the write keeps the instant of the last one. A wrong clock would stay in the database.
  const db = openSqlite(path, { clock: () => 0, isWithoutSecrets: true })
  try {
    return await renew(db)
  } finally {
    await db.close()
  }
}

/**
 * Refuses a folder with data. A write-ahead log without its database is data too, as SQLite would take it for the log of the new
 * one.
 */
export function refuseData(folder: string): void {
  const path = databasePath(folder)
  const found = ['', '-wal', '-shm', '-journal'].map(end => path + end).find(name => existsSync(name))
  if (found !== undefined) {
    throw new Refusal(
      `The data folder is not empty: there is ${found}. Name a new folder with --data, or stop the server and move the old files away first.`,
    )
  }
}
