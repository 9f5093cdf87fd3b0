// What better-sqlite3 finds its addon with in the threads of the bundle: the very file that the main thread has loaded.
const { getEnvironmentData } = require('node:worker_threads')

module.exports = () => {
  const loaded = { exports: {} }
  process.dlopen(loaded, getEnvironmentData('turnout.addon'))
  return loaded.exports
}
