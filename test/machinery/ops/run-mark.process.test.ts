import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLog } from '#base/log.ts'
import { findHold, readProgress } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { markEnd, markStart } from '#machinery/ops/run-mark.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { type TestClock, testClock } from '#test/support/clock.ts'
import { openDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'

/** Runs a server on a folder, and ends it. */
async function runServer(data: string, clock: TestClock, during = async () => {}) {
  const ending: (() => Promise<void>)[] = []
  const { log } = await startWithOrganization({ after: end => ending.push(end as never) }, undefined, {
    data,
    clock,
  })
  await during()
  for (const end of ending) await end()
  return log.filter(({ msg }) => /copy or an older one/.test(String(msg))).length
}

const isOnHold = async (data: string) => {
  const db = await openDatabase(data, testClock())
  try {
    return (await db.read(INSTANCE, findHold)) !== null
  } finally {
    await db.close()
  }
}

const epochOf = async (data: string) => {
  const db = await openDatabase(data, testClock())
  try {
    return (await db.read(INSTANCE, readProgress)).epoch
  } finally {
    await db.close()
  }
}

const own: [string, (data: string, clock: TestClock) => Promise<string> | string][] = [
  ['is as it was', data => data],
  [
    'was moved with its folder',
    data => {
      const moved = `${data}-moved`
      renameSync(data, moved)
      return moved
    },
  ],
  [
    'has other rights',
    data => {
      chmodSync(data, 0o750)
      for (const name of readdirSync(data)) chmodSync(join(data, name), 0o660)
      return data
    },
  ],
  [
    'was written by a command',
    async (data, clock) => {
      const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
      const flags = ['--name', 'Bob', '--email', 'bob@example.org', '--data', data, '--json']
      await carryOut(['account', 'create', ...flags], io)
      return data
    },
  ],
]
for (const [what, change] of own) {
  test(`a database that ${what} is held at no start`, async t => {
    const clock = testClock()
    const data = join(temporaryFolder(t), 'data')
    for (let round = 0; round < 3; round++) assert.equal(await runServer(data, clock), 0)
    const epoch = await epochOf(data)
    const now = await change(data, clock)
    t.after(() => rmSync(now, { recursive: true, force: true }))
    assert.equal(await runServer(now, clock), 0)
    assert.equal(await isOnHold(now), false)
    assert.equal(await epochOf(now), epoch)
  })
}

const copies: [string, (data: string, folder: string, clock: TestClock) => Promise<string>][] = [
  [
    'was restored from a backup',
    async (data, folder, clock) => {
      const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
      await carryOut(['backup', join(folder, 'backup.db'), '--data', data, '--json'], io)
      await carryOut(['restore', join(folder, 'backup.db'), '--data', join(folder, 'restored'), '--json'], io)
      return join(folder, 'restored')
    },
  ],
  [
    'was restored to the folder that it came from',
    async (data, folder, clock) => {
      const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
      await carryOut(['backup', join(folder, 'backup.db'), '--data', data, '--json'], io)
      rmSync(join(data, 'turnout.db'))
      copyFileSync(join(folder, 'backup.db'), join(data, 'turnout.db'))
      return data
    },
  ],
  [
    'was restored beside what a run that was killed has left',
    async (data, folder, clock) => {
      const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
      await carryOut(['backup', join(folder, 'backup.db'), '--data', data, '--json'], io)
      for (const name of readdirSync(data).filter(each => each.startsWith('turnout.db')))
        rmSync(join(data, name))
      await carryOut(['restore', join(folder, 'backup.db'), '--data', data, '--json'], io)
      return data
    },
  ],
  [
    'is of before the last run, put back by hand',
    async (data, folder, clock) => {
      copyFileSync(join(data, 'turnout.db'), join(folder, 'older.db'))
      await runServer(data, clock)
      copyFileSync(join(folder, 'older.db'), join(data, 'turnout.db'))
      return data
    },
  ],
  [
    'was copied during the last run and put back by hand',
    async (data, folder, clock) => {
      await runServer(data, clock, async () => {
        const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
        await carryOut(['account', 'list', '--data', data], io)
        for (const name of readdirSync(data).filter(each => each.startsWith('turnout.db'))) {
          copyFileSync(join(data, name), join(folder, name))
        }
      })
      for (const name of readdirSync(folder).filter(each => each.startsWith('turnout.db'))) {
        copyFileSync(join(folder, name), join(data, name))
      }
      return data
    },
  ],
  [
    'was copied with its folder',
    async (data, folder) => {
      cpSync(data, join(folder, 'copied'), { recursive: true, preserveTimestamps: true })
      return join(folder, 'copied')
    },
  ],
  [
    'was copied without its mark',
    async (data, folder) => {
      cpSync(data, join(folder, 'copied'), { recursive: true })
      rmSync(join(folder, 'copied', 'server.mark'))
      return join(folder, 'copied')
    },
  ],
  [
    'lacks its mark',
    async data => {
      rmSync(join(data, 'server.mark'))
      return data
    },
  ],
]
for (const [what, make] of copies) {
  test(`a database that ${what} is held, also at the starts after, until somebody lets go`, async t => {
    const clock = testClock()
    const folder = temporaryFolder(t)
    const data = join(folder, 'data')
    for (let round = 0; round < 2; round++) await runServer(data, clock)
    assert.equal(await isOnHold(data), false)
    const before = await epochOf(data)
    const copy = await make(data, folder, clock)
    assert.equal(await runServer(copy, clock), 1)
    assert.equal(await isOnHold(copy), true)
    // Numbers of writes that scanners know mean others now.
    const epoch = await epochOf(copy)
    assert.notEqual(epoch, before)
    // The warning comes once, and the hold stays.
    assert.equal(await runServer(copy, clock), 0)
    assert.equal(await epochOf(copy), epoch)
    assert.equal(await isOnHold(copy), true)
    const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
    await carryOut(['mail', 'resume', '--data', copy], io)
    await runServer(copy, clock)
    assert.equal(await isOnHold(copy), false)
    if (copy !== data) {
      await runServer(data, clock)
      assert.equal(await isOnHold(data), false, 'the one that it was copied from')
    }
  })
}

/** A power cut at one of its writes, before or after. */
function cutting(db: Database, at: number, after: boolean): Database {
  let writes = 0
  return {
    ...db,
    read: (owner, work, options) => db.read(owner, work, options),
    write: async (owner, work) => {
      const isCut = writes++ === at
      if (isCut && !after) throw new Error('cut')
      const result = await db.write(owner, work)
      if (isCut) throw new Error('cut')
      return result
    },
  }
}

test('a start or an end that is cut off anywhere makes no copy of a database, and forgets none', async t => {
  for (const isCopy of [false, true]) {
    for (let at = 0; at < 4; at++) {
      for (const after of [false, true]) {
        const folder = temporaryFolder(t)
        const db = await openDatabase(folder, testClock())
        await markStart(db, folder, 1)
        await markEnd(db, folder, openLog('silent', { write: () => true }))
        if (isCopy) rmSync(join(folder, 'server.mark'))
        const cut = cutting(db, at, after)
        const say = `copy ${isCopy}, cut ${after ? 'after' : 'before'} write ${at}`
        await assert.rejects(async () => {
          await markStart(cut, folder, 2)
          let warned = false
          await markEnd(cut, folder, openLog('warn', { write: () => (warned = true) }))
          assert.ok(warned, say)
          throw new Error('cut')
        }, /cut/)
        await markStart(db, folder, 3)
        assert.equal((await db.read(INSTANCE, findHold)) !== null, isCopy, say)
        await db.close()
      }
    }
  }
})

test('a server that was killed is held at no start', { timeout: 60_000 }, async t => {
  const data = join(temporaryFolder(t), 'data')
  for (let round = 0; round < 3; round++) {
    const server = await startServerProcess(t, data)
    server.kill('SIGKILL')
    await server.ended
  }
  assert.equal(await isOnHold(data), false)
})

test('a database that an upgrade brings from version 1 is held at no start', async t => {
  const data = join(temporaryFolder(t), 'data')
  const clock = testClock()
  mkdirSync(data)
  const create = readFileSync(new URL('../db/sqlite/schema-1.sql', import.meta.url), 'utf8')
  await openSqlite(join(data, 'turnout.db'), { clock, schema: { create, migrations: [] } }).close()
  for (let round = 0; round < 2; round++) assert.equal(await runServer(data, clock), 0)
  assert.equal(await isOnHold(data), false)
})

test('numbers that a loss of power has taken back are given to no other write', async t => {
  const folder = temporaryFolder(t)
  const db = await openDatabase(folder, testClock())
  await markStart(db, folder, 1)
  // A reader sees a commit before it is on the disk.
  const seen = (await db.read(INSTANCE, readProgress)).write_number + 1
  await markStart(db, folder, 2)
  await db.write(INSTANCE, tx => tx.now())
  assert.ok((await db.read(INSTANCE, readProgress)).write_number > seen + 1)
  await db.close()
})
