// What better-sqlite3 finds its addon with in the package of the registry: where npm has installed it for this machine.
const { loadInstalledAddon } = require('./installed.ts')

module.exports = () => loadInstalledAddon(require.resolve('better-sqlite3/package.json'))
