import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

interface LockedPackage {
  version: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
const locked = Object.entries(lock.packages).filter(([path]) => path !== '')

test('every package is pinned by its checksum, and comes from the registry alone', () => {
  assert.ok(locked.length > 100)
  for (const [path, { integrity, link, resolved }] of locked) {
    assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path)
    assert.equal(link, undefined, path)
    // An address would bind whoever installs it to one registry, and could lead elsewhere.
    assert.equal(resolved, undefined, path)
  }
})

test('only one of all packages runs a script when it is installed: the one that is built from source', () => {
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  assert.deepEqual(withScripts, ['node_modules/better-sqlite3', 'node_modules/esbuild'])
  assert.deepEqual(allowScripts, { 'better-sqlite3': true, esbuild: false })
})

test('the addon is built here: its installer is told to download nothing, whatever the version of npm', () => {
  const folder = join('node_modules', 'better-sqlite3')
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.equal(scripts.install, 'prebuild-install || node-gyp rebuild --release')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const script =
    "console.log(JSON.stringify(require('../prebuild-install/rc.js')(require('./package.json'))))"
  const read = spawnSync(process.execPath, ['-e', script], { cwd: folder, env, encoding: 'utf8' })
  assert.equal(JSON.parse(read.stdout).buildFromSource, true)
})
