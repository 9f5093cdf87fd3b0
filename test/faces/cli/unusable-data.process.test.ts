import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { temporaryFolder } from '#test/support/folder.ts'
import { runCommand } from '#test/support/server-process.ts'
import { assertRefused, commandLine } from './turnout.ts'

/** Carries out `work` without the rights of root, which no folder's rights hold back. */
async function withoutPrivilege<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

const beginnings = (data: string) => [
  ['serve', '--data', data, '--port', '0'],
  ['account', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--data', data],
]

test('a folder that is a file, or lies in one, is said in a sentence', async t => {
  const { turnout, write } = commandLine(t)
  const path = write('file', 'mine')
  for (const argv of beginnings(path))
    assertRefused(await turnout(...argv), /cannot be made: a file of that name is there/)
  for (const argv of beginnings(join(path, 'data')))
    assertRefused(await turnout(...argv), /cannot be made: a part of its path is a file/)
  assert.equal(readFileSync(path, 'utf8'), 'mine')
})

test('a folder without rights is said in a sentence', async t => {
  const { turnout, folder } = commandLine(t)
  chmodSync(folder, 0o555)
  for (const argv of beginnings(join(folder, 'data')))
    assertRefused(await withoutPrivilege(() => turnout(...argv)), /cannot be made: permission denied\./)
  for (const argv of beginnings(folder))
    assertRefused(await withoutPrivilege(() => turnout(...argv)), /turnout\.db|server\.lock/)
  chmodSync(folder, 0o755)
  assert.deepEqual(readdirSync(folder), [])
})

test('a data folder that may not be entered is said in a sentence by every command, and not taken for an empty one', async t => {
  const { turnout, folder, data } = commandLine(t)
  const [serve = [], create = []] = beginnings(data)
  assert.equal((await turnout(...create)).code, 0)
  // Otherwise the folder of the tests would stand in the way.
  chmodSync(folder, 0o755)
  const before = readdirSync(data)
  chmodSync(data, 0)
  for (const argv of [
    serve,
    create,
    ['account', 'list', '--data', data],
    ['check', '--data', data],
    ['backup', join(folder, 'copy.db'), '--data', data],
  ]) {
    assertRefused(
      await withoutPrivilege(() => turnout(...argv)),
      /^error: The data folder \S+ cannot be entered: permission denied\. Choose another with --data\.$/m,
    )
  }
  chmodSync(data, 0o700)
  assert.deepEqual(readdirSync(data), before)
})

test('a folder that lies where nobody can make one is said in a sentence, at once', async t => {
  if (!existsSync('/proc/self')) return t.skip('there is no /proc here')
  // Each runs in a process of its own, because one that tries for ever would stop the tests too.
  for (const argv of [
    ['serve', '--port', '0', '--data', '/proc/none/data'],
    ['account', 'create', '--name', 'A', '--email', 'a@b.c', '--data', '/proc/none'],
    ['serve', '--port', '0', '--data', temporaryFolder(t), '--backup-dir', '/proc/none/backups'],
  ]) {
    const { code, stdout: out, stderr: err } = await runCommand(t, ...argv)
    assertRefused({ code: code as number, out, err }, /folder \/proc\/none\S* cannot be (made|used): \w/)
  }
})

/** Mounts a file system of its own, of this size. @returns undefined where this user may not mount one */
function mountDisk(t: TestContext, size: string): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'turnout-disk-'))
  t.after(() => {
    spawnSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status === 0
    ? disk
    : undefined
}

function fill(disk: string): string {
  const filler = join(disk, 'filler')
  assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: 'ENOSPC' })
  return filler
}

test('a full disk is said in a sentence, nothing half made stays, and with room it goes on', async t => {
  const disk = mountDisk(t, '2m')
  if (disk === undefined) return t.skip('a file system can be mounted by root alone')
  const { turnout } = commandLine(t)
  const data = join(disk, 'data')
  let filler = fill(disk)
  for (const argv of beginnings(data)) assertRefused(await turnout(...argv), /the disk is full/)
  assert.deepEqual(readdirSync(disk), ['filler'])
  // SQLite fails in different places with room for no more than a few pages.
  for (const pages of [1, 2, 3, 4]) {
    truncateSync(filler, 2 * 1024 * 1024 - pages * 4096)
    for (const argv of beginnings(data)) {
      assertRefused(await turnout(...argv), /the disk is full|busy, full/)
      rmSync(data, { recursive: true, force: true })
    }
  }

  rmSync(filler)
  const [, create = []] = beginnings(data)
  assert.equal((await turnout(...create)).code, 0)
  filler = fill(disk)
  assertRefused(await turnout('serve', '--data', data, '--port', '0'), /the disk is full/)
  assert.ok(existsSync(join(data, 'turnout.db')))
  rmSync(filler)
  assert.match((await turnout('account', 'list', '--data', data)).out, /ada@example\.org/)
})

