// This file opens SQLite in a thread with the same addon file that the main thread has loaded. See `addon/native-binding.ts`.
const { getEnvironmentData } = require('node:worker_threads')
const SqliteConnection = require('better-sqlite3')

const addon = { exports: {} }
process.dlopen(addon, /** @type {string} */ (getEnvironmentData('turnout.addon')))

/**
 * @param {string} path
 * @param {import('better-sqlite3').Options} [options]
 */
exports.openSqliteFile = (path, options) => {
  return new SqliteConnection(path, { ...options, nativeBinding: addon.exports })
}
