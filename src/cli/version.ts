import SqliteConnection from 'better-sqlite3'
import { version } from '../version.ts'

/** The version of the program, with those of what it runs on. */
export function describeVersion(): string {
  const sqlite = new SqliteConnection(':memory:')
  try {
    const sqliteVersion = sqlite.prepare('SELECT sqlite_version()').pluck().get()
    return `turnout ${version} (Node ${process.versions.node}, SQLite ${sqliteVersion})`
  } finally {
    sqlite.close()
  }
}
