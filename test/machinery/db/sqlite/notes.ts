import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { openSqlite, type SqliteOptions } from '#machinery/db/sqlite/database.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

/** The least that the engine needs, and one table to write to. */
export const notes = {
  create: `CREATE TABLE instance (id INTEGER PRIMARY KEY, cursor_secret TEXT, write_number BIGINT DEFAULT 0, latest_write_at BIGINT, created_at BIGINT,
    updated_at BIGINT); CREATE TABLE notes (text TEXT NOT NULL UNIQUE)`,
  migrations: [],
}

export const INSERT = 'INSERT INTO notes (text) VALUES ($1)'

export function openNotes(
  t: TestContext,
  options: Partial<SqliteOptions> = {},
): { db: Database; path: string } {
  const path = join(temporaryFolder(t), 'test.db')
  const db = openSqlite(path, { clock: testClock(), schema: notes, ...options })
  t.after(() => db.close())
  return { db, path }
}

export async function readNotes(db: Database): Promise<string[]> {
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ text: string }>('SELECT text FROM notes ORDER BY rowid'),
  )
  return rows.map(row => row.text)
}
