import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import * as files from '#product/programme/files/rules.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, engineEnv, openTestDatabase } from '#test/support/engine.ts'
import { inParts, LIMITS, pdfOf, readFiles, sha256Of } from '#test/support/files.ts'
import { argumentsFor } from '#test/support/program.ts'

const SIZE = 5 * PIECE + 1000

/** Makes a submission that has a file, and processes that receive others for it. */
async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const first = pdfOf(PIECE + 1)
  const submission = { eventId, submissionId: 'one', name: 'a.pdf' }
  await new FileReceiver(db).receive(accountId, { ...submission, bytes: inParts(first), limits: LIMITS })
  const start = ({ dies = '', killAt = '' }) => {
    const program = argumentsFor(
      'test/support/file-process.ts',
      killAt === '' ? [] : ['test/support/killed-server.ts'],
    )
    const args = [...program, data, accountId, eventId, 'one', String(SIZE), dies]
    const env = { ...process.env, ...engineEnv(['--data', data]), KILL_AT: killAt }
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
    const ended = once(child, 'close')
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
    })
    return { child, ended }
  }
  const readWhole = async () => {
    const file = await db.read(accountId, tx => files.find(tx, eventId, 'one'))
    assert.ok(file !== undefined, 'the submission has no file')
    const pieces: Uint8Array[] = []
    for await (const piece of files.read(db, accountId, file)) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    assert.deepEqual([bytes.length, sha256Of(bytes)], [file.size, file.sha256])
    return bytes
  }
  return { data, db, first, start, readWhole }
}

const ATTACHES = 'UPDATE abstract_files SET submission_id'

test('a process that is killed while a file comes leaves the one before, and pieces that the cleaning takes', {
  timeout: 120_000,
}, async t => {
  const { data, db, first, start, readWhole } = await prepare(t)
  const faults: [fault: Parameters<typeof start>[0], pieces: number][] = [
    [{ dies: String(PIECE / 2) }, 0],
    [{ killAt: 'before INSERT INTO file_chunks' }, 0],
    [{ killAt: 'after INSERT INTO file_chunks' }, 0],
    [{ dies: String(3 * PIECE + 32 * 1024) }, 3],
    [{ killAt: `before ${ATTACHES}` }, 6],
    [{ killAt: `after ${ATTACHES}` }, 6],
    [{ killAt: 'after UPDATE abstract_files SET replaced_at' }, 6],
  ]
  let loose = 0
  for (const [fault, pieces] of faults) {
    const [, signal] = await start(fault).ended
    assert.equal(signal, 'SIGKILL', JSON.stringify(fault))
    loose += pieces
    const { files: rows, pieces: kept } = await readFiles(db)
    assert.equal(kept.length, 2 + loose, JSON.stringify(fault))
    assert.equal(rows.filter(({ submission_id }) => submission_id !== null).length, 1)
    assert.ok(rows.every(({ replaced_at }) => replaced_at === null))
    assert.ok((await readWhole()).equals(first))
    assert.deepEqual(await damageOf(data), [])
  }
  await cleanUp(db, () => Date.now() + 2 * DAY, 365)
  assert.deepEqual((await readFiles(db)).pieces, [0, 1])
  assert.ok((await readWhole()).equals(first))
})

test('a process that is killed at any instant leaves a whole file with its submission', {
  timeout: 120_000,
}, async t => {
  const { data, db, start, readWhole } = await prepare(t)
  for (let round = 0; round < 5; round++) {
    const { child, ended } = start({})
    await once(child.stdout, 'data')
    await setTimeout(Math.random() * 50)
    child.kill('SIGKILL')
    await ended
    assert.equal((await readWhole()).length, SIZE)
    assert.deepEqual(await damageOf(data), [])
  }
  await cleanUp(db, () => Date.now() + 31 * DAY, 365)
  // What was replaced went too.
  assert.deepEqual((await readFiles(db)).pieces, [0, 1, 2, 3, 4, 5])
  assert.equal((await readWhole()).length, SIZE)
})
