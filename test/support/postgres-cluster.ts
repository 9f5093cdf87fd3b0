import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'

/**
 * The PostgreSQL cluster whose databases the tests use instead of files, such as `postgresql://turnout@127.0.0.1:5432`, or
 * undefined for SQLite. The user may make databases. It may lose all of them, so it need not sync.
 */
export const cluster = process.env.TURNOUT_TEST_ENGINE || undefined

/** The database that has the tables and no row. The runner makes it. */
export const TEMPLATE = 'turnout_blank'

/** The databases of this process, by their data folders. */
const made = new Map<string, string>()
const ended = new Set<string>()

/** Returns the address of the database that stands for a data folder. An empty one is made where there is none. */
export function databaseUrlOf(folder: string): string {
  return urlOf(made.get(folder) ?? makeDatabase(folder, 'template0'))
}

/** Makes the database of a data folder, with all tables and no row. */
export function makeBlankDatabase(folder: string): void {
  makeDatabase(folder, TEMPLATE)
}

/** Drops the database of a folder some time later, if it has one. */
export function dropLater(folder: string): void {
  if (made.has(folder)) ended.add(folder)
}

export function urlOf(database: string): string {
  return `${cluster}/${database}`
}

/** Runs statements, each in a transaction of its own. */
export function psql(statements: readonly string[], database = 'postgres'): string {
  const commands = statements.flatMap(statement => ['-c', statement])
  return execFileSync('psql', [urlOf(database), '-qAtX', '-v', 'ON_ERROR_STOP=1', ...commands], {
    encoding: 'utf8',
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=error' },
  })
}

/** A folder that another process of the same test has made stands for a database that is there already. */
function makeDatabase(folder: string, template: string): string {
  const database = nameOf(folder)
  const drops = [...ended].map(old => `DROP DATABASE IF EXISTS ${made.get(old)} WITH (FORCE)`)
  for (const old of ended) made.delete(old)
  ended.clear()
  const isThere = psql([`SELECT 1 FROM pg_database WHERE datname = '${database}'`, ...drops]).startsWith('1')
  if (!isThere) {
    psql([`CREATE DATABASE ${database} TEMPLATE ${template} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`])
  }
  made.set(folder, database)
  return database
}

function nameOf(folder: string): string {
  const last = basename(folder)
  const unique = Buffer.from(folder).toString('hex').slice(-40)
  return `t_${last.replace(/[^A-Za-z0-9]/g, '_').toLowerCase()}_${unique}`.slice(0, 63)
}

process.on('exit', () => {
  const drops = [...made.values()].map(database => `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  if (drops.length === 0) return
  try {
    psql(drops)
  } catch {
    // The cluster is gone, and so are they.
  }
})
