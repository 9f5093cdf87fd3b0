import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

interface LockedPackage {
  version: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
  gypfile?: boolean
  optional?: boolean
  os?: string
  cpu?: string
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

/** The Node that scripts run on: a folder of the project, of which npm makes a package. */
const ofNode = 'build/node'
const locks = ['package-lock.json', '.ci/package-lock.json'].map(path => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(path, 'utf8'))
  return packages
})
const [packages = {}] = locks
const locked = locks.flatMap(lock =>
  Object.entries(lock).filter(([path, { link }]) => path !== '' && path !== ofNode && link !== true),
)

test('every package is pinned by its checksum, and comes from the registry alone', () => {
  assert.ok(locked.length > 100)
  for (const [path, { integrity, resolved }] of locked) {
    assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path)
    // An address would bind whoever installs it to one registry, and could lead elsewhere.
    assert.equal(resolved, undefined, path)
  }
  const links = Object.values(packages).filter(({ link }) => link === true)
  assert.deepEqual(
    links.map(({ resolved }) => resolved),
    [ofNode],
  )
})

test('no package runs a script when it is installed', () => {
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  assert.deepEqual(withScripts, ['node_modules/esbuild'])
  assert.deepEqual(allowScripts, { 'better-sqlite3': false, esbuild: false })
})

test('npm builds no addon when it installs, so that nobody needs a compiler or Python', () => {
  // npm starts node-gyp where a package has a binding.gyp and the lock file does not say that it is not meant for that; npm itself
  // forgets to write it there.
  assert.equal(packages['node_modules/better-sqlite3']?.gypfile, false)
  const built = locked.filter(([path]) => existsSync(join(path, 'binding.gyp'))).map(([path]) => path)
  assert.deepEqual(built, ['node_modules/better-sqlite3'])
  assert.ok(!existsSync('node_modules/better-sqlite3/build'))
})

test('the Node of the scripts is one of each machine, pinned, and installed where it runs alone', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(`${ofNode}/package.json`, 'utf8'))
  assert.ok(Object.keys(optionalDependencies).length > 3)
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const found = packages[`node_modules/${name}`]
    assert.equal(found?.version, version, name)
    assert.equal(found?.optional, true, name)
    assert.equal(`${found?.os?.replace('win32', 'win')}-${found?.cpu}`, name.replace(/^node-(bin-)?/, ''))
    // The packages do not say it themselves: with musl, it would be the first `node` of every script and not start.
    const libc = name.startsWith('node-linux') ? ['glibc'] : undefined
    assert.deepEqual(found?.libc, libc, `"libc": ["glibc"] belongs into package-lock.json for ${name}`)
  }
})