test('a backup that finds no room is refused with the name of the place that is full', async t => {
  const disk = mountDisk(t, '2m')
  if (disk === undefined) return t.skip('a file system can be mounted by root alone')
  const { turnout, data, folder } = commandLine(t)
  const [, create = []] = beginnings(data)
  assert.equal((await turnout(...create)).code, 0)
  const backup = join(folder, 'backup.db')
  assert.equal((await turnout('backup', backup, '--data', data)).code, 0)
  // There is room for the lock of the folder, and not for the backup.
  truncateSync(fill(disk), 2 * 1024 * 1024 - 16 * 4096)
  const outcome = await turnout('restore', backup, '--data', join(disk, 'data'))
  assertRefused(outcome, /no room left on the disk of \S+\. Make room/)
  assert.ok(outcome.err.includes(disk) && !outcome.err.includes(backup), outcome.err)
  assert.deepEqual(readdirSync(disk), ['filler'])
})

test('a read-only file system is said in a sentence', async t => {
  const disk = mountDisk(t, '4m')
  if (disk === undefined) return t.skip('a file system can be mounted by root alone')
  const { turnout } = commandLine(t)
  const data = join(disk, 'data')
  const [serve = [], create = []] = beginnings(data)
  assert.equal((await turnout(...create)).code, 0)
  assert.equal(spawnSync('mount', ['-o', 'remount,ro', disk]).status, 0)
  assertRefused(await turnout(...serve), /read-only/)
  assertRefused(await turnout('account', 'list', '--data', data), /read-only/)
  assertRefused(
    await turnout('account', 'create', '--name', 'A', '--email', 'a@b.c', '--data', join(disk, 'new')),
    /read-only/,
  )
})

test('a database whose header is damaged is said in a sentence, and is not touched', async t => {
  const { turnout, data } = commandLine(t)
  const [serve = [], create = []] = beginnings(data)
  await turnout(...create)
  const path = join(data, 'turnout.db')
  writeSync(openSync(path, 'r+'), Buffer.alloc(100, 7), 0, 100, 0)
  const before = readFileSync(path)
  for (const argv of [serve, create])
    assertRefused(await turnout(...argv), /is damaged, or is no SQLite database\. Restore it from a backup\./)
  assert.deepEqual(readFileSync(path), before)
})

test('a database that is damaged in the middle is said in a sentence by the command that meets it', async t => {
  const { turnout, json, data } = commandLine(t)
  const [, create = []] = beginnings(data)
  const { id } = JSON.parse((await turnout(...create, '--json')).out)
  for (let at = 0; at < 30; at++)
    await json('key', 'create', '--account', id, '--name', 'x', '--scopes', 'events:read')
  const path = join(data, 'turnout.db')
  const connection = new SqliteConnection(path)
  const { rootpage } = connection
    .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'access_log'")
    .get() as { rootpage: number }
  connection.close()
  writeSync(openSync(path, 'r+'), Buffer.alloc(4096, 7), 0, 4096, (rootpage - 1) * 4096)
  assertRefused(
    await turnout('log', 'list', '--account', id, '--data', data),
    /The database is damaged \(SQLITE_CORRUPT\w*\)\. Restore it from a backup\./,
  )
  assert.equal((await turnout('account', 'list', '--data', data)).code, 0)
})

test('a database of another program is refused as it is, whatever version it has', async t => {
  const { turnout, data } = commandLine(t)
  mkdirSync(data)
  const path = join(data, 'turnout.db')
  for (const version of [0, 1, 99]) {
    rmSync(path, { force: true })
    const theirs = new SqliteConnection(path)
    theirs.exec('CREATE TABLE theirs (x)')
    theirs.pragma(`user_version = ${version}`)
    theirs.close()
    const before = readFileSync(path)
    for (const argv of beginnings(data)) assertRefused(await turnout(...argv), /not one of Turnout/)
    assert.deepEqual(readFileSync(path), before)
  }
})

test('a database of a newer program is refused as it is', async t => {
  const { turnout, data } = commandLine(t)
  const [serve = [], create = []] = beginnings(data)
  await turnout(...create)
  const path = join(data, 'turnout.db')
  const newer = new SqliteConnection(path)
  newer.pragma('user_version = 99')
  newer.close()
  const before = readFileSync(path)
  for (const argv of [serve, create])
    assertRefused(await turnout(...argv), /version 99.*Run a newer Turnout\./)
  assert.deepEqual(readFileSync(path), before)
})
