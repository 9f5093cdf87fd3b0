import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { databasePath, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { temporaryFolder } from './folder.ts'
import { keepSessions } from './kept-sessions.ts'
import { clusterUrl, makeBlankDatabase } from './postgres-cluster.ts'

if (clusterUrl() !== undefined) keepSessions()

/** Made by the first test of a process that wants one. */
let blank: Buffer | undefined

/**
 * Makes a folder as `temporaryFolder` does, with a database that has its tables and no row, not even that of the instance: whoever
 * opens it first gives it its own secret. To make the tables again takes twice as long as all else of opening a new database.
 */
export function dataFolder(t: Pick<TestContext, 'after'>): string {
  const folder = temporaryFolder(t)
  if (clusterUrl() !== undefined) {
    makeBlankDatabase(folder)
    return folder
  }
  blank ??= makeBlank()
  writeFileSync(databasePath(folder), blank, { mode: 0o600 })
  return folder
}

/** Returns the bytes of a database that the program has made. */
function makeBlank(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-blank-'))
  const db = openDatabaseForCommand(folder, () => 0)
  const connection = new SqliteConnection(databasePath(folder))
  connection.exec('DELETE FROM instance')
  const bytes = connection.serialize()
  connection.close()
  // Its files are closed at once, as nothing reads or writes.
  void db.close().then(() => rmSync(folder, { recursive: true }))
  return bytes
}
