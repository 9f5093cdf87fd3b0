import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { AT_WRITE, INSTANCE } from '#machinery/db/port.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

function open(t: TestContext) {
  const path = join(temporaryFolder(t), 'turnout.db')
  const clock = testClock()
  const db = openSqlite(path, { clock })
  t.after(() => db.close())
  const accounts = () =>
    db.read(INSTANCE, tx =>
      tx.all('SELECT id, email_key, created_at, updated_at FROM accounts ORDER BY rowid'),
    )
  return { db, clock, path, accounts }
}

function account(id: string, changes: object = {}) {
  return {
    id,
    name: id,
    email: `${id}@example.org`,
    email_key: `${id}@example.org`,
    timezone: 'UTC',
    currency: 'EUR',
    service_fee_basis_points: 0,
    service_fee_per_ticket: 0,
    created_at: AT_WRITE,
    updated_at: AT_WRITE,
    ...changes,
  }
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')

test('staged rows come in with the instant of the write that takes them, and keep an instant of their own', async t => {
  const { db, clock, accounts } = open(t)
  const staged = await db.stage({ accounts: [account('b'), account('a', { created_at: EARLIEST })] })
  assert.deepEqual(await accounts(), [])
  clock.advance(5_000)
  assert.equal(await db.write(INSTANCE, tx => tx.insertStaged(staged, 'accounts')), 2)
  await db.discard(staged)
  const rows = [
    { id: 'b', email_key: 'b@example.org', created_at: clock(), updated_at: clock() },
    { id: 'a', email_key: 'a@example.org', created_at: EARLIEST, updated_at: clock() },
  ]
  assert.deepEqual(await accounts(), rows)
  const instance = await db.read(INSTANCE, tx => tx.one('SELECT latest_write_at FROM instance'))
  assert.deepEqual(instance, { latest_write_at: clock() })
})

test('a staged row whose key another has is left out; one that a rule of the table refuses undoes the write', async t => {
  const { db, accounts } = open(t)
  const first = await db.stage({ accounts: [account('a')] })
  await db.write(INSTANCE, tx => tx.insertStaged(first, 'accounts'))
  const second = await db.stage({ accounts: [account('b', { email_key: 'a@example.org' }), account('c')] })
  assert.equal(await db.write(INSTANCE, tx => tx.insertStaged(second, 'accounts')), 1)
  const ill = await db.stage({ accounts: [account('d'), account('e', { service_fee_basis_points: -1 })] })
  await assert.rejects(
    db.write(INSTANCE, tx => tx.insertStaged(ill, 'accounts')),
    /CHECK/,
  )
  assert.deepEqual(
    (await accounts()).map(row => (row as { id: string }).id),
    ['a', 'c'],
  )
})

test('rows are staged while another process writes, and for one connection alone', async t => {
  const { db, path, accounts } = open(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const staged = await db.stage({ accounts: [account('a')] })
  other.exec('COMMIT')
  const names = other.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'staged%'").all()
  assert.deepEqual([names, await accounts()], [[], []])
  await db.discard(staged)
  await assert.rejects(
    db.write(INSTANCE, tx => tx.insertStaged(staged, 'accounts')),
    /no such table/,
  )
})

test('rows that two pieces of work stage at once stay apart, and a table without rows takes none', async t => {
  const { db, accounts } = open(t)
  const [one, two, none] = await Promise.all([
    db.stage({ accounts: [account('a')] }),
    db.stage({ accounts: [account('b')] }),
    db.stage({ accounts: [] }),
  ])
  const taken = await db.write(INSTANCE, async tx => [
    await tx.insertStaged(two, 'accounts'),
    await tx.insertStaged(none, 'accounts'),
  ])
  assert.deepEqual(taken, [1, 0])
  await Promise.all([one, two, none].map(each => db.discard(each)))
  assert.equal((await accounts()).length, 1)
})

test('rows that cannot be staged leave nothing in the way of the next', async t => {
  const { db, accounts } = open(t)
  await assert.rejects(db.stage({ accounts: [account('a'), account('b', { name: true })] }), TypeError)
  await assert.rejects(db.stage({ accounts: [account('a')], nowhere: [{ id: 'x' }] }), /no such table/)
  const staged = await db.stage({ accounts: [account('a')] })
  assert.equal(await db.write(INSTANCE, tx => tx.insertStaged(staged, 'accounts')), 1)
  assert.equal((await accounts()).length, 1)
})
