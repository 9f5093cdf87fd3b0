import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { loadAddon, nativeBinding } from '#machinery/db/sqlite/addon/native-binding.ts'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import { diskFolder } from '#test/support/folder.ts'
import { thisTarget } from '../../../../../build/bundle.mjs'

const addon = resolve('node_modules/better-sqlite3/prebuilds', `${thisTarget()}.node`)
const REMEDY = 'Name another folder.'
const onLinux = process.platform === 'linux' ? false : 'the system says it in other words'

test('the addon is loaded once, and is the one copy of SQLite in the process', () => {
  assert.equal(nativeBinding(), nativeBinding())
  openSqliteFile(':memory:').close()
  // The file is the same as the one that better-sqlite3 would find by itself.
  new SqliteConnection(':memory:').close()
  if (process.platform !== 'linux') return
  const loaded = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .filter(line => line.endsWith('.node') && /sqlite/.test(line))
  assert.deepEqual([...new Set(loaded.map(line => line.split(/ +/)[5]))], [addon])
})

test('a C library that is too old is named with the version that is needed', { skip: onLinux }, t => {
  const path = join(diskFolder(t), 'addon.node')
  // Asks the system's own library for a version that no system has.
  const text = readFileSync(addon)
  for (const [is, other] of [
    ['GLIBC_2.34', 'GLIBC_9.34'],
    ['GLIBCXX_3.4.29', 'GLIBCXX_9.4.29'],
  ] as const) {
    const changed = Buffer.from(text)
    for (let at = changed.indexOf(`${is}\0`); at !== -1; at = changed.indexOf(`${is}\0`))
      changed.write(other, at)
    writeFileSync(path, changed)
    assert.throws(() => loadAddon(path, REMEDY), {
      name: 'Refusal',
      message: `SQLite cannot be loaded: it needs ${other}, and the C library of this system is older. Use a newer system, such as Debian 12, Ubuntu 22.04 or RHEL 9.`,
    })
    rmSync(path)
  }
})

test('a file that the system does not load is said in a sentence, with what it says', {
  skip: onLinux,
}, t => {
  const path = join(diskFolder(t), 'addon.node')
  // A file that was cut may end the process, so nothing is loaded before its hash was checked.
  for (const content of ['', 'no program']) {
    writeFileSync(path, content)
    assert.throws(() => loadAddon(path, REMEDY), {
      name: 'Refusal',
      message: /^SQLite cannot be loaded: \S.*addon\.node: \S.*\. Name another folder\.$/,
    })
    rmSync(path)
  }
})

test('a folder that forbids to run programs is said in a sentence', { skip: onLinux }, t => {
  const folder = diskFolder(t)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'noexec', 'tmpfs', folder]).status !== 0) {
    return t.skip('a file system can be mounted by root alone')
  }
  t.after(() => spawnSync('umount', ['--lazy', folder]))
  const path = join(folder, 'addon.node')
  copyFileSync(addon, path)
  assert.throws(() => loadAddon(path, REMEDY), {
    name: 'Refusal',
    message: /^SQLite cannot be loaded: .*failed to map segment from shared object.* Name another folder\.$/,
  })
})
