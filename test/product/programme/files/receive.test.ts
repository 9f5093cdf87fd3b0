import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { DatabaseUnavailable } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as events from '#product/catalog/events/rules.ts'
import { MOST_OF_EVENT, MOST_REPLACED } from '#product/programme/files/limits.ts'
import { FileReceiver, type Incoming } from '#product/programme/files/receive.ts'
import * as files from '#product/programme/files/rules.ts'
import { nameOfFile, PIECE } from '#product/programme/files/schemas.ts'
import { refuseFile } from '#product/programme/submissions/files.ts'
import { damageOf } from '#test/support/engine.ts'
import { inParts, LIMITS, MIB, pdfOf, readFiles, sha256Of } from '#test/support/files.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, openCall } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const { data, db, clock, applied, eventId } = await startWithOrganization(t)
  const accountId = applied.account_id
  const sent = (changes: Partial<Incoming>): Incoming => ({
    ...{ eventId, submissionId: 'one', name: 'a.pdf', bytes: inParts(pdfOf(100)), limits: LIMITS },
    ...changes,
  })
  const receiver = new FileReceiver(db)
  const send = (changes: Partial<Incoming>) => receiver.receive(accountId, sent(changes))
  const find = (submissionId = 'one') => db.read(accountId, tx => files.find(tx, eventId, submissionId))
  const contentOf = async (submissionId = 'one') => {
    const file = await find(submissionId)
    assert.ok(file !== undefined, 'there is no file')
    const pieces: Uint8Array[] = []
    for await (const piece of files.read(db, accountId, file)) pieces.push(piece)
    return { file, pieces, bytes: Buffer.concat(pieces) }
  }
  /** Nothing has come of what was sent. */
  const assertNothing = async () => assert.deepEqual(await readFiles(db), { files: [], pieces: [] })
  return { data, db, clock, accountId, eventId, sent, send, find, contentOf, assertNothing }
}

const faultOf = (fault: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual([error.code, error.param], ['invalid_parameter', 'file'])
  assert.equal((error.details as { fault: { key: string } }).fault.key, fault)
  return true
}

test('a file of any size comes back as it was sent, in whatever parts it came', async t => {
  const { send, contentOf, data } = await start(t)
  const sizes = [12, 1024, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 77]
  for (const size of sizes) {
    for (const part of [size, 65_536, 777]) {
      const bytes = pdfOf(size)
      const made = await send({ bytes: inParts(bytes, part) })
      const { file, pieces, bytes: read } = await contentOf()
      assert.ok(read.equals(bytes), `${size} in parts of ${part}`)
      assert.deepEqual({ ...file }, { ...made })
      assert.deepEqual([file.size, file.sha256], [size, sha256Of(bytes)])
      assert.equal(pieces.length, Math.ceil(size / PIECE))
      assert.ok(pieces.slice(0, -1).every(({ length }) => length === PIECE))
    }
  }
  assert.deepEqual(await damageOf(data), [])
})

test('bytes that drip one by one are a file too', async t => {
  const { send, contentOf } = await start(t)
  const bytes = pdfOf(1500)
  await send({ bytes: inParts(bytes, 1) })
  assert.ok((await contentOf()).bytes.equals(bytes))
})

test('what does not begin as a PDF is refused, and nothing of it is kept', async t => {
  const { send, assertNothing } = await start(t)
  const gif = Buffer.concat([Buffer.from('GIF89a'), pdfOf(PIECE)])
  const late = Buffer.concat([Buffer.from('\n'), pdfOf(100)])
  const html = Buffer.from('<html>%PDF-1.7 %%EOF</html>')
  for (const bytes of [Buffer.alloc(0), Buffer.from('%PDF'), late, gif, html, randomBytes(3 * PIECE)])
    await assert.rejects(send({ bytes: inParts(bytes) }), faultOf('noPdf'))
  await assertNothing()
})

