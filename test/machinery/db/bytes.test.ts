import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { copyRows } from '#machinery/db/copy.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE, type Table, type Value } from '#machinery/db/port.ts'
import { findMisshapen, findMistyped } from '#machinery/db/values.ts'
import { walkTable } from '#machinery/db/walk-table.ts'
import { collect } from '#product/data-care/integrity/sums.ts'
import { dataFolder } from '#test/support/blank-database.ts'
import { copyOf, engineSettings, ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { spoil } from '#test/support/postgres-cluster.ts'
import { openRows, withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

// Bytes go in and come out as they are, by each way that rows take.

const all = Uint8Array.from({ length: 256 }, (_, at) => at)
const piece = randomBytes(256 * 1024)

/** What bytes may be. The view has others before it and after it, which are not its own. */
const kinds: Record<string, Uint8Array | null> = {
  none: new Uint8Array(0),
  zero: new Uint8Array(1),
  one: Buffer.from('a'),
  'as hex': Buffer.from('\\x6161'),
  'no UTF-8': Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
  all,
  'a view': all.subarray(100, 200),
  'a view of a Buffer': piece.subarray(7, 9),
  piece,
  missing: null,
}

const expected = Object.entries(kinds).map(([id, content]) => ({
  id,
  content: content && Buffer.from(content).toString('base64'),
}))

interface Kept {
  id: string
  content: Uint8Array | null
}

/** Returns rows in the order of `kinds`. Each has bytes, of whatever kind of array. */
function shown(rows: readonly Kept[]) {
  const places = Object.keys(kinds)
  for (const { content } of rows) assert.ok(content === null || content instanceof Uint8Array)
  return [...rows]
    .sort((one, other) => places.indexOf(one.id) - places.indexOf(other.id))
    .map(({ id, content }) => ({ id, content: content && Buffer.from(content).toString('base64') }))
}

/** Opens a database that has a table with nothing but bytes. */
async function open(t: TestContext) {
  const { data, db, applied, eventId } = await startWithOrganization(t)
  const rows = await openRows(t, data)
  spoil(data)
  await rows.run('CREATE TABLE kept (id TEXT PRIMARY KEY NOT NULL, content BYTEA)')
  const kept = () => db.read(INSTANCE, tx => tx.all<Kept>('SELECT id, content FROM kept'))
  return { data, db, rows, kept, eventId, accountId: applied.account_id }
}

const insert = 'INSERT INTO kept (id, content) VALUES ($1, $2)'

test('bytes come back as they went in: none, one, each of them, a whole piece, a view of others, and null', async t => {
  const { db, kept } = await open(t)
  await db.write(INSTANCE, async tx => {
    for (const [id, content] of Object.entries(kinds)) await tx.run(insert, [id, content])
    assert.deepEqual(shown(await tx.all('SELECT id, content FROM kept')), expected)
  })
  assert.deepEqual(shown(await kept()), expected)
  const one = await db.read(INSTANCE, tx =>
    tx.one<Kept>('SELECT id, content FROM kept WHERE id = $1', ['all']),
  )
  assert.deepEqual(shown([one as Kept]), expected.slice(5, 6))
})

test('bytes are found by what they are and by how many they are', async t => {
  const { db, rows } = await open(t)
  await rows.runEach(insert, Object.entries(kinds))
  for (const [id, content] of Object.entries(kinds)) {
    if (content === null) continue
    const found = await db.read(INSTANCE, tx =>
      tx.all<{ id: string; size: number }>(
        'SELECT id, octet_length(content) AS size FROM kept WHERE content = $1',
        [content],
      ),
    )
    assert.deepEqual(
      found.map(row => ({ ...row })),
      [{ id, size: content.length }],
    )
  }
})

test('what was read is the reader’s own: to change it changes nothing that is kept', async t => {
  const { db, kept } = await open(t)
  const given = Uint8Array.of(1, 2, 3)
  await db.write(INSTANCE, tx => tx.run(insert, ['all', given]))
  given.fill(9)
  const [first] = await kept()
  first?.content?.fill(0)
  assert.deepEqual([...((await kept())[0]?.content ?? [])], [1, 2, 3])
})

test('a write that is undone keeps no bytes, and those beside it keep theirs', async t => {
  const { db, kept } = await open(t)
  await Promise.allSettled(
    ['none', 'all', 'piece'].map(id =>
      db.write(INSTANCE, async tx => {
        await tx.run(insert, [id, kinds[id] as Value])
        if (id === 'all') throw new Error('no')
      }),
    ),
  )
  assert.deepEqual(
    shown(await kept()),
    expected.filter(({ id }) => id === 'none' || id === 'piece'),
  )
})

test('bytes are staged as other values are', async t => {
  const { db, kept } = await open(t)
  const staged = await db.stage({ kept: Object.entries(kinds).map(([id, content]) => ({ id, content })) })
  assert.equal(await db.write(INSTANCE, tx => tx.insertStaged(staged, 'kept')), Object.keys(kinds).length)
  await db.discard(staged)
  assert.deepEqual(shown(await kept()), expected)
})

const insertFile = `INSERT INTO abstract_files (id, account_id, event_id, size, name, created_at, updated_at)
  VALUES ('file', $1, $2, 0, 'f', 1, 1)`
const insertChunk = `INSERT INTO file_chunks (account_id, file_id, number, content, created_at, updated_at)
  VALUES ($1, 'file', $2, $3, 1, 1)`
const chunks = 'SELECT number, content FROM file_chunks ORDER BY number'
const filled = Object.values(kinds).filter(content => content !== null)

/** Keeps a file that has each of the values as a piece. */
async function openFile(t: TestContext) {
  const opened = await open(t)
  const { rows, accountId, eventId } = opened
  await rows.run(insertFile, [accountId, eventId])
  await rows.runEach(
    insertChunk,
    filled.map((content, number) => [accountId, number, content]),
  )
  return opened
}

/** Returns the pieces of that file in the database of a data folder, in base64. */
const piecesIn = (data: string) =>
  withRows(data, async rows =>
    (await rows.all<{ content: Uint8Array }>(chunks)).map(({ content }) =>
      Buffer.from(content).toString('base64'),
    ),
  )
const pieces = filled.map(content => Buffer.from(content).toString('base64'))

test('bytes are copied to another database with all other rows', async t => {
  const { data, db, rows } = await openFile(t)
  await rows.run('DROP TABLE kept')
  const other =
    engineSettings(data).databaseUrl === undefined ? join(temporaryFolder(t), 'to') : dataFolder(t)
  await engineOf(engineSettings(other)).receive(each => copyRows(db, each))
  assert.deepEqual(await piecesIn(other), pieces)
})

test('a copy of a database, a backup and one to pass on have the same bytes', ofSqlite, async t => {
  const { data } = await openFile(t)
  assert.deepEqual(await piecesIn(await copyOf(t, data)), pieces)
  const folder = temporaryFolder(t)
  await engineOf(engineSettings(data)).backUp(join(folder, 'turnout.db'), undefined, true)
  assert.deepEqual(await piecesIn(folder), pieces)
})

test('a walk reads many bytes in batches of a few megabytes, and each row once', async t => {
  const { db, rows, accountId } = await openFile(t)
  await rows.runEach(
    insertChunk,
    Array.from({ length: 40 }, (_, at) => [accountId, 100 + at, piece]),
  )
  const tables = await db.read(INSTANCE, tx => db.catalog.listTables(tx))
  const table = tables.find(({ name }) => name === 'file_chunks') as Table
  assert.ok(table.columns.some(({ name, type }) => name === 'content' && type === 'BYTEA'))
  const walk = { table, columns: ['number', 'content'], rows: 1_000 }
  const batches: number[][] = []
  for await (const batch of walkTable<{ number: number; content: Uint8Array }>(db, walk)) {
    assert.ok(batch.reduce((sum, { content }) => sum + content.length, 0) <= 4_000_000)
    batches.push(batch.map(({ number }) => number))
  }
  const read = batches.flat().sort((one, other) => one - other)
  assert.deepEqual(read, [...filled.keys(), ...Array.from({ length: 40 }, (_, at) => 100 + at)])
  assert.ok(batches.length > 2 && batches.length < 10)
})

test('bytes beyond the limit of their column are found, and no more is asked of them', async t => {
  const { db } = await openFile(t)
  const forms = { file_chunks: { content: { longest: 256 * 1024 } } }
  assert.deepEqual(await collect(findMistyped(db, forms)), [])
  const found = await collect(findMistyped(db, { file_chunks: { content: { longest: 256 * 1024 - 1 } } }))
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^the content of row \S+ of file_chunks is not at most 262143 bytes$/)
  assert.deepEqual(await collect(findMisshapen(db, forms)), [])
})

test('a text or a number in a column of bytes is found', ofSqlite, async t => {
  const { db, rows, accountId } = await openFile(t)
  const forms = { file_chunks: { content: { longest: 256 * 1024 } } }
  for (const value of ['a', 'ff', '', 7]) {
    await rows.run(insertChunk, [accountId, 100, value])
    assert.match(
      (await collect(findMistyped(db, forms))).join(),
      /^the content of row \d+ of file_chunks is not at most 262144 bytes$/,
      String(value),
    )
    await rows.run('DELETE FROM file_chunks WHERE number = 100')
  }
  assert.deepEqual(await collect(findMistyped(db, forms)), [])
})

test('bytes in a column of texts are found', ofSqlite, async t => {
  const { db, rows } = await openFile(t)
  await rows.run('UPDATE abstract_files SET name = $1', [Buffer.from('f')])
  assert.match(
    (await collect(findMistyped(db, {}))).join(),
    /^the name of row \d+ of abstract_files is not a text/,
  )
})
