import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { explainListening } from '../../src/http/listening.ts'
import { Refusal } from '../../src/refusal.ts'
import { chained } from '../support/chained.ts'
import { temporaryFolder } from '../support/folder.ts'
import { selfSigned } from '../support/self-signed.ts'
import { runCommand } from '../support/server-process.ts'
import { commandLine, type Outcome } from './turnout.ts'

/** One sentence, and nothing else. */
function assertRefused({ code, out, err }: Outcome, sentence: RegExp): void {
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, /^error: [^\n]+\n$/)
  assert.match(err, sentence)
}

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

async function takePort(t: TestContext): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  return String((taken.address() as { port: number }).port)
}

test('a port in use, of the API or of the metrics, is said with its flag, and leaves no database behind', async t => {
  const { turnout, data } = commandLine(t)
  const port = await takePort(t)
  const serve = ['serve', '--data', data]
  assertRefused(
    await turnout(...serve, '--port', port),
    /:\d+ is already in use\. Choose another port with --port;/,
  )
  assertRefused(
    await turnout(...serve, '--port', '0', '--metrics-port', port),
    /:\d+ is already in use\. Choose another port with --metrics-port;/,
  )
  assert.equal(existsSync(data), false)
})

test('an address of another machine, and a name that is none, are said with their flag', async t => {
  const { turnout, data } = commandLine(t)
  const serve = ['serve', '--data', data, '--port', '0']
  assertRefused(
    await turnout(...serve, '--host', '192.0.2.1', '--behind-proxy'),
    /192\.0\.2\.1 is no address of this machine\. Choose another with --host\./,
  )
  assertRefused(
    await turnout(...serve, '--metrics-port', '0', '--metrics-host', '192.0.2.1'),
    /192\.0\.2\.1 is no address of this machine\. Choose another with --metrics-host\./,
  )
  assert.equal(existsSync(data), false)
})

test('every way in which an address is refused has its sentence, and another error stays what it is', () => {
  const place = { host: '::1', port: 443, hostFlag: '--host', portFlag: '--port' }
  const explain = (code: string) => explainListening(Object.assign(new Error('raw'), { code }), place)
  for (const [code, sentence] of [
    ['EACCES', /^\[::1\]:443 may not be used by this user\. Choose a port from 1024 on with --port, or/],
    ['EADDRINUSE', /^\[::1\]:443 is already in use\./],
    ['EADDRNOTAVAIL', /^::1 is no address of this machine\./],
    ['ENOTFOUND', /^--host ::1 is no name that resolves/],
  ] as const) {
    assert.ok(explain(code) instanceof Refusal)
    assert.match(explain(code).message, sentence)
  }
  assert.equal(explain('EMFILE').message, 'raw')
})

test('the flags of TLS and of the metrics that do not go together are refused', async t => {
  const { turnout, data, write } = commandLine(t)
  const cert = write('cert.pem', selfSigned.cert)
  const serve = ['serve', '--data', data]
  assertRefused(await turnout(...serve, '--tls-cert', cert), /--tls-cert needs --tls-key beside it\./)
  assertRefused(await turnout(...serve, '--tls-key', cert), /--tls-key needs --tls-cert beside it\./)
  assertRefused(
    await turnout(...serve, '--port', '9000', '--metrics-port', '9000'),
    /--metrics-port must be another port than --port\./,
  )
  assertRefused(
    await turnout(...serve, '--metrics-host', '0.0.0.0'),
    /--metrics-host needs --metrics-port, the port/,
  )
  assertRefused(await turnout(...serve, '--metrics-port', 'x'), /--metrics-port must be a port number/)
  assertRefused(await turnout(...serve, '--host', '0.0.0.0'), /unencrypted .* --tls-cert and --tls-key/)
  assert.equal(existsSync(data), false)
})

test('a certificate or key that cannot be used is said in a sentence without the key, before anything is made', async t => {
  const { turnout, data, folder, write } = commandLine(t)
  const cert = write('cert.pem', selfSigned.cert)
  const key = write('key.pem', selfSigned.key)
  const pairs: [string, string, RegExp][] = [
    [join(folder, 'none.pem'), key, /--tls-cert \S+none\.pem cannot be read: there is no such file\./],
    [folder, key, /--tls-cert \S+ cannot be read: it is a folder\./],
    ['/dev/null', key, /--tls-cert \/dev\/null cannot be read: it is no PEM file\./],
    [cert, write('large.pem', Buffer.alloc(2_000_000)), /--tls-key \S+ cannot be read: it is no PEM file\./],
    [write('text', 'hello'), key, /--tls-cert \S+ holds no certificate in PEM form\./],
    [key, key, /--tls-cert \S+ holds no certificate in PEM form\./],
    [cert, cert, /--tls-key \S+ holds no private key in PEM form\./],
    [
      cert,
      write('other.pem', chained.key),
      /--tls-key \S+ does not match the first certificate in \S+cert\.pem\./,
    ],
    [
      write('reversed.pem', chained.intermediate + chained.cert),
      write('leaf.pem', chained.key),
      /does not match the first certificate/,
    ],
    [cert, write('encrypted.pem', chained.encryptedKey), /--tls-key \S+ is encrypted\. .*openssl pkey/],
    [cert, write('old.pem', chained.oldEncryptedKey), /--tls-key \S+ is encrypted\. .*openssl pkey/],
  ]
  for (const [tlsCert, tlsKey, sentence] of pairs) {
    const outcome = await turnout(
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--tls-cert',
      tlsCert,
      '--tls-key',
      tlsKey,
    )
    assertRefused(outcome, sentence)
    assert.ok(!outcome.err.includes('PRIVATE KEY'))
  }
  assert.equal(existsSync(data), false)
})

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
  // Else the folder of the tests is what stands in the way.
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
  // In a process of their own: what tries for ever would stop the tests too.
  for (const argv of [
    ['serve', '--port', '0', '--data', '/proc/none/data'],
    ['account', 'create', '--name', 'A', '--email', 'a@b.c', '--data', '/proc/none'],
    ['serve', '--port', '0', '--data', temporaryFolder(t), '--backup-dir', '/proc/none/backups'],
  ]) {
    const { code, stdout: out, stderr: err } = await runCommand(t, ...argv)
    assertRefused({ code: code as number, out, err }, /folder \/proc\/none\S* cannot be (made|used): \w/)
  }
})

/** A file system of its own, so small. @returns undefined where this user may not mount one */
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

test("sandbox refuses somebody's data before it listens", async t => {
  const { turnout, data } = commandLine(t)
  const [, create = []] = beginnings(data)
  await turnout(...create)
  // A port in use would be the refusal, if it had come so far.
  assertRefused(
    await turnout('sandbox', '--data', data, '--port', await takePort(t)),
    /holds data that is not of a sandbox/,
  )
  assert.equal(existsSync(join(data, 'server.lock')), false)
})