test('a PDF that is cut off, or goes on long after its end, is refused, and its pieces are gone', async t => {
  const { send, assertNothing, contentOf } = await start(t)
  const bytes = pdfOf(3 * PIECE)
  const behind = (count: number) => Buffer.concat([bytes, Buffer.alloc(count)])
  for (const wrong of [
    bytes.subarray(0, -3),
    bytes.subarray(0, PIECE),
    behind(1024),
    behind(PIECE),
    Buffer.from('%PDF-'),
  ])
    await assert.rejects(send({ bytes: inParts(wrong) }), faultOf('cutPdf'))
  await assertNothing()
  // The end may lie on both sides of where two pieces meet.
  for (const count of [1, 3, 500, 1000]) {
    const right = behind(count)
    await send({ bytes: inParts(right) })
    assert.ok((await contentOf()).bytes.equals(right))
  }
})

test('a polyglot that is a PDF at its beginning and its end is kept as bytes that nobody reads', async t => {
  const { send, contentOf } = await start(t)
  const bytes = Buffer.concat([
    Buffer.from('%PDF-1.7\n<script>alert(1)</script>\nPK\x03\x04'),
    randomBytes(1000),
    Buffer.from('%%EOF'),
  ])
  await send({ bytes: inParts(bytes) })
  assert.ok((await contentOf()).bytes.equals(bytes))
})

test('a file may be as large as the event takes, and not a byte larger', async t => {
  const { send, assertNothing, contentOf } = await start(t)
  const limits = { ...LIMITS, file: 10 * MIB }
  let sent = 0
  let isEnded = false
  async function* endless() {
    try {
      for await (const part of inParts(pdfOf(20 * MIB))) {
        sent += part.length
        yield part
      }
    } finally {
      isEnded = true
    }
  }
  await assert.rejects(send({ limits, bytes: inParts(pdfOf(10 * MIB + 1)) }), faultOf('fileTooHeavy'))
  await assert.rejects(send({ limits, bytes: endless() }), faultOf('fileTooHeavy'))
  assert.ok(sent <= 10 * MIB + 64 * 1024, `${sent} bytes were read`)
  assert.ok(isEnded)
  await assertNothing()
  await send({ limits, bytes: inParts(pdfOf(10 * MIB)) })
  assert.equal((await contentOf()).file.size, 10 * MIB)
})

test('a file that breaks off leaves nothing, and the one before it stays', async t => {
  const { send, contentOf, db } = await start(t)
  const first = pdfOf(PIECE + 5)
  await send({ bytes: inParts(first) })
  async function* broken(error: Error) {
    yield* inParts(pdfOf(5 * PIECE).subarray(0, 4 * PIECE + 9))
    throw error
  }
  await assert.rejects(send({ bytes: broken(new Error('aborted')) }), { code: 'malformed_json' })
  await assert.rejects(send({ bytes: broken(new Problem('request_timeout')) }), { code: 'request_timeout' })
  assert.ok((await contentOf()).bytes.equals(first))
  const { files: rows, pieces } = await readFiles(db)
  assert.deepEqual([rows.length, pieces], [1, [0, 1]])
})

test('the next file takes the place of the one before, which is kept and marked', async t => {
  const { send, contentOf, find, db, clock, data } = await start(t)
  const one = await send({})
  clock.advance(1000)
  const bytes = pdfOf(200)
  const two = await send({ bytes: inParts(bytes), name: 'C:\\Users\\Lin\\b.pdf' })
  assert.notEqual(one.id, two.id)
  assert.equal(two.name, 'b.pdf')
  assert.ok((await contentOf()).bytes.equals(bytes))
  assert.deepEqual((await readFiles(db)).files, [
    { id: one.id, submission_id: 'one', size: 100, replaced_at: clock() },
    { id: two.id, submission_id: 'one', size: 200, replaced_at: null },
  ])
  assert.equal(await find('two'), undefined)
  assert.deepEqual(await damageOf(data), [])
})

test('of two files that are sent for a submission at once, one stays, whole', async t => {
  const { send, contentOf, db, data } = await start(t)
  const sent = [pdfOf(2 * MIB), pdfOf(2 * MIB), pdfOf(MIB)]
  await Promise.all(sent.map(bytes => send({ bytes: inParts(bytes) })))
  const { bytes } = await contentOf()
  assert.ok(sent.some(each => each.equals(bytes)))
  const { files: rows } = await readFiles(db)
  assert.deepEqual(rows.filter(({ replaced_at }) => replaced_at === null).length, 1)
  assert.deepEqual(await damageOf(data), [])
})

