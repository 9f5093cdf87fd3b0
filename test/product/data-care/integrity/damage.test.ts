import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** Makes a database in which something of every kind has happened, by a file and by the API. */
async function prepare(t: TestContext) {
  const file = organization({
    email: 'door@example.org',
    event: {
      pools: [{ name: 'room', capacity: 9, registration_types: ['Standard', 'Free'] }],
      registrations: [registration('brought', { quantity: 2 })],
    },
    events: [
      {
        slug: 'other',
        title: 'Other',
        currency: 'EUR',
        registration_types: [{ name: 'One', price: 0, capacity: 9 }],
      },
    ],
    webhooks: [{ url: 'https://hook.invalid/', types: allWebhookEventTypes.filter(type => type !== 'ping') }],
  })
  const { client, data, eventId, types, apply } = await startWithOrganization(t, file)
  await apply(everything())
  const post = (key: string, route: string, body?: object) =>
    client.post(route, body, { headers: { 'Idempotency-Key': key } })
  const body = newRegistration(
    { eventId, types },
    { buyer: { name: 'Grace', email: 'Grace@example.org' }, quantity: 2 },
  )
  const kept = (await post('kept', '/registrations', body)).body
  const gone = (await post('gone', '/registrations', body)).body
  await post('cancel', `/registrations/${gone.id}/cancel`)
  await post('scan', '/check-ins', { attendee_id: kept.attendees[0].id })
  await post('again', '/check-ins', { attendee_id: kept.attendees[0].id })
  return { path: join(data, 'turnout.db'), kept, gone, folder: temporaryFolder(t) }
}

test('a whole database has no damage, also while its server runs', async t => {
  const { path } = await prepare(t)
  assert.deepEqual(await inspect(path, findDamage), [])
})

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

