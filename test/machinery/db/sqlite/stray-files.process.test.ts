import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { claimForServer, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import { commandLine, type Outcome } from '#test/faces/cli/turnout.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

/** Makes what a killed server leaves: a database and its log, which has the latest changes. */
function makeCrashed(t: TestContext): string {
  const data = temporaryFolder(t)
  const db = openDatabaseForCommand(data, testClock())
  const crashed = temporaryFolder(t)
  for (const end of ['', '-wal'])
    copyFileSync(join(data, `turnout.db${end}`), join(crashed, `turnout.db${end}`))
  t.after(() => db.close())
  assert.ok(readFileSync(join(crashed, 'turnout.db-wal')).length > 0)
  return crashed
}

const commandsOn = (data: string, folder: string) => [
  ['account', 'list', '--data', data],
  ['account', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--data', data],
  ['check', '--data', data],
  ['backup', join(folder, 'copy.db'), '--data', data],
  // This comes last, because a server that is not refused runs on.
  ['serve', '--data', data, '--port', '0'],
]

function assertRefused({ code, out, err }: Outcome, sentence: RegExp): void {
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, /^error: [^\n]+\n$/)
  assert.match(err, sentence)
}

for (const [how, lose] of [
  ['missing', (path: string) => rmSync(path)],
  ['empty', (path: string) => truncateSync(path, 0)],
] as const) {
  test(`where the database is ${how} and its log is there, nothing starts, and the log stays as it is`, async t => {
    const { turnout, folder } = commandLine(t)
    const data = makeCrashed(t)
    const log = readFileSync(join(data, 'turnout.db-wal'))
    lose(join(data, 'turnout.db'))
    const before = readdirSync(data)
    for (const argv of commandsOn(data, folder)) {
      assertRefused(
        await turnout(...argv),
        /turnout\.db is missing, and there is \S+turnout\.db-wal, which belongs/,
      )
    }
    assert.deepEqual(readdirSync(data), before)
    assert.deepEqual(readFileSync(join(data, 'turnout.db-wal')), log)
    assert.equal(existsSync(join(folder, 'copy.db')), false)
  })
}

test('a journal without its database is refused as a log is', async t => {
  const { turnout, data, folder } = commandLine(t)
  mkdirSync(data)
  writeFileSync(join(data, 'turnout.db-journal'), 'changes')
  for (const argv of commandsOn(data, folder)) {
    assertRefused(await turnout(...argv), /turnout\.db is missing, and there is \S+turnout\.db-journal/)
  }
  assert.deepEqual(readdirSync(data), ['turnout.db-journal'])
})

test('a backup that was copied over the database, beside the log of the old one, is refused, and neither is touched', async t => {
  const { turnout, folder } = commandLine(t)
  const data = makeCrashed(t)
  const path = join(data, 'turnout.db')
  const backup = join(folder, 'backup.db')
  const other = temporaryFolder(t)
  await openDatabaseForCommand(other, testClock()).close()
  assert.equal((await turnout('backup', backup, '--data', other)).code, 0)
  copyFileSync(backup, path)
  const before = [readFileSync(path), readFileSync(`${path}-wal`)]
  for (const argv of commandsOn(data, folder)) {
    assertRefused(await turnout(...argv), /turnout\.db-wal is the log of another database/)
  }
  assert.deepEqual([readFileSync(path), readFileSync(`${path}-wal`)], before)
  rmSync(`${path}-wal`)
  assert.equal((await turnout('account', 'list', '--data', data)).code, 0)
})

test('a server does not make a new database where one has run and its database was taken away', async t => {
  const { turnout, data, folder } = commandLine(t)
  const claim = () => claimForServer(data)
  await openDatabaseForCommand(data, testClock()).close()
  claimForServer(data)()
  const path = join(data, 'turnout.db')
  const backup = join(folder, 'backup.db')
  assert.equal((await turnout('backup', backup, '--data', data)).code, 0)
  renameSync(path, `${path}.away`)
  // A supervisor starts the server more than once.
  for (let start = 0; start < 2; start++) {
    assert.throws(claim, /^Refusal: \S+turnout\.db is missing or empty, though a server has run here/)
  }
  writeFileSync(path, '')
  assert.throws(claim, /is missing or empty/)
  rmSync(path)
  assert.deepEqual(readdirSync(data).sort(), ['server.lock', 'turnout.db.away'])
  assert.equal((await turnout('restore', backup, '--data', data)).code, 0)
  claimForServer(data)()
})

test('a hard link is refused, of the database and of the lock, and a copy in its place is not', async t => {
  const { turnout, data, folder } = commandLine(t)
  await openDatabaseForCommand(data, testClock()).close()
  claimForServer(data)()
  for (const name of ['turnout.db', 'server.lock']) {
    const path = join(data, name)
    linkSync(path, join(folder, 'other'))
    assert.throws(() => claimForServer(data), /has another name, a hard link/)
    copyFileSync(path, join(folder, 'copy'))
    renameSync(join(folder, 'copy'), path)
    claimForServer(data)()
    rmSync(join(folder, 'other'))
  }
  linkSync(join(data, 'turnout.db'), join(folder, 'other'))
  for (const argv of commandsOn(data, folder)) {
    assertRefused(await turnout(...argv), /turnout\.db has another name, a hard link/)
  }
})

test("the name that a restore had for the database when it was killed is in nobody's way", async t => {
  const data = temporaryFolder(t)
  await openDatabaseForCommand(data, testClock()).close()
  const staged = new StagedFile(join(data, 'any.db'))
  const killed = spawnSync(process.execPath, ['--version']).pid
  const left = join(data, basename(dirname(staged.path)).replace(/-\d+-/, `-${killed}-`))
  staged.discard()
  mkdirSync(left)
  linkSync(join(data, 'turnout.db'), join(left, 'turnout.db'))
  await openDatabaseForCommand(data, testClock()).close()
  assert.deepEqual(readdirSync(data), ['turnout.db'])
  linkSync(join(data, 'turnout.db'), join(data, 'other.db'))
  assert.throws(() => openDatabaseForCommand(data, testClock()), Refusal)
})