test('a file that is taken from its submission is gone for all who look for it', async t => {
  const { send, find, db, accountId, eventId } = await start(t)
  await send({})
  const remove = () => db.write(accountId, tx => files.remove(tx, eventId, 'one'))
  await remove()
  assert.equal(await find(), undefined)
  await assert.rejects(remove(), { code: 'not_found' })
})

test('what runs with the attaching is one with it: where it refuses, the file before stays', async t => {
  const { send, contentOf, db, accountId, eventId } = await start(t)
  const first = pdfOf(100)
  await send({ bytes: inParts(first) })
  const bytes = inParts(pdfOf(2 * PIECE))
  await assert.rejects(
    send({
      bytes,
      whenAttached: async (tx, { submission_id }) => {
        assert.equal((await files.find(tx, eventId, submission_id))?.size, 2 * PIECE)
        throw new Problem('too_late')
      },
    }),
    { code: 'too_late' },
  )
  assert.ok((await contentOf()).bytes.equals(first))
  assert.deepEqual((await readFiles(db)).pieces, [0])
  const name = 'of the organizer'
  await send({
    whenAttached: async tx =>
      void (await tx.run('UPDATE accounts SET name = $1 WHERE id = $2', [name, accountId])),
  })
  const row = await db.read(accountId, tx =>
    tx.one<{ name: string }>('SELECT name FROM accounts WHERE id = $1', [accountId]),
  )
  assert.equal(row?.name, name)
})

const full = (of: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual([error.code, error.details], ['files_full', { of }])
  return true
}

test('each event and the server have so much room for files, and nothing is read of one for which there is none', async t => {
  const { data, send, db } = await start(t)
  let read = 0
  const counted = async function* () {
    for await (const part of inParts(pdfOf(1000))) {
      read += part.length
      yield part
    }
  }
  const server = (most: number) => ({ ...LIMITS, server: most })
  await send({ submissionId: 'zero', bytes: inParts(pdfOf(1000)) })
  await assert.rejects(send({ limits: server(1000), bytes: counted() }), full('server'))
  assert.equal(read, 0, 'nothing is read where there is no room for a byte')
  await assert.rejects(send({ limits: server(1999), bytes: counted() }), full('server'))
  await send({ limits: server(2000), bytes: counted() })
  // Nobody waits here for two gigabytes.
  const claim = (bytes: number) =>
    withRows(data, rows =>
      rows.run("UPDATE abstract_files SET size = $1 WHERE submission_id = 'zero'", [bytes]),
    )
  const others = 1000
  const limits = server(9 * MOST_OF_EVENT)
  await claim(MOST_OF_EVENT - others - 999)
  await assert.rejects(send({ limits, submissionId: 'two', bytes: counted() }), full('event'))
  read = 0
  await claim(MOST_OF_EVENT - others)
  await assert.rejects(send({ limits, submissionId: 'two', bytes: counted() }), full('event'))
  assert.equal(read, 0)
  await claim(MOST_OF_EVENT - others - 1000)
  await send({ limits, submissionId: 'two', bytes: counted() })
  assert.equal((await readFiles(db)).files.length, 3)
})

