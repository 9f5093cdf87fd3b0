import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { findHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { restore } from '#machinery/db/sqlite/copies/restore.ts'
import { withoutSecrets } from '#machinery/db/sqlite/copies/without-secrets.ts'
import { databasePath, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { describeStructure } from '#machinery/db/sqlite/structure.ts'
import { findDamage, findUnfit } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { renew } from '#product/data-care/renewal/rules.ts'
import { testClock } from '#test/support/clock.ts'
import { addOrder, addUnpaid, everything, writeMails } from '#test/support/every-row.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { addSubmission } from '#test/support/submissions.ts'

const clock = testClock()

/** Makes a database with something in nearly every table. */
async function make(t: TestContext) {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const db = openDatabaseForCommand(data, clock)
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { account_id: accountId, events } = await applyOrganization(db, everything(email), { clock })
    const [event] = Object.values(events)
    const { id: eventId, registration_types: types } = event as NonNullable<typeof event>
    await writeMails(db, accountId, eventId)
    await addSubmission({ db, accountId, eventId, clock })
    await addOrder(db, accountId, eventId, types.Free as string)
    await addUnpaid(db, accountId, eventId, types.Standard as string)
  }
  await db.close()
  const path = databasePath(data)
  fill(path)
  return { folder, data, path, copy: join(folder, 'copy.db') }
}

/** Inserts what no file and no rule of these tests brings: people, their keys, doors, and what is kept for a moment. */
function fill(path: string): void {
  const connection = new SqliteConnection(path)
  const now = clock()
  const times = `${now}, ${now}`
  const [account] = connection.prepare('SELECT id FROM accounts ORDER BY id').pluck().all() as string[]
  const event = connection
    .prepare('SELECT id FROM events WHERE account_id = ? ORDER BY id')
    .pluck()
    .get(account)
  const hash = (of: number) => String(of).padStart(64, 'a')
  const uuid = (of: number) => `0197a0b4-3c5e-7d21-9f10-${String(of).padStart(12, '0')}`
  connection.exec(`
    INSERT INTO users VALUES ('${uuid(1)}', 'ada@example.org', 'ada@example.org', 'Ada',
      '$scrypt$ln=15,r=8,p=3$${'S'.repeat(43)}$${'H'.repeat(43)}', 1, 'en', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 5, ${times});
    INSERT INTO recovery_codes VALUES ('${hash(1)}', '${uuid(1)}', ${times});
    INSERT INTO sessions VALUES ('${hash(2)}', '${uuid(2)}', '${uuid(1)}', NULL, NULL, ${now}, ${now + 9}, ${times});
    INSERT INTO form_receipts VALUES ('${account}', '${uuid(1)}', 'form', '/manage/once', ${times});
    INSERT INTO api_keys VALUES ('${uuid(3)}', '${account}', 'K', '${hash(3)}', 'abcd', '["events:read"]', 120, NULL, NULL, NULL, ${times});
    INSERT INTO devices (id, account_id, event_id, name, search, unlisted, pairing_hash, pairing_expires_at, token_hash, created_at, updated_at)
      VALUES ('${uuid(4)}', '${account}', '${event}', 'Door', 1, 1, '${hash(4)}', ${now}, '${hash(5)}', ${times});
    INSERT INTO idempotent_responses VALUES ('${account}', 'key', '${hash(6)}', 200, '{}', ${times});
    UPDATE payments SET call = '{"key":"k","at":1,"parameters":{"success_url":"https://x/orders/link"}}';
    UPDATE webhook_endpoints SET previous_secret = 'whsec_${'p'.repeat(43)}', previous_secret_expires_at = ${now};
    UPDATE payment_connections SET webhook_id = 'we_1', webhook_url = 'https://x', webhook_secret = 'whsec_1', former_webhook_secret = 'whsec_0'
      WHERE method = 'stripe';
    UPDATE instance SET run_mark = 'mark 1 2';`)
  const [endpoint] = connection
    .prepare('SELECT id FROM webhook_endpoints WHERE account_id = ?')
    .pluck()
    .all(account)
  connection.exec(`
    INSERT INTO webhook_events VALUES ('evt_1', '${account}', 'ping', '{"id":"evt_1","type":"ping","data":{"object":{}}}', ${times});
    INSERT INTO webhook_deliveries VALUES ('${uuid(5)}', '${account}', 'evt_1', '${endpoint}', 'ping', 'pending', 0, ${now}, NULL, NULL, NULL, ${times});
    INSERT INTO webhook_attempts VALUES ('${uuid(6)}', '${uuid(5)}', 1, 5, 200, NULL, 'answer', ${times}, 'https://x');`)
  connection.close()
}

/** Returns a text that is nowhere else, in the form that its column may have. */
function canaryOf(table: string, column: string): string {
  return `canary.${table}.${column}.${'x'.repeat(9)}`
}

const IN_JSON: Readonly<Record<string, (canary: string) => string>> = {
  'emails.details': canary => JSON.stringify({ token: canary }),
  'payments.call': canary => JSON.stringify({ key: 'k', at: 1, parameters: { success_url: canary } }),
}

/** Selects the rows that have secrets. */
const ROWS: Readonly<Record<string, string>> = {
  emails: "WHERE status = 'waiting'",
  payment_connections: "WHERE method = 'stripe'",
}

/** Returns the text columns that the copy does not take over as they are. */
function secretColumns(connection: SqliteConnection.Database): { table: string; column: string }[] {
  return Object.entries(withoutSecrets).flatMap(([table, instead]) =>
    (connection.pragma(`table_info(${table})`) as { name: string; type: string }[])
      .filter(({ name, type }) => type === 'TEXT' && (instead === 'no rows' || instead[name] !== undefined))
      .map(({ name }) => ({ table, column: name })),
  )
}

/** These columns have a state, and no secret. */
const STATES = new Set(['emails.status', 'payment_connections.trouble', 'payment_connections.webhook_id'])

test('no byte of a copy to pass on is of a secret, and every one is in a whole backup', async t => {
  const { path, copy, folder } = await make(t)
  const canaries: string[] = []
  const connection = new SqliteConnection(path)
  connection.pragma('foreign_keys = OFF')
  connection.pragma('ignore_check_constraints = ON')
  for (const { table, column } of secretColumns(connection)) {
    if (STATES.has(`${table}.${column}`)) continue
    const canary = canaryOf(table, column)
    const inJson = IN_JSON[`${table}.${column}`]
    // Each row has a value of its own, because the column is a key.
    const value = inJson === undefined ? `'${canary}' || rowid` : `'${inJson(canary)}'`
    const { changes } = connection
      .prepare(`UPDATE ${table} SET ${column} = ${value} ${ROWS[table] ?? ''}`)
      .run()
    assert.ok(changes > 0, `${table}.${column} has a row to be tried with`)
    canaries.push(canary)
  }
  // Free pages and the log have the rows that were there before.
  const secret = 'deleted-secret-'.repeat(300)
  connection.prepare('UPDATE users SET name = ?').run(secret)
  connection.prepare("UPDATE users SET name = 'Ada'").run()
  connection.close()
  assert.ok(canaries.length > 50, `${canaries.length} columns`)
  await backUp(path, copy, undefined, undefined, true)
  const bytes = readFileSync(copy)
  for (const canary of [...canaries, 'deleted-secret-'])
    assert.ok(!bytes.includes(canary), `${canary} is in the copy`)
  // The test sees what it looks for.
  await backUp(path, `${copy}-whole`)
  const backup = readFileSync(`${copy}-whole`)
  for (const canary of canaries) assert.ok(backup.includes(canary), `${canary} is in no backup either`)
  const source = [path, `${path}-wal`].filter(existsSync).map(each => readFileSync(each))
  assert.ok(source.some(each => each.includes('deleted-secret-')))
  assert.deepEqual(readdirSync(folder).sort(), ['copy.db', 'copy.db-whole', 'data'])
  assert.ok(!readdirSync(dirname(path)).some(name => name.startsWith('.turnout')))
})

/**
 * These columns have names that sound like a secret, and each says why it is none. A new column has to be listed here or in the
 * table of the copy.
 */
const harmless: Readonly<Record<string, string>> = {
  'instance.run_mark': 'says that it is a copy',
  ...Object.fromEntries(
    ['accounts.email_key', 'users.email_key', 'unsubscribed.email_key', 'import_lines.email_key'].map(
      each => [each, 'an e-mail in lower case'],
    ),
  ),
  ...Object.fromEntries(
    ['registrations.buyer_email_key', 'orders.buyer_email_key', 'emails.recipient_key'].map(each => [
      each,
      'an e-mail in lower case',
    ]),
  ),
  'accounts.imprint_url': 'on every page',
  'accounts.privacy_url': 'on every page',
  'accounts.terms_url': 'on every page',
  'events.online_url': 'of the organizer, as the rest of the event',
  'event_pictures.hash': 'of what is on every page',
  'looks.logo_hash': 'of what is on every page',
  'event_picture_sizes.hash': 'of what is on every page',
  'questions.key': 'names an answer',
  'answer_keys.key': 'names an answer',
  'codes.code': 'of the organizer, in its reports',
  'codes.code_key': 'the same in lower case',
  'attendees.code_id': 'an id',
  'abstracts.code': 'names an abstract',
  'abstracts.registration_code_id': 'an id',
  'abstracts.keywords': 'of an abstract',
  'webhook_endpoints.url': 'where the organizer sends to',
  'refunds.call': 'what goes back, and no address',
  'orphan_payments.call': 'what goes back, and no address',
  'orders.secret_version': 'a number',
  'submitters.secret_version': 'a number',
  'submissions.form_id': 'of a form that was sent',
  'submitters.email_key': 'an e-mail in lower case',
  'reviewers.secret_version': 'a number',
  'reviewers.email_key': 'an e-mail in lower case',
  'registrations.secret_version': 'a number',
  'test_sessions.call_key': 'of the processor of sandboxes',
  'statement_lines.key': 'of what the line says',
}
const SUSPICIOUS = /secret|key|token|hash|password|code|call|url|link|form_id|totp|run_mark/

test('every column that sounds like a secret is left out of a copy to pass on, or it is said why not', async t => {
  const { path } = await make(t)
  const connection = new SqliteConnection(path, { readonly: true })
  t.after(() => connection.close())
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[]
  const columnsOf = (table: string) =>
    (connection.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const isCovered = (table: string, column: string) => {
    const instead = withoutSecrets[table]
    return instead === 'no rows' || instead?.[column] !== undefined
  }
  const open = tables.flatMap(table =>
    columnsOf(table)
      .filter(column => SUSPICIOUS.test(column) && !isCovered(table, column))
      .map(column => `${table}.${column}`),
  )
  assert.deepEqual(open.sort(), Object.keys(harmless).sort())
  // The columns that the copy names exist.
  for (const [table, instead] of Object.entries(withoutSecrets)) {
    assert.ok(tables.includes(table), table)
    if (instead !== 'no rows')
      for (const column of Object.keys(instead))
        assert.ok(columnsOf(table).includes(column), `${table}.${column}`)
  }
})

test('all else of a copy to pass on is as it was, with the same structure', async t => {
  const { path, copy } = await make(t)
  await backUp(path, copy, undefined, undefined, true)
  const [from, to] = [new Connection(path, 1_000), new Connection(copy, 1_000)]
  t.after(() => [from, to].map(each => each.close()))
  assert.deepEqual(describeStructure(to), describeStructure(from))
  const tables = from.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  for (const { name } of tables) {
    const instead = withoutSecrets[name]
    const rows = (of: Connection) => of.all<Record<string, unknown>>(`SELECT * FROM ${name} ORDER BY rowid`)
    if (instead === 'no rows') assert.deepEqual(rows(to), [], name)
    else {
      const strip = (some: Record<string, unknown>[]) =>
        some.map(row =>
          Object.fromEntries(
            Object.entries(row).filter(([column]) => !(column in (instead ?? {})) && column !== 'run_mark'),
          ),
        )
      assert.deepEqual(strip(rows(to)), strip(rows(from)), name)
    }
  }
})

test('it restores to a whole database with new secrets, which asks for what it lacks', async t => {
  const { path, copy, folder } = await make(t)
  await backUp(path, copy, undefined, undefined, true)
  const data = join(folder, 'restored')
  let placed = 0
  const beforePlace = () => {
    placed++
    assert.ok(!readdirSync(data).includes('turnout.db'))
  }
  const { version, renewed } = await restore(copy, data, findUnfit, undefined, { renew, beforePlace })
  assert.equal(version, 2)
  assert.equal(placed, 1)
  const old = new SqliteConnection(path, { readonly: true })
  const now = new SqliteConnection(databasePath(data), { readonly: true })
  t.after(() => [old, now].map(each => each.close()))
  const count = (of: SqliteConnection.Database, table: string, where = '1 = 1') =>
    of.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get() as number
  assert.deepEqual(renewed, {
    tickets: count(old, 'attendees'),
    users: 1,
    api_keys: 1,
    devices: 1,
    stripe: 2,
    webhooks: count(old, 'webhook_endpoints'),
  })
  // The money in these rows is made up. The copy has no other faults than they have.
  const known = await inspect(path, findDamage)
  const ofMoney = known.filter(fault => /payment|refund|bank line/.test(fault))
  assert.deepEqual(await inspect(databasePath(data), findDamage), ofMoney)
  const all = (of: SqliteConnection.Database, sql: string) => of.prepare(sql).pluck().all() as string[]
  for (const sql of [
    'SELECT cursor_secret FROM instance',
    'SELECT secret FROM webhook_endpoints',
    'SELECT private_key FROM ticket_keys',
    'SELECT public_key FROM ticket_keys',
    'SELECT qr_code FROM attendees',
    'SELECT key_hash FROM api_keys',
    'SELECT password_hash FROM users',
    'SELECT form_id FROM orders',
  ]) {
    const [before, after] = [all(old, sql), all(now, sql)]
    assert.equal(after.length > 0, before.length > 0, sql)
    assert.ok(
      after.every(each => each !== '' && !before.includes(each)),
      sql,
    )
    assert.equal(new Set(after).size, after.length, sql)
  }
  assert.equal(count(now, 'users', 'totp_secret IS NULL'), 1)
  assert.equal(count(now, 'webhook_endpoints', 'enabled = 1'), 0)
  assert.equal(count(now, 'api_keys', 'revoked_at IS NULL'), 0)
  assert.equal(count(now, 'devices', 'revoked_at IS NULL OR token_hash IS NOT NULL'), 0)
  assert.equal(
    count(now, 'payment_connections', "method = 'stripe' AND trouble = 'no_key' AND secret_key = ''"),
    2,
  )
  assert.equal(count(now, 'emails', "status = 'waiting'"), 0)
  assert.equal(count(now, 'registrations'), count(old, 'registrations'))
  assert.deepEqual(all(now, 'SELECT run_mark FROM instance'), ['copy'])
  const db = openDatabaseForCommand(data, clock)
  t.after(() => db.close())
  assert.equal(await db.read(INSTANCE, findHold), null)
})

test('nothing but restore opens a copy without secrets, wherever it is put', async t => {
  const { path, copy, folder } = await make(t)
  await backUp(path, copy, undefined, undefined, true)
  const data = join(folder, 'put')
  const made = openDatabaseForCommand(data, clock)
  await made.close()
  for (const end of ['', '-wal', '-shm']) rmSync(databasePath(data) + end, { force: true })
  copyFileSync(copy, databasePath(data))
  assert.throws(() => openDatabaseForCommand(data, clock), /made without secrets.*turnout restore/)
  assert.match((await inspect(databasePath(data), findDamage)).join(), /cursor_secret/)
})

test('a restore that is cut off while it makes new secrets leaves no database', async t => {
  const { path, copy, folder } = await make(t)
  await backUp(path, copy, undefined, undefined, true)
  const data = join(folder, 'restored')
  const beforePlace = () => assert.fail('it has no place')
  const cut = async () => {
    throw new Error('cut')
  }
  await assert.rejects(restore(copy, data, findUnfit, undefined, { renew: cut, beforePlace }), /cut/)
  assert.throws(() => readdirSync(data), { code: 'ENOENT' })
})

test('writes go on while a copy without secrets is made, and it shows one instant of them', async t => {
  const { data, path, copy } = await make(t)
  const db = openDatabaseForCommand(data, clock)
  t.after(() => db.close())
  let done = false
  let written = 0
  const account = await db.read(INSTANCE, tx => tx.one<{ id: string }>('SELECT id FROM accounts ORDER BY id'))
  const copying = backUp(path, copy, undefined, undefined, true).finally(() => {
    done = true
  })
  while (!done) {
    written++
    await db.write(account?.id as string, async tx => {
      await tx.run('UPDATE accounts SET name = $1', [`n${written}`])
      await tx.run('UPDATE events SET title = $1', [`n${written}`])
    })
  }
  await copying
  const made = new SqliteConnection(copy, { readonly: true })
  t.after(() => made.close())
  const names = made.prepare('SELECT name FROM accounts UNION SELECT title FROM events').pluck().all()
  assert.ok(written > 3, `${written} writes`)
  assert.ok(names.length <= 3, `${names}`)
})

test('a database of another version is not copied without secrets, as its secrets are not known', async t => {
  const { path, copy, folder } = await make(t)
  const connection = new SqliteConnection(path)
  connection.pragma('user_version = 1')
  connection.close()
  await assert.rejects(
    backUp(path, copy, undefined, undefined, true),
    /another version.*Start the server once/,
  )
  assert.deepEqual(readdirSync(folder), ['data'])
})
