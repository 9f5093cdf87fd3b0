import assert from 'node:assert/strict'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import * as v from 'valibot'
import { name } from '#base/fields.ts'
import { demoOrganization } from '#faces/cli/demo-organization.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { restore } from '#machinery/db/sqlite/copies/restore.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage, findUnfit } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { testClock } from '#test/support/clock.ts'
import { damageOf, ofSqlite, openDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization, registration } from '#test/support/organization.ts'

const clock = testClock()

async function make(t: TestContext, ...files: object[]) {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const db = await openDatabase(data, clock)
  for (const file of files) await applyOrganization(db, file, { clock })
  await db.close()
  return { folder, data, path: databasePath(data) }
}

function execute(path: string, sql: string): void {
  const connection = new SqliteConnection(path)
  connection.unsafeMode(true)
  connection.exec(sql)
  connection.close()
}

async function assertUndamaged(data: string): Promise<void> {
  assert.deepEqual(await damageOf(data), [])
  if (ofSqlite.skip === false) await assertRestorable(databasePath(data))
}

async function assertRestorable(path: string): Promise<void> {
  const backup = `${path}-backup`
  await backUp(path, backup)
  const data = `${path}-restored`
  await restore(backup, data, findUnfit)
  assert.deepEqual(await inspect(databasePath(data), findDamage), [])
}

test('a new database is whole, and so is one with everything or with the demo data', async t => {
  await assertUndamaged((await make(t)).data)
  await assertUndamaged((await make(t, everything())).data)
  await assertUndamaged((await make(t, demoOrganization(Date.now()))).data)
})

test('SQLite’s own changes to a file are no damage', ofSqlite, async t => {
  for (const sql of [
    'ANALYZE',
    'VACUUM',
    'REINDEX',
    'PRAGMA page_size = 8192; PRAGMA journal_mode = DELETE; VACUUM',
    'PRAGMA auto_vacuum = FULL; VACUUM',
    'ALTER TABLE events RENAME TO other; ALTER TABLE other RENAME TO events',
  ]) {
    const { data, path } = await make(t, everything())
    execute(path, sql)
    await assertUndamaged(data)
  }
})

/** Each name that the field allows, once. */
const NAMES = [
  ...new Set(
    [...naughtyStrings, 'é'.repeat(200), '\u{1f600}'.repeat(200)].filter(
      text => v.is(name(), text) && v.parse(name(), text) === text,
    ),
  ),
]
const TEXTS = [
  ...NAMES,
  ...['', ' ', '\n', '\u0001\u001b[2J\u007f\u0085', '\u200b', 'e'.concat('\u0301'.repeat(40))],
]
const KEYS = NAMES.filter(text => text.length <= 32).slice(0, 100)

test('no text that somebody could write is damage', async t => {
  assert.ok(NAMES.length > 200)
  const buyer = (text: string) => ({ name: text, email: "o'hara!#$%&*/=?^_`{|}~-@x" })
  const file = organization({
    event: {
      title: NAMES[0],
      venue: NAMES[1],
      city: NAMES[2],
      registration_types: NAMES.map((text, at) => ({
        name: text,
        description: TEXTS[at],
        price: 0,
        capacity: 300,
      })),
      registrations: TEXTS.map((text, at) => ({
        ...registration(`${at} ${(NAMES[at] ?? '').slice(0, 50).toWellFormed()}`, {
          registration_type: NAMES[at % NAMES.length],
        }),
        // History keeps names that are taken of nobody any more.
        created_at: '2026-01-05T09:00:00Z',
        buyer: buyer(NAMES[at % NAMES.length] as string),
        attendees: [{ name: NAMES[at] ?? 'x', seat: [...text].slice(0, 50).join('') }],
        answers: Object.fromEntries(KEYS.map(key => [key, text])),
      })),
      waitlist: NAMES.map((text, at) => ({
        reference: `${at} ${text}`.slice(0, 50).toWellFormed(),
        registration_type: text,
        created_at: '2026-01-05T09:00:00Z',
        ...buyer(text),
      })),
      abstracts: TEXTS.map((text, at) => ({
        code: `${at}`,
        title: NAMES[at] ?? 'x',
        abstract: text,
        keywords: text,
        authors: [NAMES[at] ?? 'x', 'y'].map(text => ({ name: text, affiliation: text })),
        contact: { ...buyer(NAMES[at] ?? 'x'), phone: [...text].slice(0, 50).join('') },
        submitted_at: '2026-01-05T09:00:00Z',
        status: 'rejected',
        decision_note: text,
      })),
    },
    webhooks: [{ url: 'https://user.example:8443/%00?q=%22#'.slice(0, -1), types: ['ping'] }],
  })
  await assertUndamaged((await make(t, file)).data)
})