test('all who have not confirmed an e-mail have a quarter of the room, of which others take nothing', async t => {
  const { data, send, db, accountId, eventId, clock } = await start(t)
  const place = { db, accountId, eventId, clock }
  await openCall(place)
  const one = await begin(place)
  const two = await begin(place, { email: 'max@example.org' })
  const known = await begin(place, { submitterId: two.submitter.id })
  const idOf = ({ submission }: typeof one) => submission.id
  const claim = (of: typeof one, bytes: number) =>
    withRows(data, rows =>
      rows.run('UPDATE abstract_files SET size = $1 WHERE submission_id = $2 AND replaced_at IS NULL', [
        bytes,
        idOf(of),
      ]),
    )
  const limits = { ...LIMITS, server: 9 * MOST_OF_EVENT, isConfirmed: false }
  const sendOf = (of: typeof one, changes: object = {}) =>
    send({ submissionId: idOf(of), limits, bytes: inParts(pdfOf(1000)), ...changes })
  await sendOf(known, { limits: { ...limits, isConfirmed: true } })
  await claim(known, MOST_OF_EVENT / 2)
  await sendOf(one)
  await claim(one, MOST_OF_EVENT / 4 - 999)
  await assert.rejects(sendOf(two), full('event'))
  await claim(one, MOST_OF_EVENT / 4 - 1000)
  await sendOf(two)
  // The same holds for the server.
  const tight = (server: number) => ({ limits: { ...limits, server } })
  await claim(one, 1000)
  await claim(known, 1000)
  await assert.rejects(sendOf(two, tight(4 * 2999)), full('server'))
  await sendOf(two, tight(4 * 3000))
})

test('a submission whose file is replaced over and over is refused more, and others are not', async t => {
  const { data, send, db, accountId, eventId, clock } = await start(t)
  const place = { db, accountId, eventId, clock }
  await openCall(place, { file: 'optional' })
  const { submission } = await begin(place)
  const other = await begin(place, { email: 'max@example.org' })
  for (let time = 0; time < 2; time++) await send({ submissionId: submission.id })
  const ask = (id: string) => db.read(accountId, tx => refuseFile(tx, id, { begunAt: clock() }))
  const claim = (bytes: number) =>
    withRows(data, rows =>
      rows.run('UPDATE abstract_files SET size = $1 WHERE replaced_at IS NOT NULL', [bytes]),
    )
  await claim(MOST_REPLACED - 1)
  await ask(submission.id)
  await claim(MOST_REPLACED)
  await assert.rejects(ask(submission.id), { code: 'rate_limited' })
  await ask(other.submission.id)
})

