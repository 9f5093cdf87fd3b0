import assert from 'node:assert/strict'
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
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { ImportLoad } from '#test/support/load.ts'
import { runCommand, type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

/** A process that does not end as it should fails the test, and does not hold up the run. */
const limit = { timeout: 60_000 }

async function startProcess(t: TestContext) {
  const prepared = await prepareDataFolder(t)
  // The data has a folder of its own, which can be moved.
  const data = join(diskFolder(t), 'data')
  renameSync(prepared.data, data)
  const server = await startServerProcess(t, data)
  const client = new Client(server.url, prepared.key)
  t.after(() => client.close())
  const makeImport = (number: number) => ({
    event_id: prepared.eventId,
    registration_type_id: prepared.typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
  })
  return { ...prepared, data, path: join(data, 'turnout.db'), server, client, makeImport }
}

/** Copies a file in pieces. copyFileSync never ends if the file gets shorter meanwhile, as the log of a server does. */
function copyLive(from: string, to: string): void {
  writeFileSync(to, readFileSync(from))
}

/** A process that is stopped within a write of its own, such as its loops make, keeps SQLite's lock, and nobody else starts. */
async function stopBetweenWrites(server: ServerProcess, path: string): Promise<void> {
  for (;;) {
    server.kill('SIGSTOP')
    await setTimeout(20)
    if (isWritable(path)) return
    server.kill('SIGCONT')
    await setTimeout(20)
  }
}

function isWritable(path: string): boolean {
  const connection = new Database(path, { timeout: 0 })
  try {
    connection.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'SQLITE_BUSY')
    return false
  } finally {
    connection.close()
  }
}

