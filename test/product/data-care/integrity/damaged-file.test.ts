import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { prepareBusy } from './busy.ts'

// These tests are about the very file of SQLite.

async function prepare(t: TestContext) {
  const { data } = await prepareBusy(t)
  return { path: join(data, 'turnout.db'), folder: temporaryFolder(t) }
}

test('between two looks at the rows nothing keeps a server from emptying its log', async t => {
  const { path } = await prepare(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  let emptied = 0
  const errors = await inspect(path, reader =>
    findDamage({
      catalog: reader.catalog,
      async read(owner, work) {
        const result = await reader.read(owner, work)
        other.exec('UPDATE instance SET latest_write_at = latest_write_at + 1')
        assert.equal(other.pragma('wal_checkpoint(TRUNCATE)', { simple: true }), 0)
        emptied++
        return result
      },
    }),
  )
  assert.deepEqual(errors, [])
  // The rules and at least one batch of each table were read.
  assert.ok(emptied > 15)
})

test('a check that does not hold, a missing index and a strange trigger are damage of the file', async t => {
  const { path, folder } = await prepare(t)
  const damages: [sql: string, found: RegExp][] = [
    [
      'UPDATE registration_types SET capacity = sold - 1 WHERE sold > 0',
      /CHECK constraint failed in registration_types/,
    ],
    ['DROP INDEX check_ins_by_event', /the schema lacks index check_ins_by_event of check_ins/],
    ['CREATE TRIGGER t AFTER INSERT ON check_ins BEGIN SELECT 1; END', /the schema has a strange trigger t/],
  ]
  for (const [index, [sql, found]] of damages.entries()) {
    const copy = join(folder, `${index}.db`)
    await backUp(path, copy)
    const connection = new SqliteConnection(copy)
    connection.pragma('ignore_check_constraints = ON')
    connection.exec(sql)
    connection.close()
    assert.match((await inspect(copy, findDamage)).join('\n'), found, sql)
  }
})

test('a file with a hole is reported, not thrown', async t => {
  const { path, folder } = await prepare(t)
  const copy = join(folder, 'holed.db')
  await backUp(path, copy)
  const bytes = readFileSync(copy)
  // The pages of the schema come first, and none of these is one.
  bytes.fill(0xff, 163_840, 167_936)
  writeFileSync(copy, bytes)
  const errors = await inspect(copy, findDamage)
  assert.match(errors[0] ?? '', /^Tree \d+ page \d+: /)
  for (const error of errors) assert.doesNotMatch(error, /\n/)
})

test('a file that is no database of this version is refused with a sentence', async t => {
  const { path, folder } = await prepare(t)
  const copy = join(folder, 'newer.db')
  await backUp(path, copy)
  for (const [version, message] of [
    [7, /has version 7, and this program checks version 2\. Use the Turnout/],
    [0, /is no database of Turnout/],
  ] as const) {
    const connection = new SqliteConnection(copy)
    connection.pragma(`user_version = ${version}`)
    connection.close()
    await assert.rejects(inspect(copy, findDamage), (error: Error) => {
      assert.ok(error instanceof Refusal)
      assert.match(error.message, message)
      return true
    })
  }
  writeFileSync(copy, 'a letter')
  assert.deepEqual(await inspect(copy, findDamage), ['not everything can be read: file is not a database'])
})
