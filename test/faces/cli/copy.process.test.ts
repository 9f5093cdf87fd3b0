import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeJson } from '#base/json-text.ts'
import { run } from '#faces/cli/program.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE, type Value } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/postgres/connection.ts'
import { exportOrganization } from '#product/data-care/organization/export.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { runProduct } from '#test/support/runs/product-run.ts'

const postgres = postgresOfFile()

async function turnout(...argv: string[]) {
  const outcome = { code: 0, out: '', err: '' }
  outcome.code = await run(argv, {
    out: text => {
      outcome.out += text
    },
    err: text => {
      outcome.err += text
    },
    clock: Date.now,
  })
  return outcome
}

type Place = Parameters<typeof engineOf>[0]

/** Returns every row of every table, and the organization file. What belongs to a run is left out. */
async function contentOf(place: Place, accountId?: string) {
  const db = await engineOf(place).openForCommand(Date.now)
  try {
    const tables: Record<string, Record<string, Value>[]> = {}
    for (const { name, columns } of await db.read(INSTANCE, tx => db.catalog.listTables(tx))) {
      const rows = await db.read(INSTANCE, tx =>
        tx.all<Record<string, Value>>(`SELECT ${columns.map(column => `"${column.name}"`)} FROM "${name}"`),
      )
      const texts = rows.map(row => {
        const { run_mark, heartbeat_at, held_at, write_number, ...rest } = row
        return name === 'instance' ? rest : { ...row }
      })
      tables[name] = texts.sort((one, other) =>
        JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
      ) as never
    }
    const pieces: string[] = []
    if (accountId !== undefined)
      await db.read(accountId, async tx => writeJson(await exportOrganization(tx), text => pieces.push(text)))
    return { tables, file: pieces.join('') }
  } finally {
    await db.close()
  }
}

/** Makes a data folder with what a run of the whole product leaves, and no server on it. */
async function full(t: TestContext) {
  const { data, accountId, db } = await runProduct(t)
  await db.close()
  return { data, accountId }
}

test(
  'an organization with everything moves to PostgreSQL and back, and every row, link and file is the same',
  ofPostgres,
  async t => {
    const { data, accountId } = await full(t)
    const original = await contentOf({ data }, accountId)
    const empty = Object.entries(original.tables).filter(([, rows]) => rows.length === 0)
    assert.ok(empty.length < 10, `these tables are empty: ${empty.map(([name]) => name)}`)

    const databaseUrl = postgres().makeDatabase()
    const there = await turnout('copy', '--data', data, '--to', databaseUrl)
    assert.deepEqual([there.code, there.err], [0, ''])
    assert.match(
      there.out,
      /^Copied [\d,]+ rows from .*turnout\.db to postgresql:\/\/127\.0\.0\.1:\d+\/made_\d+, and checked them\.\n/,
    )
    assert.deepEqual(await contentOf({ data: '.', databaseUrl }, accountId), original)
    assert.deepEqual((await turnout('check', '--database-url', databaseUrl)).err, '')

    const back = join(temporaryFolder(t), 'back')
    const { code, err } = await turnout('copy', '--database-url', databaseUrl, '--to', back)
    assert.deepEqual([code, err], [0, ''])
    assert.deepEqual(await contentOf({ data: back }, accountId), original)
    assert.match((await turnout('check', '--data', back)).out, /is whole/)
  },
)

test('where it was copied from is held, and where it was copied to is not', ofPostgres, async t => {
  const { data } = await full(t)
  const databaseUrl = postgres().makeDatabase()
  assert.deepEqual((await turnout('copy', '--data', data, '--to', databaseUrl)).err, '')
  const heldAt = async (place: Place) => {
    const db = await engineOf(place).openForCommand(Date.now)
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ held_at: number | null }>('SELECT held_at FROM instance'),
    )
    await db.close()
    return row?.held_at ?? null
  }
  assert.notEqual(await heldAt({ data }), null)
  assert.equal(await heldAt({ data: '.', databaseUrl }), null)
  // Nor does the first server there take it for a copy, so phones at the doors go on.
  const before = await contentOf({ data: '.', databaseUrl })
  const server = await engineOf({ data: temporaryFolder(t), databaseUrl }).openForServer({
    ...{ clock: Date.now, onFailure: () => undefined },
  })
  await server.close()
  assert.deepEqual((await contentOf({ data: '.', databaseUrl })).tables.instance, before.tables.instance)
  assert.equal(await heldAt({ data: '.', databaseUrl }), null)
})

test(
  'data that is there, a server that runs and a place that is none are refused, and nothing changes',
  ofPostgres,
  async t => {
    const { data, accountId } = await full(t)
    const databaseUrl = postgres().makeDatabase()
    assert.deepEqual((await turnout('copy', '--data', data, '--to', databaseUrl)).err, '')
    const original = await contentOf({ data: '.', databaseUrl }, accountId)
    const twice = await turnout('copy', '--data', data, '--to', databaseUrl)
    assert.match(twice.err, /has data already: there are rows in /)
    assert.match((await turnout('copy', '--database-url', databaseUrl, '--to', data)).err, /is not empty/)
    const server = await engineOf({ data: temporaryFolder(t), databaseUrl }).openForServer({
      ...{ clock: Date.now, onFailure: () => undefined },
    })
    const beside = await turnout('copy', '--database-url', databaseUrl, '--to', join(temporaryFolder(t), 'x'))
    assert.match(beside.err, /^error: A server runs on postgresql:/)
    await server.close()
    assert.deepEqual(await contentOf({ data: '.', databaseUrl }, accountId), original)
  },
)

test('a copy that breaks off at any table leaves nothing behind, there and back', ofPostgres, async t => {
  const { data } = await full(t)
  const filled = postgres().makeDatabase()
  assert.equal((await turnout('copy', '--data', data, '--to', filled)).code, 0)
  const source = await engineOf({ data }).openForCommand(Date.now)
  const tables = (await source.read(INSTANCE, tx => source.catalog.listTables(tx))).map(({ name }) => name)
  await source.close()
  for (const table of tables.filter((_, at) => at % 6 === 0)) {
    const target = postgres().makeDatabase()
    const query = Connection.prototype.query
    t.mock.method(
      Connection.prototype,
      'query',
      async function (this: Connection, sql: string, params?: never) {
        if (sql.startsWith(`INSERT INTO "${table}"`)) throw new Error('broken off')
        return query.call(this, sql, params)
      },
    )
    const { code } = await turnout('copy', '--data', data, '--to', target)
    t.mock.restoreAll()
    if (code === 0) continue
    const connection = await Connection.open(target, { lock: 1_000, answer: 0 })
    const { rows } = await connection.query<{ count: number }>('SELECT count(*) AS count FROM accounts')
    assert.equal(rows[0]?.count, 0, table)
    await connection.close()
  }
  const folder = join(temporaryFolder(t), 'back')
  const query = Connection.prototype.query
  t.mock.method(
    Connection.prototype,
    'query',
    async function (this: Connection, sql: string, params?: never) {
      if (/FROM "orders"/.test(sql)) throw new Error('broken off')
      return query.call(this, sql, params)
    },
  )
  const { code } = await turnout('copy', '--database-url', filled, '--to', folder)
  t.mock.restoreAll()
  assert.equal(code, 1)
  assert.throws(() => readdirSync(folder), /ENOENT/)
})
