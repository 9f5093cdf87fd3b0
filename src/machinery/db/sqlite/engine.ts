import { stat } from 'node:fs/promises'
import type { Engine, OpenedDatabase, ServerOptions } from '../engine.ts'
import { openSqliteFile } from './addon/open-file.ts'
import { backUp } from './copies/backup.ts'
import { receive } from './copies/receive.ts'
import { restore } from './copies/restore.ts'
import {
  claimForServer,
  databasePath,
  hasDatabase,
  isServed,
  openDatabaseForCommand,
  openDatabaseForServer,
} from './data-folder.ts'
import type { SqliteDatabase } from './database.ts'
import { identify } from './database-files.ts'
import { inspect, look } from './inspection.ts'
import { declareLoad, declareObserver } from './metrics.ts'
import { probe } from './probe.ts'
import { refuseStray } from './stray-files.ts'

/** Returns the SQLite engine of a data folder. */
export function sqliteIn(folder: string): Engine {
  const path = databasePath(folder)
  return {
    place: path,
    rescue: 'the folder, then restore the last backup into a new folder with "turnout restore"',
    exists: async () => hasDatabase(folder),
    isServed: async () => isServed(folder),
    refuseStray: () => refuseStray(path),
    openForServer: options => openForServer(folder, options),
    openForCommand: async clock => openDatabaseForCommand(folder, clock),
    backUp: (target, onBegin, isToPassOn) => backUp(path, target, undefined, onBegin, isToPassOn),
    restore: (file, findUnfit, steps) => restore(file, folder, findUnfit, undefined, steps),
    receive: fill => receive(folder, fill),
    look: work => look(path, reader => work(reader, describeSqlite())),
    inspect: findMore => inspect(path, findMore),
  }
}

async function openForServer(
  folder: string,
  { clock, onFailure, meter }: ServerOptions,
): Promise<OpenedDatabase> {
  const claim = claimForServer(folder)
  let db: SqliteDatabase | undefined
  const close = async () => {
    await db?.close()
    claim()
  }
  try {
    const observer = meter && declareObserver(meter)
    const opened = openDatabaseForServer(folder, clock, onFailure, observer, claim.keep)
    db = opened
    if (meter !== undefined) declareLoad(meter, () => opened.load())
    const path = databasePath(folder)
    const own = identify(path)
    return {
      db,
      engine: describeSqlite(),
      probe: () => probe(opened, folder),
      backUp: (target, onBegin, isToPassOn) => backUp(path, target, own, onBegin, isToPassOn),
      size: async () => ({ data: (await stat(path)).size, log: opened.load().logBytes }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the name of SQLite with its version. */
export function describeSqlite(): string {
  const sqlite = openSqliteFile(':memory:')
  try {
    return `SQLite ${sqlite.prepare('SELECT sqlite_version()').pluck().get()}`
  } finally {
    sqlite.close()
  }
}
