import SqliteConnection from 'better-sqlite3'
import type { Engine, OpenedDatabase, ServerOptions } from '../engine.ts'
import { backUp } from './copies/backup.ts'
import { restore } from './copies/restore.ts'
import {
  claimForServer,
  databasePath,
  hasDatabase,
  isServed,
  openDatabaseForCommand,
  openDatabaseForServer,
} from './data-folder.ts'
import { identify } from './database-files.ts'
import { inspect } from './inspection.ts'
import { declareLoad, declareObserver } from './metrics.ts'
import { probe } from './probe.ts'
import { refuseStray } from './stray-files.ts'

/** SQLite in a data folder. */
export function sqliteIn(folder: string): Engine {
  const path = databasePath(folder)
  return {
    place: path,
    exists: () => hasDatabase(folder),
    isServed: () => isServed(folder),
    refuseStray: () => refuseStray(path),
    openForServer: async options => openForServer(folder, options),
    openForCommand: async clock => openDatabaseForCommand(folder, clock),
    backUp: target => backUp(path, target),
    restore: (file, findUnfit) => restore(file, folder, findUnfit),
    inspect: findMore => inspect(path, findMore),
  }
}

function openForServer(folder: string, { clock, onFailure, meter }: ServerOptions): OpenedDatabase {
  const claim = claimForServer(folder)
  try {
    const observer = meter && declareObserver(meter)
    const db = openDatabaseForServer(folder, clock, onFailure, observer, claim.keep)
    if (meter !== undefined) declareLoad(meter, () => db.load())
    const path = databasePath(folder)
    const own = identify(path)
    return {
      db,
      probe: () => probe(db, folder),
      backUp: target => backUp(path, target, own),
      close: async () => {
        await db.close()
        claim()
      },
    }
  } catch (error) {
    claim()
    throw error
  }
}

/** With its version. */
export function describeSqlite(): string {
  const sqlite = new SqliteConnection(':memory:')
  try {
    return `SQLite ${sqlite.prepare('SELECT sqlite_version()').pluck().get()}`
  } finally {
    sqlite.close()
  }
}
