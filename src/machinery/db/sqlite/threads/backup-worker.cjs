// This script runs in a thread of its own. It copies a whole database, which occupies the disk for seconds.
const { parentPort, workerData } = require('node:worker_threads')
const { openSqliteFile } = require('./open-file.cjs')

/** @type {import('../copies/backup.ts').BackupWorkerData} */
const { path, into, timeout, without } = workerData

parentPort?.postMessage(copy())

/** @returns {import('../copies/backup.ts').BackupAnswer} */
function copy() {
  let connection
  try {
    connection = openSqliteFile(path, { timeout, fileMustExist: true })
    connection.pragma('synchronous = NORMAL')
    connection.pragma('fullfsync = ON')
    connection.pragma('trusted_schema = OFF')
    const version = connection.pragma('user_version', { simple: true })
    if (version === 0) return { foreign: true }
    if (without !== undefined && version !== without.version) return { otherVersion: true }
    // The online backup is no choice here. It begins anew whenever another connection has written, and never ends under load.
    if (without === undefined) connection.prepare('VACUUM INTO ?').run(into)
    else copyWithout(connection, without.instead)
    markCopy()
    return {}
  } catch (error) {
    return { code: error.code ?? '', message: String(error) }
  } finally {
    connection?.close()
  }
}

/**
 * Copies row by row into an empty file, in one snapshot. What is left out is in none of its pages, and never was on its disk.
 *
 * @param {import('better-sqlite3').Database} opened stays open meanwhile, so that the database keeps its log
 * @param {import('../copies/without-secrets.ts').withoutSecrets} instead
 */
function copyWithout(opened, instead) {
  const target = openSqliteFile(into, { timeout })
  try {
    // A copy that fails is thrown away, and a whole one is synced before it gets its place.
    target.pragma('journal_mode = OFF')
    target.pragma('synchronous = OFF')
    target.pragma('foreign_keys = OFF')
    target.pragma('trusted_schema = OFF')
    target.pragma('temp_store = MEMORY')
    for (const name of ['page_size', 'auto_vacuum', 'application_id', 'user_version'])
      target.pragma(`${name} = ${opened.pragma(name, { simple: true })}`)
    target.prepare('ATTACH ? AS source').run(path)
    target.exec('BEGIN')
    /** @type {{ type: string, name: string, sql: string }[]} */
    const parts = /** @type {any} */ (
      target
        .prepare(
          "SELECT type, name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
        )
        .all()
    )
    const tables = parts.filter(({ type }) => type === 'table')
    for (const { sql } of tables) target.exec(sql)
    for (const { name } of tables) copyRows(target, name, instead[name] ?? {})
    // The indexes come after the rows, so they are written in their order.
    for (const { type, sql } of parts) if (type !== 'table') target.exec(sql)
    target.exec('COMMIT')
  } finally {
    target.close()
  }
}

/**
 * @param {import('better-sqlite3').Database} target
 * @param {string} table
 * @param {'no rows' | Readonly<Record<string, string>>} instead
 */
function copyRows(target, table, instead) {
  if (instead === 'no rows') return
  const columns = /** @type {{ name: string }[]} */ (
    target.pragma(`source.table_info(${quoted(table)})`)
  ).map(({ name }) => name)
  const names = columns.map(quoted).join(', ')
  const values = columns.map(name => instead[name] ?? quoted(name)).join(', ')
  target.exec(`INSERT INTO main.${quoted(table)} (${names}) SELECT ${values} FROM source.${quoted(table)}`)
}

/** @param {string} name */
function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`
}

/** Marks the copy with a value that no start has written. So whoever starts a server on it is asked whether there is another. */
function markCopy() {
  const copied = openSqliteFile(into)
  try {
    const isMarked = copied.pragma('table_info(instance)').some(({ name }) => name === 'run_mark')
    if (isMarked) copied.exec("UPDATE instance SET run_mark = 'copy' WHERE run_mark IS NOT NULL")
  } finally {
    copied.close()
  }
}
