import SqliteConnection from 'better-sqlite3'
import type { Command } from 'commander'
import { version } from '../version.ts'
import type { Terminal } from './terminal.ts'

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

export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description("print the version, with Node's and SQLite's")
    .addHelpText('after', '\nExample:\n  $ turnout version')
    .action(() => terminal.out(`${program.version()}\n`))
}
