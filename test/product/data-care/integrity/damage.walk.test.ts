import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOf, damageOf, isLookedFor } from '#test/support/engine.ts'
import { withRows } from '#test/support/rows.ts'
import { prepareBusy } from './busy.ts'

const SOME_ID = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'
const OTHER_ACCOUNT = `INSERT INTO accounts (id, name, email, email_key, timezone, currency, service_fee_basis_points,
  service_fee_per_ticket, created_at, updated_at, number) VALUES ('${SOME_ID}', 'Other', 'other@example.org', 'other@example.org',
  'UTC', 'EUR', 0, 0, 1, 1, 9)`

test('a whole database has no damage, also while its server runs', async t => {
  const { data } = await prepareBusy(t)
  assert.deepEqual(await damageOf(data), [])
})

test('every kind of damage is found, and said with the id of what is damaged', async t => {
  const { data, kept, gone } = await prepareBusy(t)
  const [ticket, other] = kept.attendees
  const delivery = '(SELECT d.id FROM webhook_deliveries d LIMIT 1)'
  const attempt = (id: string, number: number) =>
    `INSERT INTO webhook_attempts VALUES ('${id}', ${delivery}, ${number}, 5, 200, NULL, NULL, 1, 1, '')`
  const orderOf = (status: string) =>
    `INSERT INTO orders SELECT 'o', account_id, id, 'A', '${status}', NULL, NULL, 'Ada', 'ada@example.org', 'ada@example.org', 'en',
       'EUR', 0, NULL, 'form', 1, NULL, NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL FROM events WHERE slug = 'other'`
  const damages: [sql: string | string[], found: RegExp][] = [
    ['DELETE FROM instance', /the row of the instance is missing/],
    [
      [
        OTHER_ACCOUNT,
        `INSERT INTO series VALUES ('${SOME_ID}', '${SOME_ID}', 'Meetings', 'meetings', 1, 1)`,
        `UPDATE events SET series_id = '${SOME_ID}' WHERE slug = 'other'`,
      ],
      /event .* is a date of a series of another account/,
    ],
    [
      `INSERT INTO series SELECT '${SOME_ID}', account_id, 'Meetings', slug, 1, 1 FROM events WHERE slug = 'other'`,
      new RegExp(`event .* and series ${SOME_ID} have the same slug`),
    ],
    [
      `INSERT INTO series SELECT '${SOME_ID}', id, 'Meetings', 'meetings', 1, 1 FROM accounts LIMIT 1`,
      new RegExp(`series ${SOME_ID} has no date`),
    ],
    [
      [
        `INSERT INTO series SELECT '${SOME_ID}', account_id, 'Meetings', 'meetings', 1, 1 FROM events WHERE slug = 'other'`,
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
         INSERT INTO events (id, account_id, slug, title, timezone, currency, status, visibility, requires_approval,
           created_at, updated_at, number, series_id)
         SELECT 'e' || i, account_id, 'n-' || i, title, timezone, currency, status, visibility, 0, 1, 1, 1000 + i, '${SOME_ID}'
         FROM n, events WHERE slug = 'other'`,
      ],
      new RegExp(`series ${SOME_ID} has 501 dates, more than 500`),
    ],
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
      `UPDATE registration_words SET word = 'ada' || word WHERE registration_number =
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
    [attempt('a', 3), /delivery .* says \d attempts, and has number 3/],
    [[attempt('a', 1), attempt('b', 1)], /delivery .* has two attempts of one number/],
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
      /row \S+ of attendees lacks its row of registrations/,
    ],
    ["UPDATE waitlist_entries SET order_id = 'o'", /entry .* of a waitlist has an order that is missing/],
    [
      [orderOf('confirmed'), "UPDATE waitlist_entries SET order_id = 'o'"],
      /entry .* of a waitlist has an order that is missing, of another event/,
    ],
  ]
  for (const [damage, found] of damages.filter(([, found]) => isLookedFor(found))) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => {
      await rows.uncheck()
      for (const sql of [damage].flat()) assert.ok((await rows.run(sql)) > 0, `It changes nothing: ${sql}`)
    })
    const errors = await damageOf(copy)
    assert.match(errors.join('\n'), found, String(damage))
    for (const error of errors) assert.doesNotMatch(error, /Grace|example\.org/i)
  }
})

test('damage without end is told of in part', async t => {
  const { data } = await prepareBusy(t)
  await withRows(data, rows =>
    rows.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO idempotent_responses SELECT a.id, 'k' || i, 'f', 201, 'x', 1, 1 FROM n, (SELECT id FROM accounts LIMIT 1) a`,
    ),
  )
  const errors = await damageOf(data)
  assert.equal(errors.length, 101)
  assert.equal(errors.at(-1), 'there may be more of this kind')
})