function replaceByCopy(path: string): void {
  copyLive(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

function findRescued(path: string): string {
  const [name, ...others] = readdirSync(dirname(path)).filter(each => /^turnout\.db\.rescued-/.test(each))
  assert.ok(name !== undefined && others.length === 0, 'one file was rescued')
  return join(dirname(path), name)
}

interface Loss {
  happens: string
  does: (path: string) => void
  /** Returns the place of everything that was acknowledged. It is undefined if whoever did the damage has destroyed that. */
  kept: ((path: string) => string) | undefined
  says: RegExp
  /** Matches the message of the next start on the folder. It is undefined if that start succeeds. */
  thenSays?: RegExp
}

const losses: Loss[] = [
  {
    happens: 'removed',
    does: path => rmSync(path),
    kept: findRescued,
    says: /turnout\.db was removed .* All that was acknowledged is in \S+\.rescued-\d{8}T\d{6}Z/,
    thenSays: /turnout\.db is missing, .*rescued-/,
  },
  {
    happens: 'moved away',
    does: path => renameSync(path, join(dirname(path), 'away.db')),
    kept: path => join(dirname(path), 'away.db'),
    says: /turnout\.db was removed or moved away .* All that was acknowledged is in /,
    thenSays: /turnout\.db is missing or empty, though/,
  },
  {
    happens: 'replaced by a copy of it',
    does: replaceByCopy,
    kept: findRescued,
    says: /turnout\.db was replaced by another file .*\.rescued-/,
  },
  {
    happens: 'emptied',
    does: path => truncateSync(path, 0),
    kept: undefined,
    says: /turnout\.db was cut short or written over .* last backup/,
    thenSays: /turnout\.db is missing, .*rescued-/,
  },
  {
    happens: 'moved away with its folder, and another put in its place',
    does: path => {
      const folder = dirname(path)
      renameSync(folder, `${folder}.old`)
      mkdirSync(folder)
      for (const name of readdirSync(`${folder}.old`))
        copyLive(join(`${folder}.old`, name), join(folder, name))
    },
    kept: path => join(`${dirname(path)}.old`, 'turnout.db'),
    says: /turnout\.db was (removed or moved|replaced) .* All that was acknowledged is in /,
  },
  {
    happens: 'removed with its folder',
    does: path => {
      try {
        rmSync(dirname(path), { recursive: true })
      } catch (error) {
        // The file that the server has rescued may be there already.
        if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
      }
    },
    kept: findRescued,
    says: /turnout\.db was removed .* All that was acknowledged is in \S+\.rescued-/,
    thenSays: /turnout\.db is missing, .*rescued-/,
  },
  {
    happens: 'left without its log',
    does: path => rmSync(`${path}-wal`),
    kept: path => path,
    says: /turnout\.db-wal was removed .* All that was acknowledged is in \S+turnout\.db\b/,
  },
  {
    happens: 'given a copy of its log',
    does: path => replaceByCopy(`${path}-wal`),
    kept: path => path,
    says: /turnout\.db-wal was replaced .* All that was acknowledged is in \S+turnout\.db\b/,
  },
  {
    happens: 'left without its shared memory',
    does: path => rmSync(`${path}-shm`),
    kept: path => path,
    says: /turnout\.db-shm was removed .* All that was acknowledged is in \S+turnout\.db\b/,
  },
]

for (const { happens, does, kept, says, thenSays } of losses) {
  test(
    `a database that is ${happens} under a server stops it: what was sent from then on is not acknowledged, what was is kept`,
    limit,
    async t => {
      const { data, path, server, client, makeImport } = await startProcess(t)
      const load = new ImportLoad(client, 'lost', 8, makeImport)
      await load.reached(100)
      does(path)
      const sentBefore = load.sent.length
      // If the server does not end, the load goes on until it has shown enough.
      await Promise.race([server.ended, load.reached(load.answered.size + 38).catch(() => server.ended)])
      await load.stop()
      const acknowledged = new Map([...load.answered].filter(([, { status }]) => status === 201))
      const after = load.sent.slice(sentBefore).filter(one => acknowledged.has(one.idempotencyKey))
      assert.equal(after.length, 0, `${after.length} were sent after the loss, and acknowledged`)

      const { code, stderr } = await server.ended
      assert.equal(code, 1)
      assert.deepEqual(stderr.match(/^error: .*$/gm)?.length, 1, stderr)
      assert.match(stderr, /^error: .*$/m)
      assert.match(stderr.match(/^error: .*$/m)?.[0] ?? '', says)
      if (kept !== undefined) {
        const file = kept(path)
        // The file is copied alone, because nobody need know of a log beside it. A file that no longer shares memory with its log
        // is complete only with it.
        const aside = diskFolder(t)
        const alone = join(aside, 'turnout.db')
        copyFileSync(file, alone)
        if (/-shm/.test(String(says))) copyFileSync(`${file}-wal`, `${alone}-wal`)
        assert.deepEqual(await findLoss(aside, acknowledged), [])
        assert.deepEqual(await findDamage(aside), [])
      }

      if (thenSays === undefined) return
      const next = await runCommand(t, 'serve', '--data', data, '--port', '0')
      assert.equal(next.code, 1)
      assert.match(next.stderr, /^error: [^\n]+\n$/)
      assert.match(next.stderr, thenSays)
      if (kept !== findRescued) return
      renameSync(findRescued(path), path)
      await (await openDatabase(data, Date.now)).close()
      assert.deepEqual(await findLoss(data, acknowledged), [])
    },
  )
}

test('a server that nobody asks anything notices too that its database is gone', limit, async t => {
  const { path, server } = await startProcess(t)
  rmSync(path)
  const { code, stderr } = await server.ended
  assert.equal(code, 1)
  assert.match(stderr, /^error: .*turnout\.db was removed/m)
})

test(
  'a server whose lock is removed takes it anew, so that no second one starts, and goes on',
  limit,
  async t => {
    const { data, server, client, makeImport } = await startProcess(t)
    const load = new ImportLoad(client, 'locked', 4, makeImport)
    await load.reached(10)
    rmSync(join(data, 'server.lock'))
    const { code, stderr } = await runCommand(t, 'serve', '--data', data, '--port', '0')
    assert.equal(code, 1)
    assert.match(stderr, /^error: Another server already runs on this data folder/)
    await load.reached(load.answered.size + 10)
    await load.stop()
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    assert.deepEqual(await findLoss(data, load.answered), [])
  },
)

test(
  'a server that comes too late to take its lock anew stops, and acknowledges nothing more',
  limit,
  async t => {
    const { data, key, path, server, client, makeImport } = await startProcess(t)
    const load = new ImportLoad(client, 'early', 4, makeImport)
    await load.reached(10)
    await load.stop()
    await stopBetweenWrites(server, path)
    rmSync(join(data, 'server.lock'))
    const second = await startServerProcess(t, data)
    const late = new ImportLoad(client, 'late', 4, makeImport)
    server.kill('SIGCONT')
    await Promise.race([late.ended(), late.reached(30)])
    await late.stop()
    assert.equal(late.answered.size, 0)
    const { code, stderr } = await server.ended
    assert.equal(code, 1)
    assert.match(stderr, /^error: Another server has taken over the data folder/m)

    const other = new Client(second.url, key)
    t.after(() => other.close())
    const more = new ImportLoad(other, 'second', 4, makeImport)
    await more.reached(10)
    await more.stop()
    assert.deepEqual(await findLoss(data, new Map([...load.answered, ...more.answered])), [])
    assert.deepEqual(await findDamage(data), [])
  },
)

test('no second server runs through a hard link in another folder', limit, async t => {
  const { data, path, client, makeImport } = await startProcess(t)
  const other = diskFolder(t)
  for (const end of ['', '-wal', '-shm']) linkSync(path + end, join(other, `turnout.db${end}`))
  for (const argv of [
    ['serve', '--port', '0', '--data', other],
    ['account', 'list', '--data', other],
    ['check', '--data', other],
  ]) {
    const { code, stderr } = await runCommand(t, ...argv)
    assert.equal(code, 1)
    assert.match(stderr, /^error: \S+turnout\.db has another name, .*hard link[^\n]*\n$/)
  }
  assert.equal(existsSync(join(other, 'server.lock')), false)
  assert.ok(existsSync(join(data, 'server.lock')))
  const load = new ImportLoad(client, 'linked', 1, makeImport)
  await load.reached(1)
  await load.stop()
})