test('two files that come at once and have room for one of them do not refuse each other', async t => {
  const { data, send } = await start(t)
  await send({ submissionId: 'zero' })
  await withRows(data, rows => rows.run('UPDATE abstract_files SET size = $1', [MOST_OF_EVENT - 3 * MIB]))
  const limits = { ...LIMITS, server: 2 * MOST_OF_EVENT }
  const ends = await Promise.allSettled(
    ['one', 'two'].map(submissionId => send({ submissionId, limits, bytes: inParts(pdfOf(2 * MIB)) })),
  )
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('no file comes into an event that is not there or goes while the file comes', async t => {
  const { send, assertNothing, db, accountId, eventId } = await start(t)
  await assert.rejects(send({ eventId: 'nowhere' }), { code: 'not_found' })
  async function* deletedMeanwhile() {
    yield* inParts(pdfOf(2 * PIECE).subarray(0, PIECE + 9))
    await db.write(accountId, tx =>
      tx.run('UPDATE events SET deleting_at = 1 WHERE account_id = $1 AND id = $2', [accountId, eventId]),
    )
    assert.equal(await db.read(accountId, tx => events.get(tx, eventId)).catch(() => 'gone'), 'gone')
    yield Buffer.from('%%EOF')
  }
  await assert.rejects(send({ bytes: deletedMeanwhile() }), { code: 'not_found' })
  await assertNothing()
})

test('a file that the cleaning took for given up does not go on', async t => {
  const { send, assertNothing, data } = await start(t)
  for (const taken of [
    'DELETE FROM file_chunks; DELETE FROM abstract_files',
    'UPDATE abstract_files SET size = 262144',
  ]) {
    async function* takenMeanwhile() {
      yield* inParts(pdfOf(5 * PIECE).subarray(0, 3 * PIECE))
      await withRows(data, async rows => {
        for (const statement of taken.split('; ')) await rows.run(statement)
      })
      yield* inParts(pdfOf(2 * PIECE))
    }
    await assert.rejects(send({ bytes: takenMeanwhile() }), { code: 'not_found' })
    await assertNothing()
  }
})

test('where the database fails the sender is told so, and the pieces that cannot be deleted are left to the cleaning', async t => {
  const { sent, db, accountId } = await start(t)
  let writes = 0
  const failing = wrapDatabase(db, {
    write: async (owner, work, options) => {
      if (++writes > 3) throw new DatabaseUnavailable('SQLite: SQLITE_FULL')
      return db.write(owner, work, options)
    },
  })
  await assert.rejects(
    new FileReceiver(failing).receive(accountId, sent({ bytes: inParts(pdfOf(6 * PIECE)) })),
    (error: unknown) => error instanceof DatabaseUnavailable,
  )
  const { files: rows, pieces } = await readFiles(db)
  assert.deepEqual(
    [rows.map(({ submission_id, size }) => [submission_id, size]), pieces],
    [[[null, 3 * PIECE]], [0, 1, 2]],
  )
})

test('while a file comes, one piece of it is written at a time, and nothing is attached before its last byte', async t => {
  const { send, db, find } = await start(t)
  const bytes = pdfOf(4 * PIECE + 1)
  const seen: number[] = []
  async function* watched() {
    for await (const part of inParts(bytes, PIECE)) {
      yield part
      const { pieces, files: rows } = await readFiles(db)
      seen.push(pieces.length)
      assert.ok(rows.every(({ submission_id }) => submission_id === null))
      assert.equal(await find(), undefined)
    }
  }
  await send({ bytes: watched() })
  assert.deepEqual(seen, [1, 2, 3, 4, 4])
})

test('of files that come at once, one piece is written at a time, so that no commit has many of them', async t => {
  const { sent, db, accountId } = await start(t)
  let underWay = 0
  let most = 0
  const watched = wrapDatabase(db, {
    write: async (owner, work, options) => {
      most = Math.max(most, ++underWay)
      return db.write(owner, work, options).finally(() => underWay--)
    },
  })
  const receiver = new FileReceiver(watched)
  const ids = Array.from({ length: 10 }, (_, at) => `submission ${at}`)
  await Promise.all(
    ids.map(submissionId =>
      receiver.receive(accountId, sent({ submissionId, bytes: inParts(pdfOf(2 * PIECE)) })),
    ),
  )
  assert.equal(most, 1)
  assert.equal((await readFiles(db)).pieces.length, 20)
})

test('a write that fails keeps no other file from coming', async t => {
  const { sent, db, accountId } = await start(t)
  let fails = true
  const failing = wrapDatabase(db, {
    write: async (owner, work, options) => {
      if (!fails) return db.write(owner, work, options)
      fails = false
      throw new DatabaseUnavailable('SQLite: SQLITE_BUSY')
    },
  })
  const receiver = new FileReceiver(failing)
  const ends = await Promise.allSettled(
    ['one', 'two'].map(submissionId => receiver.receive(accountId, sent({ submissionId }))),
  )
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a file that is removed while it is read ends in a failure, never as a shorter file', async t => {
  const { send, db, data, accountId } = await start(t)
  const file = await send({ bytes: inParts(pdfOf(3 * PIECE)) })
  const hash = createHash('sha256')
  await assert.rejects(
    async () => {
      for await (const piece of files.read(db, accountId, file)) {
        hash.update(piece)
        await withRows(data, rows => rows.run('DELETE FROM file_chunks WHERE number > 0'))
      }
    },
    { code: 'not_found' },
  )
})

test('a file is called as its machine called it, without folders, line breaks or an end', () => {
  const names: [string, string][] = [
    ['a.pdf', 'a.pdf'],
    ['C:\\Users\\Lin\\Übung 3.pdf', 'Übung 3.pdf'],
    ['/home/lin/a.pdf', 'a.pdf'],
    ['../..', '..'],
    ['a\r\nSet-Cookie: b', 'a Set-Cookie: b'],
    ['\0', 'file.pdf'],
    ['', 'file.pdf'],
    ['folder/', 'file.pdf'],
    ['\ud800.pdf', '\ufffd.pdf'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['\u{1f389}'.repeat(300), '\u{1f389}'.repeat(200)],
  ]
  for (const [sent, name] of names) assert.equal(nameOfFile(sent), name)
})
