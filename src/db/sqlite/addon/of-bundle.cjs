// What better-sqlite3 finds its addon with in the bundle, instead of the package `bindings`, which looks for folders.
const { loadCarriedAddon } = require('./carried.ts')

module.exports = loadCarriedAddon
