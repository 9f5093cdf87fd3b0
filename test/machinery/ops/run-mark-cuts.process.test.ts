import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openLog } from '#base/log.ts'
import { findHold, findRunMark, setHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { markEnd, markStart } from '#machinery/ops/run-mark.ts'
import { testClock } from '#test/support/clock.ts'
import { CutFile, cuts } from '#test/support/cut-file.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { argumentsFor } from '#test/support/program.ts'

const silent = openLog('silent', { write: () => true })

async function openOwn(t: TestContext, folder = temporaryFolder(t)) {
  const db = await openTestDatabase(t, { data: folder, clock: testClock() })
  const path = join(folder, 'server.mark')
  const isOnHold = async () => (await db.read(INSTANCE, findHold)) !== null
  const markOf = async () => ((await db.read(INSTANCE, findRunMark)) ?? '').split(' ')[0] ?? ''
  return { db, folder, path, isOnHold, markOf }
}

type Own = Awaited<ReturnType<typeof openOwn>>

async function runOnce(db: Database, folder: string): Promise<void> {
  await markStart(db, folder, 1)
  await markEnd(db, folder, silent)
}

/** Overwrites the file in its place, as an earlier program did. */
const overwrite = (path: string, text: string) => writeFileSync(path, text, { flag: 'r+' })
const empty = (path: string) => writeFileSync(path, '')

const states: Readonly<Record<string, { make: (own: Own) => Promise<void> | void; isCopy?: true }>> = {
  'a database of its own': { make: () => undefined },
  'the first start': {
    make: async ({ db, path }) => {
      rmSync(path, { force: true })
      await db.write(INSTANCE, tx => tx.run('UPDATE instance SET run_mark = NULL'))
    },
  },
  'a file of an older program': {
    make: async ({ path, markOf }) => {
      empty(path)
      overwrite(path, `${await markOf()}\n`)
    },
  },
  'a file that an older program was about to change': {
    make: async ({ path, markOf }) => {
      empty(path)
      overwrite(path, `${await markOf()} ${'0'.repeat(32)}\n`)
    },
  },
  'a file that an older program has emptied': { make: ({ path }) => empty(path) },
  'a file that an older program has half written': {
    make: async ({ path, markOf }) => {
      empty(path)
      overwrite(path, (await markOf()).slice(0, 11))
    },
  },
  'a copy': { make: ({ path }) => rmSync(path), isCopy: true },
}

for (const [state, { make, isCopy = false }] of Object.entries(states)) {
  test(`${state}: a run that is cut off at any call of the system makes no copy of a database, and forgets none`, async t => {
    const own = await openOwn(t)
    const { db, folder, path, isOnHold } = own
    const file = new CutFile(t, folder, path)
    await runOnce(db, folder)
    let cut = 0
    for (const [how, each] of Object.entries(cuts)) {
      for (let call = 0; ; call++) {
        const say = `cut ${how}, call ${call}`
        file.disarm()
        await runOnce(db, folder)
        await db.write(INSTANCE, tx => setHold(tx, null))
        await make(own)
        file.arm(call, each)
        await markStart(db, folder, 2).catch(error => assert.equal(error.message, 'cut', say))
        // A run that is cut at its end writes the log alone.
        if (!file.isCut) await markEnd(db, folder, silent)
        const { isCut } = file
        file.disarm()
        await markStart(db, folder, 3)
        assert.equal(await isOnHold(), isCopy, say)
        if (!isCut) break
        cut++
      }
    }
    assert.ok(cut > 100, `${cut} cuts`)
  })
}

test('no call of the system empties the file or gives it another inode, and what it takes on the disk never changes', async t => {
  const { db, folder, path } = await openOwn(t)
  await runOnce(db, folder)
  const was = statSync(path)
  const file = new CutFile(t, folder, path)
  for (let call = 0, isCut = true; isCut; call++) {
    file.arm(call, 'after')
    await markStart(db, folder, 2).catch(() => undefined)
    isCut = file.isCut
    file.disarm()
    const { ino, size, blocks } = statSync(path)
    assert.deepEqual({ ino, size, blocks }, { ino: was.ino, size: was.size, blocks: was.blocks }, `${call}`)
  }
})

const contents: readonly [string, (own: Own) => Promise<string>][] = [
  ['nothing', async () => ''],
  ['zeros', async () => '\0'.repeat(8192)],
  ['the beginning of its mark', async ({ markOf }) => (await markOf()).slice(0, 20)],
  ['its mark with another end', async ({ markOf }) => `${(await markOf()).slice(0, 20)}\0\0\0\0`],
  ['anything', async () => 'no mark'],
]
for (const [what, contentOf] of contents) {
  test(`a file of the same inode that holds ${what} is the database's own, and a copy of it is not`, async t => {
    const folder = temporaryFolder(t)
    const data = join(folder, 'data')
    const own = await openOwn(t, data)
    await runOnce(own.db, data)
    const content = await contentOf(own)
    empty(own.path)
    overwrite(own.path, content)
    cpSync(data, join(folder, 'copied'), { recursive: true, preserveTimestamps: true })
    assert.equal(await markStart(own.db, data, 2), false)
    const copied = await openOwn(t, join(folder, 'copied'))
    assert.equal(await markStart(copied.db, copied.folder, 2), true)
    assert.equal(await copied.isOnHold(), true)
  })
}

test('a database with the mark of an older one is held, although the file says a mark', async t => {
  const { db, folder, isOnHold } = await openOwn(t)
  await runOnce(db, folder)
  const older = await db.read(INSTANCE, findRunMark)
  await runOnce(db, folder)
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET run_mark = $1', [older]))
  assert.equal(await markStart(db, folder, 2), true)
  assert.equal(await isOnHold(), true)
})

test('an older program finds its mark in the file', async t => {
  const { db, folder, path, markOf } = await openOwn(t)
  await runOnce(db, folder)
  // The mark is as the run read it.
  assert.ok(
    readFileSync(path, 'utf8')
      .trim()
      .split(' ')
      .includes(await markOf()),
  )
})

test('a process that is killed at any time while it starts and ends is held at no start', {
  timeout: 120_000,
}, async t => {
  const data = temporaryFolder(t)
  for (let round = 0; round < 25; round++) {
    const child = spawn(process.execPath, [...argumentsFor('test/support/mark-process.ts'), data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
    })
    await once(child.stdout, 'data')
    await setTimeout(Math.random() * 40)
    child.kill('SIGKILL')
    await closed
    assert.equal(output, 'running\n', `round ${round}`)
    const { size } = statSync(join(data, 'server.mark'), { throwIfNoEntry: false }) ?? { size: 1 }
    assert.ok(size > 0, `round ${round}`)
  }
})