test('the longest answers and texts that are taken are no damage', async t => {
  const longest = ['\u0001', '\u{1f600}', '"'].map((character, at) =>
    registration(`${at}`, {
      answers: Object.fromEntries(
        Array.from({ length: 100 }, (_, key) => [`${key}`.padEnd(64, 'k'), character.repeat(5000)]),
      ),
    }),
  )
  const abstract = {
    code: 'A',
    title: '\u{1f600}'.repeat(200),
    abstract: '\u{1f600}'.repeat(20_000),
    authors: Array.from({ length: 100 }, () => ({
      name: '"'.repeat(200),
      affiliation: '\u{1f600}'.repeat(200),
    })),
    contact: { name: '"'.repeat(200), email: 'x@example.org', phone: '\u0001'.repeat(50) },
  }
  await assertUndamaged(
    (await make(t, organization({ event: { registrations: longest, abstracts: [abstract] } }))).data,
  )
})

/** Makes a database of version 1 with the same rows. */
async function makeOfVersion1(t: TestContext) {
  const { folder, path } = await make(t, everything())
  const old = join(folder, 'old.db')
  execute(
    old,
    `${readFileSync(new URL('../../../machinery/db/sqlite/schema-1.sql', import.meta.url), 'utf8')}; PRAGMA user_version = 1`,
  )
  const connection = new SqliteConnection(old)
  connection.prepare('ATTACH $path AS new').run({ path })
  const tables = connection.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").pluck().all()
  connection.pragma('foreign_keys = OFF')
  for (const table of tables) {
    const columns = connection.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table)
    connection.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM new.${table}`)
  }
  connection.close()
  return { folder, old }
}

test('a backup of version 1 is restored, and whole once it is brought up to date', ofSqlite, async t => {
  const { folder, old } = await makeOfVersion1(t)
  const before = readFileSync(old)
  const data = join(folder, 'restored')
  assert.deepEqual(await restore(old, data, findUnfit), { version: 1 })
  assert.deepEqual(readFileSync(databasePath(data)), before)
  await (await openDatabase(data, clock)).close()
  await assertUndamaged(data)
})

test('a backup of version 1 is held against the schema and the forms as well', ofSqlite, async t => {
  const { folder, old } = await makeOfVersion1(t)
  const forgeries: [sql: string, refusal: RegExp][] = [
    [
      `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET
         sql = replace(sql, 'UNIQUE REFERENCES', 'UNIQUE ON CONFLICT REPLACE REFERENCES') WHERE name = 'check_ins'`,
      /is no database of Turnout: the schema lacks column check_ins\.attendee_id TEXT NOT NULL UNIQUE/,
    ],
    [
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 1) || ', CHECK (1))' WHERE name = 'check_ins'",
      /is no database of Turnout: the schema has a strange check of check_ins: 1\./,
    ],
    [
      // SQLite itself reads no table with another statement behind it.
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || '; ATTACH ''/tmp/forged.db'' AS f' WHERE name = 'check_ins'",
      /is damaged, or is no SQLite database\./,
    ],
    ['CREATE TABLE f (x)', /is no database of Turnout: the schema has a strange column f\.x\./],
    ['CREATE TABLE answer_keys (x)', /is no database of Turnout: table answer_keys already exists/],
    ['DROP TABLE registrations', /is no database of Turnout: no such table: registrations\./],
    [
      "UPDATE registrations SET answers = '['",
      /is not whole: the answers of row \S+ of registrations is not/,
    ],
    ['UPDATE events SET created_at = 9007199254740991', /is not whole: the created_at of row/],
  ]
  for (const [at, [sql, refusal]] of forgeries.entries()) {
    const path = join(folder, `${at}.db`)
    copyFileSync(old, path)
    execute(path, `PRAGMA foreign_keys = OFF; ${sql}`)
    await assert.rejects(restore(path, `${path}-data`, findUnfit), refusal, sql)
  }
})
