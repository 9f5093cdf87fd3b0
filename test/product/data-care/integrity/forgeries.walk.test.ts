import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { noMapping } from '#machinery/bank-files/mapping.ts'
import { keyOf } from '#machinery/bank-files/statement.ts'
import type { AnyReadTx } from '#machinery/db/port.ts'
import { sqliteCatalog } from '#machinery/db/sqlite/catalog.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { restore } from '#machinery/db/sqlite/copies/restore.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { examine as examinePicture } from '#product/catalog/events/pictures.ts'
import { findDamage, findUnfit } from '#product/data-care/integrity/damage.ts'
import { forms } from '#product/data-care/integrity/forms.ts'
import { newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { pdfOf, sha256Of } from '#test/support/files.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { png, webp } from '#test/support/pictures.ts'
import { addProgramme } from '#test/support/programme.ts'
import { snapshotOf } from '#test/support/receipts.ts'
import { newRegistration } from '#test/support/requests.ts'
import { addReview } from '#test/support/reviews.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { addSubmission } from '#test/support/submissions.ts'

/** What the bank line of these rows is known by. */
const line = { date: '2026-11-01', amount: 100, currency: 'EUR', counterparty: 'Ada', text: 'RF18' }
const lineKey = keyOf(line, 1)

/** Makes a backup of a database that has rows in every table. */
async function prepare(t: TestContext) {
  const server = await startWithOrganization(t, organization({ email: 'door@example.org' }))
  const { client, data, db, applied, apply, eventId, types } = server
  await apply(everything())
  const url = 'https://hook.invalid/'
  const types_ = ['registration.created'] as const
  const endpoint = await db.write(applied.account_id, tx => webhooks.addEndpoint(tx, { url, types: types_ }))
  await db.write(applied.account_id, tx => webhooks.rotateSecret(tx, endpoint.id))
  const headers = { 'Idempotency-Key': 'kept' }
  const body = newRegistration({ eventId, types }, { answers: { diet: 'vegan' } })
  const { body: made } = await client.post('/registrations', body, { headers })
  await client.post('/check-ins', { attendee_id: made.attendees[0].id })
  const place = { db, accountId: applied.account_id, eventId, clock: server.clock }
  await addSubmission(place)
  await addReview(place)
  await addProgramme(place)
  const folder = temporaryFolder(t)
  const backup = join(folder, 'backup.db')
  await backUp(join(data, 'turnout.db'), backup)
  const picture = examinePicture(png())
  const size = examinePicture(webp('VP8 ', 480, 270))
  const pdf = pdfOf(100)
  const connection = new SqliteConnection(backup)
  connection.exec(`
    INSERT INTO webhook_attempts SELECT id, id, NULL, 5, 200, NULL, NULL, created_at, created_at, '' FROM webhook_deliveries;
    INSERT INTO users VALUES ('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e40', 'u@example.org', 'u@example.org', 'U', 'x', 1, 'en',
      '${'A'.repeat(32)}', 1, 1, 1);
    INSERT INTO recovery_codes SELECT printf('%064d', 1), id, 1, 1 FROM users;
    INSERT INTO members SELECT u.id, a.id, u.id, 'owner', 0, 1, 1 FROM users u, accounts a LIMIT 1;
    INSERT INTO member_events SELECT m.id, e.id, 1, 1 FROM members m, events e LIMIT 1;
    INSERT INTO sessions SELECT printf('%064d', 1), id, id, '127.0.0.1', 'browser', 1, 1, 1, 1 FROM users;
    INSERT INTO one_time_links SELECT printf('%064d', 1), u.id, 'invitation', a.id, u.id, u.email, 'door', '[]', 1, 1, 1, 1
      FROM users u, accounts a LIMIT 1;
    INSERT INTO form_receipts SELECT a.id, u.id, 'form', '/', 1, 1 FROM users u, accounts a LIMIT 1;
    INSERT INTO capacity_pools SELECT id, account_id, event_id, 'room', 9, sold, 1, 1 FROM registration_types LIMIT 1;
    INSERT INTO registration_type_pools SELECT event_id, id, id, 1, 1 FROM capacity_pools;
    INSERT INTO questions SELECT id, account_id, event_id, 'diet', 'Diet', NULL, 'text', '["a"]', 0, 'abstract', 1, 1,
      '[]', 1, 1, 1, 1 FROM capacity_pools;
    INSERT INTO codes SELECT id, account_id, event_id, 'Code', 'code', 10, NULL, '[]', 1, 2, 9, 0, 1, 'n', 1, 1 FROM capacity_pools;
    INSERT INTO jobs SELECT id, account_id, event_id, 'import', '{}', 'done', 'x', 1, 1, '{}', 'cli', 1, 1, 1, 1
      FROM capacity_pools;
    INSERT INTO import_lines SELECT id, 1, '["Ada"]', 'read', '{}', 'a', 'ada@example.org', 1, 1 FROM jobs;
    INSERT INTO event_figures SELECT id, account_id, '{}', 1, 1, 1 FROM events;
    INSERT INTO emails SELECT e.id, e.account_id, e.id, 'invitation', 'c', NULL, 'ada@example.org', e.id || '@example.org', 'en', '{}', 1,
      'sent', 1, NULL, 1, '250', 'Hello', 'Hello', 1, 1 FROM events e;
    INSERT INTO email_texts SELECT account_id, id, 'abstract_accepted', 'en', 'Hello', 'Hello', 1, 1 FROM events;
    INSERT INTO mail_turns SELECT id, id, 'n', 'buyers', id, 1, 1, 1 FROM accounts;
    INSERT INTO unsubscribed SELECT id, 'ada@example.org', 1, 1 FROM accounts;
    INSERT INTO event_pictures SELECT id, account_id, '${picture.hash}', '${picture.type}', ${picture.width},
      ${picture.height}, 1, 1, '${picture.content}', 1, 1 FROM events LIMIT 1;
    INSERT INTO event_picture_sizes SELECT event_id, account_id, 'page', 480, 270, '${size.hash}', 'image/webp', '${size.content}', 1, 1
      FROM event_pictures;
    INSERT INTO series SELECT id, account_id, 'Meetings', 'meetings-' || slug, 1, 1 FROM events;
    UPDATE events SET series_id = id;
    DELETE FROM series WHERE id NOT IN (SELECT series_id FROM events);
    INSERT OR REPLACE INTO looks SELECT id, account_id, id, '#c0392b', '${picture.hash}', 64, 36, '${picture.content}',
      '${webp('VP8 ').toString('base64')}', 1, 1 FROM events;
    INSERT INTO abstract_files SELECT id, account_id, event_id, id, '${sha256Of(pdf)}', ${pdf.length}, 'a.pdf', 1, 1, 1 FROM abstracts;
    INSERT INTO file_chunks SELECT account_id, id, 0, x'${pdf.toString('hex')}', 1, 1 FROM abstract_files;
    INSERT INTO announcements SELECT id, account_id, id, 'Hello', 'Hello', '{}', 'cli', NULL, NULL, NULL, NULL, 1, 1 FROM events;
    INSERT INTO orders SELECT id, account_id, event_id, 'A', 'confirmed', NULL, NULL, 'Ada', 'ada@example.org', 'ada@example.org', 'en',
      currency, amount_total, NULL, 'form', 1, NULL, 1, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL FROM registrations WHERE status = 'confirmed' LIMIT 1;
    UPDATE registrations SET order_id = id WHERE id IN (SELECT id FROM orders);
    UPDATE attendees SET (price, discount, tax, tax_basis_points) = (SELECT amount_subtotal / quantity, (amount_subtotal - amount_total) / quantity, 0, 0
      FROM registrations r WHERE r.id = registration_id) WHERE registration_id IN (SELECT id FROM orders);
    UPDATE ledger_entries SET order_id = registration_id, registration_id = NULL
      WHERE registration_id IN (SELECT id FROM orders);
    INSERT INTO payments SELECT id, account_id, event_id, id, 'test', 'cancelled', currency, amount_total, 0, 'RF18', 's', 'c', '{}',
      'https://pay.invalid', 1, 1, 0, NULL, 1, NULL, NULL, 1, 1 FROM orders;
    INSERT INTO refunds SELECT id, account_id, event_id, id, NULL, id, 'test', 'c', 'requested', currency, 100, 'organizer', NULL, NULL, 'r',
      '{}', 1, 0, NULL, NULL, 1, 1 FROM orders;
    INSERT INTO payment_connections SELECT id, 'stripe', NULL, 'rk_live_1', 1, 'acct_1', 'Ada', 'we_1', 'https://a.example/', 'whsec_1', 'whsec_0', '1',
      1, NULL, 0, 1, 1 FROM accounts;
    INSERT INTO orphan_payments SELECT id, 'cs_1', 'ch_1', 100, 'EUR', 1, 'found', NULL, NULL, NULL, 1, 1 FROM accounts;
    INSERT INTO disputes SELECT 'du_1', account_id, event_id, order_id, id, 'ch_1', 'warning', 'general', currency, 0, 1, 0, 1, NULL, 1, 1
      FROM payments WHERE true ON CONFLICT DO NOTHING;
    INSERT INTO payouts SELECT 'po_1', id, 100, 'EUR', 'paid', '2026-11-01', 'complete', 1, 100, 0, 1, 1, 1 FROM accounts;
    INSERT INTO payout_lines SELECT 'txn_1', id, 'po_1', 'payment', 'charge', 110, 10, 100, 'ch_9', 1, 1, 1 FROM accounts;
    INSERT INTO payout_readings SELECT id, 'lines', 1, 1, 1 FROM accounts;
    INSERT INTO statement_mappings SELECT id, '${JSON.stringify({ ...noMapping, date: 'Date', amount: 'Amount' })}', 1, 1 FROM accounts;
    INSERT INTO statement_files SELECT account_id, id, 0, 'QQ==', 1, 1 FROM jobs;
    INSERT INTO statement_lines SELECT id, account_id, '${lineKey}', id, 2, '2026-11-01', 100, currency, 'Ada', 'RF18', 'b', 'unmatched',
      'double', NULL, id, NULL, NULL, NULL, 1, 1, 1 FROM payments;
    INSERT INTO test_sessions SELECT 's', account_id, id, id, 'paid', 0, currency, amount, 5, '[]', 1, 1, 1, 1 FROM payments;
    INSERT INTO receipts SELECT id, account_id, 'receipt', 1, NULL, NULL, id, event_id, 'pay', NULL, 1, currency, 1, '${JSON.stringify(snapshotOf({ total: 1 }))}', 1, 1, NULL
      FROM orders LIMIT 1;
    INSERT INTO devices SELECT id, account_id, id, 'Door', '[]', 1, 0, printf('%064d', 1), 1, printf('%064d', 2), 0, 1, 1, 0, 0, NULL, 1, 1, 'in'
      FROM events LIMIT 1;
    INSERT INTO entries SELECT attendee_id, '-/0', account_id, event_id, scan_id, checked_in_at, NULL, NULL, 1, 1 FROM check_ins LIMIT 1;
    INSERT INTO scans SELECT 's', account_id, event_id, NULL, 'Door', 'scan', NULL, attendee_id, 0, 1, 0, 1, 'admitted', NULL, 'conflict',
      'already_checked_in', 1, 0, NULL, 'c', 1, 1 FROM check_ins LIMIT 1;
    INSERT INTO scan_cases SELECT 'c', account_id, event_id, 'conflict', '', 'Door', attendee_id, 1, 1, 1 FROM check_ins LIMIT 1;
    INSERT INTO door_changes SELECT event_id, 1, attendee_id, account_id, 1, 1 FROM check_ins LIMIT 1;
    INSERT INTO answer_keys SELECT account_id, event_id, 'key', 1, 1 FROM registrations WHERE true
      ON CONFLICT DO NOTHING;`)
  connection.close()
  let copies = 0
  /** Changes a copy by SQL, past everything that SQLite guards. */
  const forge = (sql: string): string => {
    const path = join(folder, `${copies++}.db`)
    copyFileSync(backup, path)
    const forged = new SqliteConnection(path)
    forged.unsafeMode(true)
    forged.pragma('foreign_keys = OFF')
    forged.pragma('ignore_check_constraints = ON')
    forged.pragma('writable_schema = ON')
    const before = forged.prepare('SELECT total_changes()').pluck().get()
    forged.exec(sql)
    assert.notEqual(
      forged.prepare('SELECT total_changes()').pluck().get(),
      before,
      `It changes nothing: ${sql}`,
    )
    forged.close()
    return path
  }
  return { backup, folder, forge }
}

/** Returns what check reports, and asserts that restore refuses the same and leaves nothing. */
async function examine(path: string): Promise<string[]> {
  const errors = await inspect(path, findDamage)
  const data = `${path}-restored`
  const refusal = await restore(path, data, findUnfit).then(
    () => '',
    (error: Error) => {
      assert.ok(error instanceof Refusal, String(error.stack))
      return error.message
    },
  )
  assert.ok(refusal.includes(errors[0] ?? '?'), `${refusal}\n${errors[0]}`)
  assert.ok(!existsSync(join(data, 'turnout.db')))
  for (const sentence of [...errors, refusal]) assert.doesNotMatch(sentence, /Grace|example\.org|\p{Cc}/iu)
  return errors
}

const inSchema = (table: string, from: string, to: string) =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${table}'`

test('a whole database is whole, and is restored', async t => {
  const { backup, folder } = await prepare(t)
  assert.deepEqual(await inspect(backup, findDamage), [])
  assert.deepEqual(await restore(backup, join(folder, 'data'), findUnfit), { version: 2 })
  const connection = new SqliteConnection(backup)
  t.after(() => connection.close())
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  for (const table of tables) {
    assert.ok(connection.prepare(`SELECT 1 FROM ${table}`).get(), `${table} has no row, and proves nothing`)
  }
})

test('a schema that would not keep its promises is refused before any of it is run', async t => {
  const { forge } = await prepare(t)
  const sort = 'webhook_events_by_account'
  const forgeries: [sql: string, found: RegExp][] = [
    [
      inSchema('check_ins', 'UNIQUE REFERENCES', 'UNIQUE ON CONFLICT REPLACE REFERENCES'),
      /^the schema lacks column check_ins\.attendee_id TEXT NOT NULL UNIQUE REFERENCES attendees \(id\)$/,
    ],
    [
      inSchema('accounts', 'name TEXT NOT NULL', 'name TEXT NOT NULL ON CONFLICT IGNORE'),
      /column accounts\.name/,
    ],
    [
      inSchema('registration_types', 'CHECK (sold', 'CHECK (1 OR sold'),
      /lacks check of registration_types: sold/,
    ],
    [
      inSchema('events', '(account_id, slug)', '(account_id, slug COLLATE NOCASE)'),
      /constraint of events: UNIQUE/,
    ],
    [
      inSchema(sort, '(account_id, created_at, id)', '(account_id, created_at, id) WHERE 0'),
      /lacks index webhook_events_by_account/,
    ],
    [
      inSchema(sort, '(account_id, created_at, id)', "(account_id, created_at, id, foo(''x''))"),
      /strange index \S+ of webhook_events \(account_id, created_at, id, foo \('x'\)\)/,
    ],
    [
      inSchema('instance', 'updated_at BIGINT', 'x AS (zeroblob(1e9)), updated_at BIGINT'),
      /strange column instance\.x/,
    ],
    [
      "INSERT INTO sqlite_schema VALUES ('table', 'f', 'f', 0, 'CREATE VIRTUAL TABLE f USING fts5(x)')",
      /strange table f/,
    ],
    [
      `INSERT INTO sqlite_schema VALUES ('view', 'v', 'v', 0,
         'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n')`,
      /strange view v/,
    ],
    [
      `INSERT INTO sqlite_schema VALUES ('trigger', 'a' || char(27, 10) || '[2J', 'accounts', 0,
         'CREATE TRIGGER "a' || char(27, 10) || '[2J" AFTER INSERT ON accounts BEGIN SELECT 1; END')`,
      /strange trigger a \[2J/,
    ],
    [
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'events') WHERE name = 'abstracts'",
      /2nd reference to page/,
    ],
  ]
  for (const [sql, found] of forgeries)
    assert.match((await examine(forge(sql))).join('\n'), new RegExp(found, 'm'), sql)
})

test('texts in another encoding are not of Turnout', async t => {
  const { backup, folder } = await prepare(t)
  const source = new SqliteConnection(backup)
  const path = join(folder, 'utf16.db')
  const other = new SqliteConnection(path)
  other.pragma("encoding = 'UTF-16le'")
  const schema = source.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all()
  other.exec(`${schema.join(';')}; PRAGMA user_version = 2`)
  other.close()
  source.close()
  assert.match((await examine(path))[0] ?? '', /strange encoding UTF-16le/)
})

test('a value that no server could work with is told of by its column and row', async t => {
  const { forge } = await prepare(t)
  const { public_key: other, private_key: third } = newTicketKey()
  const registration = "WHERE rowid = (SELECT rowid FROM registrations WHERE source = 'api' LIMIT 1)"
  const forgeries: [sql: string, found: RegExp][] = [
    [
      `UPDATE ticket_keys SET private_key = '${third}'`,
      /^the private_key of row [0-9a-f]{8} of ticket_keys is not of one pair/,
    ],
    [`UPDATE ticket_keys SET public_key = '${other}'`, /private_key of row .* not of one pair/],
    ["UPDATE ticket_keys SET public_key = 'x'", /public_key of row .* is not a public key/],
    ["UPDATE ticket_keys SET private_key = ''", /private_key of row .* not of one pair/],
    [
      "UPDATE ticket_keys SET id = substr('0000000' || rowid, -8)",
      /private_key of row 0000000\d .* not of one pair/,
    ],
    ["UPDATE ticket_keys SET id = 'Grace ' || rowid", /the id of row \d of ticket_keys is not a key id/],
    ["UPDATE api_keys SET scopes = 'all'", /scopes of row .* of api_keys is not a JSON array of scopes/],
    [`UPDATE api_keys SET scopes = '["all"]'`, /not a JSON array of scopes/],
    [`UPDATE api_keys SET scopes = '{"0":"events:read"}'`, /not a JSON array of scopes/],
    [
      'UPDATE looks SET logo_page_content = logo_content',
      /logo_page_content of row .* is not a WebP in base64/,
    ],
    ['UPDATE api_keys SET key_hash = upper(key_hash)', /key_hash of row .* is not a SHA-256/],
    ["UPDATE api_keys SET last_four = 'Grace'", /last_four of row .* is not/],
    [
      `UPDATE registrations SET answers = '[' ${registration}`,
      /answers of row .* is not a JSON object of answers/,
    ],
    [`UPDATE registrations SET answers = '{"a":1}' ${registration}`, /not a JSON object of answers/],
    [`UPDATE registrations SET answers = 'null' ${registration}`, /not a JSON object of answers/],
    [
      `UPDATE registrations SET answers = '{"a":' || printf('%.*c', 90000, '[') || '}' ${registration}`,
      /not a JSON object of answers/,
    ],
    [
      `UPDATE registrations SET amount_subtotal = 9999999901 ${registration}`,
      /amount_subtotal of row .* from 0 to/,
    ],
    [
      `UPDATE registrations SET buyer_email = 'Grace' ${registration}`,
      /buyer_email of row .* e-mail address/,
    ],
    ["UPDATE abstracts SET authors = '[]]'", /authors of row .* is not a JSON array of authors/],
    [
      'UPDATE abstracts SET unavailable = \'["2026-12-32"]\'',
      /unavailable of row .* of abstracts is not a JSON array of dates/,
    ],
    [
      `UPDATE abstracts SET authors = '[{"name":"Grace","email":null,"affiliation":null}]'`,
      /array of authors/,
    ],
    [
      `UPDATE abstracts SET authors = '[{"name":"Grace","email":null,"affiliation":null,"presenting":true,"x":1}]'`,
      /array of authors/,
    ],
    [
      `UPDATE abstracts SET contact = '{"name":"Grace"}'`,
      /contact of row .* is not a JSON object of a contact/,
    ],
    [
      `UPDATE webhook_endpoints SET types = '["everything"]'`,
      /types of row .* is not a JSON array of event types/,
    ],
    ["UPDATE webhook_endpoints SET url = 'https://Grace:x@' || id", /url of row .* is not the address/],
    ["UPDATE webhook_endpoints SET url = 'file:///' || id", /url of row .* is not the address/],
    ["UPDATE webhook_endpoints SET secret = 'x'", /the secret of row .* is not a webhook secret/],
    [
      "UPDATE webhook_endpoints SET previous_secret = '' WHERE previous_secret NOT NULL",
      /previous_secret of row/,
    ],
    ["UPDATE access_log SET details = ''", /details of row .* is not a JSON object/],
    ["UPDATE events SET timezone = 'Mars/Olympus'", /timezone of row .* of events is not a time zone/],
    ["UPDATE accounts SET timezone = '+01:00'", /timezone of row .* of accounts is not a time zone/],
    ["UPDATE accounts SET currency = 'eur'", /currency of row .* is not a currency/],
    ["UPDATE accounts SET email_key = 'x' || rowid", /email_key of row .* is not the e-mail in lower case/],
    ["UPDATE events SET slug = 'Spring ' || rowid", /slug of row .* is not a slug/],
    ["UPDATE instance SET cursor_secret = ''", /cursor_secret of row 1 of instance is not a secret/],
    ["UPDATE check_ins SET id = 'x' || rowid", /the id of row \d+ of check_ins is not/],
    ['UPDATE waitlist_entries SET id = upper(id)', /the id of row \d+ of waitlist_entries is not a UUID/],
    [
      'UPDATE idempotent_responses SET status = 1000',
      /status of row 1 of idempotent_responses is not a status/,
    ],
    [
      "UPDATE events SET rowid = 9007199254740993 WHERE slug = 'empty'",
      /the rowid of row .* is not a safe number/,
    ],
  ]
  for (const [sql, found] of forgeries)
    assert.match((await examine(forge(sql))).join('\n'), new RegExp(found, 'm'), sql)
})

test('bodies that are no JSON are refused too', async t => {
  const { forge } = await prepare(t)
  for (const [table, message] of [
    ['webhook_events', /event .* has a body with another id or type/],
    ['idempotent_responses', /the answer kept for .* does not fit/],
  ] as const) {
    const path = forge(`UPDATE ${table} SET body = '{"'`)
    assert.match((await inspect(path, findDamage)).join('\n'), message)
    await assert.rejects(restore(path, `${path}-data`, findUnfit), /the body of row .* is not a JSON object/)
  }
})

test('no column takes a value of another type, a text without end, or an instant that cannot be written', async t => {
  const { forge } = await prepare(t)
  const connection = new Connection(forge('UPDATE accounts SET updated_at = 1'), 0)
  t.after(() => connection.close())
  connection.pragma('foreign_keys = OFF')
  connection.pragma('ignore_check_constraints = ON')
  const tx: AnyReadTx = {
    one: async (sql, params) => connection.get(sql, params),
    all: async (sql, params) => connection.all(sql, params),
  }
  const columns = connection.all<{ table: string; name: string; type: string }>(
    `SELECT s.name AS "table", c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c
     WHERE s.type = 'table'`,
  )
  assert.ok(columns.length > 150)
  const wrong: Record<string, string[]> = {
    TEXT: ["x'00ff'"],
    INTEGER: ["'many'", '0.5', '9007199254740993'],
    BIGINT: ["'2026-11-21'", '0.5', '9007199254740991', '253402300800000', '-62167219200001'],
  }
  for (const { table, name, type } of columns) {
    const tooLong = `printf('%.*c', ${(forms[table]?.[name]?.longest ?? 100_000) + 1}, 'x')`
    for (const value of [...(wrong[type] ?? []), ...(type === 'TEXT' ? [tooLong] : [])]) {
      // The number of a row takes no other type.
      if (table === 'instance' && name === 'id' && !value.startsWith('9')) continue
      connection.exec('BEGIN')
      connection.exec(
        `UPDATE ${table} SET "${name}" = ${value} WHERE rowid = (SELECT min(rowid) FROM ${table})`,
      )
      const [message] = await findUnfit({
        catalog: sqliteCatalog,
        read: (_, work) => work(tx as never),
      })
      assert.match(
        message ?? '',
        new RegExp(`^the ${name} of row \\S+ of ${table} is not `),
        `${name} ${value}`,
      )
      connection.exec('ROLLBACK')
    }
  }
})

test('an instant of the year 287,396 is told of, and the one before the year 10,000 is none of it', async t => {
  const { forge } = await prepare(t)
  const latest = forge("UPDATE events SET starts_at = 253402300799999, ends_at = NULL WHERE slug = 'empty'")
  assert.deepEqual(await inspect(latest, findDamage), [])
  const later = forge("UPDATE events SET starts_at = 9007199254740991, ends_at = NULL WHERE slug = 'empty'")
  assert.match(
    (await examine(later)).join('\n'),
    /^the starts_at of row \S+ of events is not within the instants of the years 0000 to 9999$/,
  )
})

test('the command line refuses each forgery with exit code 1, and restores nothing', async t => {
  const { forge } = await prepare(t)
  const { turnout, folder, data } = commandLine(t)
  for (const sql of [
    inSchema('check_ins', 'UNIQUE REFERENCES', 'UNIQUE ON CONFLICT REPLACE REFERENCES'),
    `UPDATE ticket_keys SET private_key = '${newTicketKey().private_key}'`,
    "UPDATE abstracts SET contact = 'Grace'",
    'UPDATE registrations SET created_at = 9007199254740991',
  ]) {
    const path = forge(sql)
    const restored = await turnout('restore', path, '--data', data)
    assert.deepEqual([restored.code, restored.out], [1, ''])
    assert.match(restored.err, /^error: [^\n]+\.\n$/)
    assert.ok(!existsSync(join(data, 'turnout.db')))
  }
  const kept = join(folder, 'kept')
  await turnout('restore', forge('UPDATE accounts SET updated_at = 1'), '--data', kept)
  const connection = new SqliteConnection(join(kept, 'turnout.db'))
  connection.exec("UPDATE abstracts SET contact = 'Grace'")
  connection.close()
  const checked = await turnout('check', '--data', kept)
  assert.equal(checked.code, 1)
  assert.match(checked.out, /the contact of row \S+ of abstracts is not a JSON object of a contact/)
  assert.doesNotMatch(checked.out + checked.err, /Grace/)
  assert.ok(readdirSync(kept).includes('turnout.db'))
})
