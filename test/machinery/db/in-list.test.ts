import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInList } from '#machinery/db/in-list.ts'
import { type AnyReadTx, INSTANCE } from '#machinery/db/port.ts'
import { INSERT, openNotes } from './sqlite/notes.ts'

const named = (count: number) => Array.from({ length: count }, (_, number) => `note ${number}`)

test('a list of any length gives the row of each of its values once, by few texts', async t => {
  const { db } = openNotes(t)
  await db.write(INSTANCE, async tx => {
    for (const text of named(400)) await tx.run(INSERT, [text])
  })
  const texts = new Map<string, number>()
  const listed = (tx: AnyReadTx, values: readonly string[]) => {
    const noted: AnyReadTx = {
      ...tx,
      all: (sql, params) => {
        texts.set(sql, params?.length ?? 0)
        return tx.all(sql, params)
      },
    }
    const textOf = (list: string) => `SELECT text FROM notes WHERE length(text) > $1 AND text IN ${list}`
    return readInList<{ text: string }>(noted, values, [0], textOf)
  }
  await db.read(INSTANCE, async tx => {
    for (const count of [0, 1, 2, 3, 5, 100, 127, 128, 129, 256, 257, 400]) {
      const rows = await listed(tx, named(count))
      assert.deepEqual(rows.map(({ text }) => text).sort(), named(count).sort(), `${count}`)
    }
    assert.deepEqual(await listed(tx, ['none', 'note 7']), [{ text: 'note 7' }])
  })
  assert.ok(texts.size <= 8, `${texts.size} texts`)
  assert.ok(Math.max(...texts.values()) <= 129)
})
