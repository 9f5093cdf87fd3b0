import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type CarriedFile, keepInCache } from '#machinery/db/sqlite/addon/cache.ts'
import { diskFolder } from '#test/support/folder.ts'

const CONTENT = 'what the program carries'
const sha256 = createHash('sha256').update(CONTENT).digest('hex')

/** Opens a cache, and counts how often the file was unpacked for it. */
function openCache(t: TestContext) {
  const base = diskFolder(t)
  const cache = { base, folder: join(base, 'turnout'), unpacked: 0, keep }
  const file = { name: 'addon.node', sha256, unpack }
  function unpack() {
    cache.unpacked++
    return Buffer.from(CONTENT)
  }
  function keep(changes: Partial<CarriedFile> = {}) {
    return keepInCache({ ...file, ...changes }, { XDG_CACHE_HOME: base })
  }
  return cache
}

/** Asserts that the cached file has the content, and is alone in a folder that only this user can write. */
function assertKept(path: string, folder: string): void {
  assert.equal(path, join(folder, 'addon.node'))
  assert.equal(readFileSync(path, 'utf8'), CONTENT)
  assert.deepEqual(readdirSync(folder), ['addon.node'])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(path).mode & 0o777, 0o600)
}

test('the file is unpacked by the first start, and found by the next', t => {
  const cache = openCache(t)
  const path = cache.keep()
  assertKept(path, cache.folder)
  const { ino } = statSync(path)
  assert.equal(cache.keep(), path)
  assert.equal(statSync(path).ino, ino)
  assert.equal(cache.unpacked, 1)
})

test('a file with other content is never returned', t => {
  const cache = openCache(t)
  const path = cache.keep()
  const good = join(cache.base, 'good')
  const bad = join(cache.base, 'bad')
  writeFileSync(bad, 'bad', { mode: 0o600 })
  const spoilers = [
    () => writeFileSync(path, 'tampered'),
    () => writeFileSync(path, CONTENT.slice(1)),
    () => {
      // The content is right now, but whoever owns the other end may change it later.
      renameSync(path, good)
      symlinkSync(good, path)
    },
    () => {
      renameSync(path, join(cache.base, 'old'))
      symlinkSync(bad, path)
    },
    () => chmodSync(path, 0o622),
  ]
  for (const [at, spoil] of spoilers.entries()) {
    spoil()
    assertKept(cache.keep(), cache.folder)
    assert.equal(cache.unpacked, at + 2)
  }
  assert.equal(readFileSync(bad, 'utf8'), 'bad')
})

test('the file of a process that was first stays, as it may be loaded already', t => {
  const cache = openCache(t)
  let first = 0
  const path = cache.keep({
    unpack: () => {
      first = statSync(cache.keep()).ino
      return Buffer.from(CONTENT)
    },
  })
  assert.equal(statSync(path).ino, first)
  assertKept(path, cache.folder)
})

test('a folder that others may look into is closed to them', t => {
  const cache = openCache(t)
  mkdirSync(cache.folder)
  chmodSync(cache.folder, 0o777)
  assertKept(cache.keep(), cache.folder)
})

test('a folder of somebody else is refused, and nothing is unpacked', t => {
  const cache = openCache(t)
  mkdirSync(cache.folder, 0o700)
  const { uid } = statSync(cache.folder)
  t.mock.method(process as Required<NodeJS.Process>, 'geteuid', () => uid + 1)
  assert.throws(() => cache.keep(), {
    name: 'Refusal',
    message: /belongs to somebody else\. Name a folder of your own/,
  })
  assert.equal(cache.unpacked, 0)
  assert.deepEqual(readdirSync(cache.folder), [])
})

test('a link in the place of the folder is refused, and nothing is unpacked', t => {
  const cache = openCache(t)
  const elsewhere = diskFolder(t)
  symlinkSync(elsewhere, cache.folder)
  assert.throws(() => cache.keep(), /turnout is no folder/)
  assert.deepEqual(readdirSync(elsewhere), [])
  assert.equal(cache.unpacked, 0)
})

test('a folder in one that others may write is refused, but for one like /tmp', t => {
  const cache = openCache(t)
  for (const mode of [0o777, 0o775, 0o722]) {
    chmodSync(cache.base, mode)
    assert.throws(() => cache.keep(), /may be written by others/, mode.toString(8))
  }
  assert.deepEqual(readdirSync(cache.base), [])
  assert.equal(cache.unpacked, 0)
  chmodSync(cache.base, 0o1777)
  assertKept(cache.keep(), cache.folder)
})

test('a folder is refused when one further up may be written by others, who could put another in its place', t => {
  const above = diskFolder(t)
  const base = join(above, 'own', 'cache')
  mkdirSync(base, { recursive: true, mode: 0o700 })
  const file = { name: 'addon.node', sha256, unpack: () => Buffer.from(CONTENT) }
  const keep = () => keepInCache(file, { XDG_CACHE_HOME: base })
  for (const mode of [0o777, 0o770]) {
    chmodSync(above, mode)
    assert.throws(keep, { name: 'Refusal', message: new RegExp(`${above} may be written by others`) })
  }
  assert.deepEqual(readdirSync(base), [])
  for (const mode of [0o1777, 0o755]) {
    chmodSync(above, mode)
    assertKept(keep(), join(base, 'turnout'))
  }
})

test('the folder of a service is used before that of a user, and a relative one not at all', t => {
  const [service, user] = [diskFolder(t), diskFolder(t)]
  const file = { name: 'addon.node', sha256, unpack: () => Buffer.from(CONTENT) }
  const env = { CACHE_DIRECTORY: `${service}:/other`, XDG_CACHE_HOME: user }
  assertKept(keepInCache(file, env), join(service, 'addon'))
  assert.deepEqual(readdirSync(user), [])
  assertKept(keepInCache(file, { CACHE_DIRECTORY: 'relative', XDG_CACHE_HOME: user }), join(user, 'turnout'))
})

test('the default folder is the platform’s cache folder in the home of the user', {
  skip: process.platform === 'linux' ? false : 'the test knows that of Linux alone',
}, t => {
  const home = diskFolder(t)
  const before = process.env.HOME
  t.after(() => {
    process.env.HOME = before
    if (before === undefined) delete process.env.HOME
  })
  process.env.HOME = home
  const file = { name: 'addon.node', sha256, unpack: () => Buffer.from(CONTENT) }
  assertKept(keepInCache(file, {}), join(home, '.cache', 'turnout'))
})