test('every kind of damage is found, and said with the id of what is damaged', async t => {
  const { path, kept, gone, folder } = await prepare(t)
  const [ticket, other] = kept.attendees
  const delivery = '(SELECT d.id FROM webhook_deliveries d LIMIT 1)'
  const attempt = (number: number) =>
    `INSERT INTO webhook_attempts VALUES ('a' || random(), ${delivery}, ${number}, 5, 200, NULL, NULL, 1, 1, '')`
  const orderOf = (status: string) =>
    `INSERT INTO orders SELECT 'o', account_id, id, 'A', '${status}', NULL, NULL, 'Ada', 'ada@example.org', 'ada@example.org', 'en',
       'EUR', 0, NULL, 'form', 1, NULL, NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL FROM events WHERE slug = 'other'`
  const damages: [sql: string, found: RegExp][] = [
    ['DELETE FROM instance', /the row of the instance is missing/],
    [
      "UPDATE registration_types SET sold = sold + 1 WHERE name = 'Standard'",
      /Standard says 5 sold, and 4 are/,
    ],
    [
      "UPDATE registration_types SET sold = 3, capacity = 3 WHERE name = 'Standard' AND sold = 4",
      /Standard is oversold: 4 of 3/,
    ],
    ['UPDATE capacity_pools SET sold = 5', /shared capacity room says 5 sold, and its types say 4/],
    ['DELETE FROM registration_type_pools', /shared capacity room says 4 sold, and its types say 0/],
    ['UPDATE capacity_pools SET sold = 3, capacity = 3', /shared capacity room is oversold: 4 of 3/],
    [
      'PRAGMA ignore_check_constraints = ON; UPDATE registration_types SET capacity = sold - 1 WHERE sold > 0',
      /CHECK constraint failed in registration_types/,
    ],
    [
      `DELETE FROM attendees WHERE id = '${other.id}'`,
      new RegExp(`registration ${kept.id} has 1 of 2 tickets`),
    ],
    [
      `UPDATE attendees SET position = 7 WHERE id = '${other.id}'`,
      new RegExp(`tickets of registration ${kept.id} are not numbered`),
    ],
    [
      `UPDATE registrations SET quantity = 3 WHERE id = '${kept.id}'`,
      new RegExp(`registration ${kept.id} has 2 of 3 tickets`),
    ],
    [
      `UPDATE attendees SET voided = 1 WHERE id = '${other.id}'`,
      /^registration type Standard says 4 sold, and 3 are$/,
    ],
    [
      `UPDATE attendees SET voided = 1 WHERE registration_id = '${kept.id}'`,
      new RegExp(`registration ${kept.id} is confirmed, and all of its tickets are void`),
    ],
    [
      `UPDATE attendees SET voided = 0 WHERE registration_id = '${gone.id}'`,
      /not as void as its registration, which is cancelled/,
    ],
    [
      `UPDATE attendees SET qr_code = (SELECT qr_code FROM attendees WHERE id = '${ticket.id}') WHERE id = '${other.id}'`,
      new RegExp(`ticket ${other.id} has the code of ticket ${ticket.id}`),
    ],
    ["UPDATE attendees SET qr_code = 'SVC1.'", /ticket .* has a malformed code/],
    [
      `UPDATE attendees SET qr_code = substr(qr_code, 1, 60) || CASE substr(qr_code, 61, 1) WHEN 'A' THEN 'B' ELSE 'A' END
         || substr(qr_code, 62) WHERE id = '${ticket.id}'`,
      new RegExp(`ticket ${ticket.id} has a code that the key of its event has not signed`),
    ],
    ['DELETE FROM ticket_keys', /event .* has tickets, and no key that signs them/],
    [
      "UPDATE check_ins SET event_id = (SELECT id FROM events WHERE slug = 'other')",
      /check-in .* is at another event than its ticket/,
    ],
    [
      `UPDATE registrations SET currency = 'USD' WHERE id = '${kept.id}'`,
      /in another currency than its event/,
    ],
    [
      `UPDATE registrations SET buyer_email_key = 'x' WHERE id = '${kept.id}'`,
      /cannot be found by its buyer/,
    ],
    [
      `DELETE FROM registration_words WHERE registration_number =
         (SELECT number FROM registrations WHERE id = '${kept.id}')`,
      new RegExp(`registration ${kept.id} is not found by 1 of its words`),
    ],
    [
      `UPDATE registrations SET number = NULL WHERE id = '${kept.id}'`,
      new RegExp(`registration ${kept.id} is not found by 1 of its words`),
    ],
    [
      `UPDATE registration_words SET word = 'ada' || rowid WHERE registration_number =
         (SELECT number FROM registrations WHERE id = '${kept.id}')`,
      new RegExp(`registration ${kept.id} is found by a word that it does not have`),
    ],
    [
      'INSERT INTO registration_words SELECT account_number, word, created_at, 99, event_number, 1 FROM registration_words LIMIT 1',
      /a word is of no registration/,
    ],
    [`UPDATE registrations SET answers = '[' WHERE id = '${kept.id}'`, /answers of .* is not a JSON object/],
    [
      `UPDATE attendees SET code_id = (SELECT id FROM codes WHERE code = 'Backstage') WHERE id = '${ticket.id}'`,
      /code .* says 0 used, and 1 tickets/,
    ],
    ['UPDATE codes SET used = 7', /code .* says 7 used, and 0 tickets/],
    [`UPDATE attendees SET answers = '[]' WHERE id = '${ticket.id}'`, /answers of .* is not a JSON object/],
    [
      `UPDATE attendees SET answers = '{"shirt": "M"}' WHERE id = '${ticket.id}'`,
      new RegExp(`ticket ${ticket.id} has an answer whose key its event lacks`),
    ],
    [
      "DELETE FROM answer_keys WHERE key = 'constructor'",
      /registration .* has an answer whose key its event lacks/,
    ],
    [
      "UPDATE webhook_deliveries SET type = 'abstract.decided'",
      /delivery .* is not of the type and account of its event/,
    ],
    [attempt(3), /delivery .* says \d attempts, and has number 3/],
    [`${attempt(1)}; ${attempt(1)}`, /delivery .* has two attempts of one number/],
    [
      "UPDATE webhook_deliveries SET attempts = 8, status = 'pending'",
      /delivery .* is pending after 8 attempts/,
    ],
    [
      "UPDATE webhook_deliveries SET attempts = 0, status = 'failed', next_attempt_at = NULL",
      /delivery .* is failed after 0 attempts/,
    ],
    ["UPDATE webhook_events SET body = '{}'", /event evt_.* has a body with another id or type/],
    ["UPDATE webhook_events SET type = 'ping'", /event evt_.* has a body with another id or type/],
    [
      `UPDATE webhook_events SET body = replace(body, '"object":{"id":"${kept.id}"', '"object":{"id":"${ticket.id}"')`,
      new RegExp(`event evt_.* names registration ${ticket.id}, which is missing`),
    ],
    [
      `INSERT INTO webhook_events SELECT 'evt_z', account_id, type, replace(body, id, 'evt_z'), 1, 1 FROM webhook_events
       WHERE type = 'registration.cancelled'`,
      new RegExp(`is a duplicate: registration\\.cancelled of ${gone.id}`),
    ],
    [
      "UPDATE idempotent_responses SET body = 'x' WHERE idempotency_key = 'kept'",
      /answer kept for .* kept does not fit/,
    ],
    [
      "UPDATE idempotent_responses SET status = 201 WHERE idempotency_key = 'again'",
      /answer kept for Idempotency-Key again does not fit status 201/,
    ],
    [
      `UPDATE idempotent_responses SET body = replace(body, '${kept.id}', '${ticket.id}') WHERE idempotency_key = 'kept'`,
      new RegExp(`kept names registration ${ticket.id}, which is missing`),
    ],
    [
      `DELETE FROM registrations WHERE id = '${kept.id}'`,
      /row \d+ of attendees lacks its row of registrations/,
    ],
    ["UPDATE waitlist_entries SET order_id = 'o'", /entry .* of a waitlist has an order that is missing/],
    [
      `${orderOf('confirmed')}; UPDATE waitlist_entries SET order_id = 'o'`,
      /entry .* of a waitlist has an order that is missing, of another event/,
    ],
    ['DROP INDEX check_ins_by_event', /the schema lacks index check_ins_by_event of check_ins/],
    ['CREATE TRIGGER t AFTER INSERT ON check_ins BEGIN SELECT 1; END', /the schema has a strange trigger t/],
  ]
  for (const [index, [sql, found]] of damages.entries()) {
    const copy = join(folder, `${index}.db`)
    await backUp(path, copy)
    const connection = new SqliteConnection(copy)
    connection.pragma('foreign_keys = OFF')
    connection.pragma('ignore_check_constraints = ON')
    const before = connection.prepare('SELECT total_changes()').pluck().get()
    const cookie = connection.pragma('schema_version', { simple: true })
    connection.exec(sql)
    const changed =
      connection.prepare('SELECT total_changes()').pluck().get() !== before ||
      connection.pragma('schema_version', { simple: true }) !== cookie
    connection.close()
    assert.ok(changed, `It changes nothing: ${sql}`)
    const errors = await inspect(copy, findDamage)
    assert.match(errors.join('\n'), found, sql)
    for (const error of errors) assert.doesNotMatch(error, /Grace|example\.org/i)
  }
})

test('damage without end is told of in part', async t => {
  const { path, folder } = await prepare(t)
  const copy = join(folder, 'many.db')
  await backUp(path, copy)
  const connection = new SqliteConnection(copy)
  connection
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO idempotent_responses SELECT a.id, 'k' || i, 'f', 201, 'x', 1, 1 FROM n, (SELECT id FROM accounts LIMIT 1) a`,
    )
    .run()
  connection.close()
  const errors = await inspect(copy, findDamage)
  assert.equal(errors.length, 101)
  assert.equal(errors.at(-1), 'there may be more of this kind')
})

test('a file with a hole is reported, not thrown', async t => {
  const { path, folder } = await prepare(t)
  const copy = join(folder, 'holed.db')
  await backUp(path, copy)
  const bytes = readFileSync(copy)
  bytes.fill(0xff, 40_960, 45_056)
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
