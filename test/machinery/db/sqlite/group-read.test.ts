import assert from 'node:assert/strict'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { type AnyReadTx, type Database, INSTANCE } from '#machinery/db/port.ts'
import { INSERT, openNotes, readNotes } from './notes.ts'

async function count(tx: AnyReadTx): Promise<number | undefined> {
  return (await tx.one<{ count: number }>('SELECT count(*) AS count FROM notes'))?.count
}

const countNotes = (db: Database) => db.read(INSTANCE, count)

test('reads that are asked for together share one snapshot, whatever another process commits between them', async t => {
  const { db, path } = openNotes(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  const counts = await Promise.all([
    countNotes(db),
    db.read(INSTANCE, async tx => {
      other.prepare('INSERT INTO notes (text) VALUES (?)').run('late')
      return count(tx)
    }),
    countNotes(db),
  ])
  assert.deepEqual(counts, [0, 0, 0])
  assert.equal(await countNotes(db), 1)
})

test('a read that is asked for after a write was answered sees it, also while others read', async t => {
  const { db } = openNotes(t)
  let reading = true
  const readers = Array.from({ length: 8 }, async () => {
    while (reading) await countNotes(db)
  })
  for (let written = 1; written <= 50; written++) {
    await db.write(INSTANCE, tx => tx.run(INSERT, [`note ${written}`]))
    assert.equal(await countNotes(db), written)
  }
  reading = false
  await Promise.all(readers)
})

test('a read that throws leaves the others of its group alone', async t => {
  const { db } = openNotes(t)
  const results = await Promise.allSettled([
    countNotes(db),
    db.read(INSTANCE, tx => tx.all('SELECT * FROM nothing')),
    db.read(INSTANCE, async () => {
      throw new Error('no')
    }),
    countNotes(db),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
})

test('a read that waits for something else than its snapshot says so, and the next begins a snapshot of its own', async t => {
  const { db, path } = openNotes(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  const waiting = db.read(INSTANCE, async tx => {
    await count(tx)
    other.prepare('INSERT INTO notes (text) VALUES (?)').run('meanwhile')
    await new Promise(resolve => setTimeout(resolve, 5))
  })
  const next = countNotes(db)
  await assert.rejects(waiting, /waited for something else/)
  assert.equal(await next, 1)
  assert.deepEqual(await readNotes(db), ['meanwhile'])
})

test('closing waits for the reads that came before, and then there are no more', async t => {
  const { db } = openNotes(t)
  const before = Promise.all([countNotes(db), countNotes(db)])
  await db.close()
  assert.deepEqual(await before, [0, 0])
  await assert.rejects(countNotes(db), /closed/)
})

test('a read that goes ahead waits for no other that has not begun, and the rest keep their order', async t => {
  const { db } = openNotes(t)
  const order: string[] = []
  const read = (name: string, ahead = false) => db.read(INSTANCE, async () => order.push(name), { ahead })
  await Promise.all([read('first'), read('second'), read('ahead', true), read('third'), read('next', true)])
  assert.deepEqual(order, ['ahead', 'next', 'first', 'second', 'third'])
})
