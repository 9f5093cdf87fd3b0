import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, toIso } from '#base/time.ts'
import { keepAnswer } from '#faces/api/idempotency.ts'
import { noMapping } from '#machinery/bank-files/mapping.ts'
import { keyOf } from '#machinery/bank-files/statement.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { setOwn } from '#machinery/mail/own-texts.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import * as receipts from '#product/administration/sent-forms/rules.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import * as users from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { totpCode } from '#product/administration/users/totp.ts'
import { retryDelivery } from '#product/administration/webhooks/deliveries.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { instants } from '#product/data-care/integrity/instant-store.ts'
import { putBack } from '#product/data-care/integrity/instants.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { countEvent } from '#product/reporting/figures/count.ts'
import * as figures from '#product/reporting/figures/rules.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { addUser, HOME, ORIGIN } from '#test/product/administration/users/people.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { DOOR } from '#test/support/door/door.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { insertFile } from '#test/support/files.ts'
import { png } from '#test/support/pictures.ts'
import { addProgramme } from '#test/support/programme.ts'
import { snapshotOf } from '#test/support/receipts.ts'
import { addReview } from '#test/support/reviews.ts'
import { readSchema } from '#test/support/schema-tables.ts'
import { addSubmission } from '#test/support/submissions.ts'

/** What the bank line of these rows is known by. */
const line = { date: '2026-11-01', amount: 100, currency: 'EUR', counterparty: 'Ada', text: 'RF18' }
const lineKey = keyOf(line, 1)

/** Returns every BIGINT column of the schema that is no amount of money, by table. */
function instantColumns(): Record<string, string[]> {
  return Object.fromEntries(
    readSchema().map(({ name: table, columns }) => [
      table,
      columns.filter(({ name, type }) => type === 'BIGINT' && !NUMBERS.has(name)).map(({ name }) => name),
    ]),
  )
}

/** These columns hold large numbers that are no instants. */
const NUMBERS = new Set([
  'amount',
  'amount_subtotal',
  'amount_total',
  'processor_fee',
  'refunded_amount',
  'amount',
  'received',
  'fee',
  'net',
  'difference',
  'totp_last_step',
  'write_number',
  'number',
  'clock_offset',
  // The clock of a phone says this instant.
  'device_at',
])

/** A person sets these, and they may lie ahead for as long as people like. */
const PERSONAL_COLUMNS: Record<string, string[]> = {
  api_keys: ['expires_at'],
  calls: ['opens_at', 'closes_at', 'reminded_for'],
  codes: ['valid_from', 'valid_until'],
  events: ['starts_at', 'ends_at', 'names_locked_at', 'cancel_until', 'reminded_for'],
  jobs: ['not_before'],
  review_rounds: ['closes_at', 'reminded_for'],
  abstracts: ['confirm_by'],
  programme_sessions: ['starts_at', 'ends_at'],
  programmes: ['texts_from'],
  registration_types: ['sales_start', 'sales_end', 'valid_from', 'valid_until'],
  submitters: ['late_until'],
}

test('every instant of the schema is either put back or set by a person', () => {
  const covered = Object.fromEntries(
    Object.entries(instants).map(([table, columns]) => [
      table,
      [...Object.keys(columns), 'created_at', 'updated_at', ...(PERSONAL_COLUMNS[table] ?? [])].sort(),
    ]),
  )
  const found = instantColumns()
  for (const columns of Object.values(found)) columns.sort()
  assert.deepEqual(covered, found)
})

const TOTP_SECRET = 'A'.repeat(32)

/** Prepares a folder with a row in every table. */
async function prepare(t: TestContext) {
  const line = commandLine(t)
  const { data, clock } = line
  const db = await openTestDatabase(t, { data, clock })
  const { account_id: accountId } = await applyOrganization(db, everything(), { clock })
  assert.ok(accountId !== null)
  const [event] = await db.read(accountId, tx => events.listAll(tx))
  const eventId = event?.id as string
  await addSubmission({ db, accountId, eventId, clock })
  await addReview({ db, accountId, eventId, clock })
  await addProgramme({ db, accountId, eventId, clock })
  const input = { name: 'k', scopes: [], expiresAt: clock() + 9 * DAY, rateLimit: 0 }
  await db.write(accountId, async tx => {
    const { id } = await keys.create(tx, input)
    await keys.markUsed(tx, id, clock())
    await keys.revoke(tx, id)
    const endpoint = await webhooks.addEndpoint(tx, {
      url: 'http://127.0.0.1:9/',
      types: ['ping'],
    })
    await webhooks.rotateSecret(tx, endpoint.id)
    await retryDelivery(tx, await webhooks.ping(tx, endpoint.id))
    await tx.run(
      `INSERT INTO webhook_attempts (id, delivery_id, duration_ms, created_at, updated_at)
       SELECT 'a', id, 1, $1, $1 FROM webhook_deliveries LIMIT 1`,
      [clock()],
    )
    for (const key of ['one', 'two']) {
      const request = { accountId, key, fingerprint: '' }
      await keepAnswer(tx, request, { status: 404, body: '{"error":{}}' })
    }
    await pictures.put(tx, eventId, pictures.examine(png()))
    await looks.setColour(tx, eventId, '#c0392b')
    await series.setSeries(tx, eventId, (await series.create(tx, { name: 'Meetings' })).id)
    await insertFile(tx, eventId, { replacedAt: clock() })
    await tx.run(
      `INSERT INTO event_picture_sizes SELECT event_id, account_id, 'page', 480, 270, hash, 'image/webp', content, created_at,
         updated_at FROM event_pictures`,
    )
    await tx.run(
      `INSERT INTO answer_keys (account_id, event_id, key, created_at, updated_at)
       SELECT account_id, id, 'added', $1, $1 FROM events`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO jobs (id, account_id, kind, input, state, done, started_by, lease_until, created_at, updated_at)
       VALUES ('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e40', $1, 'guests.check', '{}', 'running', 0, 'cli', $2, $2, $2)`,
      [accountId, clock()],
    )
    await tx.run(
      `INSERT INTO import_lines (job_id, line, input, fate, details, created_at, updated_at)
       SELECT id, 1, '[]', 'read', '{}', $1, $1 FROM jobs`,
      [clock()],
    )
    await tx.run('UPDATE instance SET heartbeat_at = $1, held_at = $1', [clock()])
    await tx.run(
      `INSERT INTO announcements (id, account_id, event_id, subject, body, audience, created_by, created_at, updated_at)
       SELECT id, account_id, id, 'S', 'B', '{}', 'cli', $1, $1 FROM events`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO orders SELECT id, account_id, event_id, 'A', 'confirmed', NULL, NULL, 'Ada', 'ada@example.org', 'ada@example.org', 'en',
         currency, amount_total, NULL, 'form', 1, NULL, $1, NULL, $1, $1, NULL, $1, NULL, NULL, NULL, NULL FROM registrations WHERE status = 'confirmed' LIMIT 1`,
      [clock()],
    )
    await tx.run('UPDATE registrations SET order_id = id WHERE id IN (SELECT id FROM orders)')
    await tx.run(
      `UPDATE attendees SET (price, discount, tax, tax_basis_points) = (SELECT amount_subtotal / quantity,
         (amount_subtotal - amount_total) / quantity, 0, 0
         FROM registrations r WHERE r.id = registration_id) WHERE registration_id IN (SELECT id FROM orders)`,
    )
    await tx.run(
      `UPDATE ledger_entries SET order_id = registration_id, registration_id = NULL
         WHERE registration_id IN (SELECT id FROM orders)`,
    )
    await tx.run(
      `INSERT INTO payments SELECT id, account_id, event_id, id, 'test', 'cancelled', currency, amount_total, 0, NULL, 's', 'c', '{}', NULL, $1, $1,
         0, NULL, $1, NULL, NULL, $1, $1 FROM orders`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO refunds SELECT id, account_id, event_id, id, NULL, NULL, 'test', 'c', 'failed', currency, 100, 'organizer', NULL, NULL, 'r',
         '{}', $1, 0, NULL, $1, $1, $1 FROM orders`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO payment_connections SELECT id, 'stripe', NULL, 'rk_live_1', 1, 'acct_1', 'Ada', NULL, NULL, NULL, NULL, '1', $1, NULL, 0, $1, $1
         FROM accounts`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO orphan_payments SELECT id, 'cs_1', 'ch_1', 100, 'EUR', $1, 'found', NULL, NULL, NULL, $1, $1 FROM accounts`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO disputes SELECT 'du_1', account_id, event_id, order_id, id, 'ch_1', 'warning', 'general', currency, 0, $1, 0, $1, NULL, $1, $1
         FROM payments`,
      [clock()],
    )
    for (const row of [
      `payouts SELECT 'po_1', id, 100, 'EUR', 'paid', '2026-11-01', 'complete', 1, 100, 0, $1, $1, $1`,
      `payout_lines SELECT 'txn_1', id, 'po_1', 'payment', 'charge', 110, 10, 100, 'ch_9', $1, $1, $1`,
      `payout_readings SELECT id, NULL, $1, $1, $1`,
    ])
      await tx.run(`INSERT INTO ${row} FROM accounts`, [clock()])
    await tx.run(
      `INSERT INTO statement_mappings SELECT id, '${JSON.stringify({ ...noMapping, date: 'Date' })}', $1, $1 FROM accounts`,
      [clock()],
    )
    await tx.run(`INSERT INTO statement_files SELECT account_id, id, 0, 'QQ==', $1, $1 FROM jobs`, [clock()])
    await tx.run(
      `INSERT INTO statement_lines SELECT id, account_id, '${lineKey}', id, 2, '2026-11-01', 100, currency, 'Ada', 'RF18', 'b',
         'unmatched', 'double', NULL, id, NULL, NULL, NULL, $1, $1, $1 FROM payments`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO test_sessions SELECT 's', account_id, id, id, 'paid', 0, currency, amount, 5, '[]', $1, $1, $1, $1 FROM payments`,
      [clock()],
    )
    await tx.run(
      `INSERT INTO receipts SELECT id, account_id, 'receipt', 1, NULL, NULL, id, event_id, 'pay', NULL, 100, currency, $1, $2, $1, $1, NULL
         FROM orders`,
      [clock(), JSON.stringify(snapshotOf({ total: 100, issued_at: new Date(clock()).toISOString() }))],
    )
    await tx.run(`INSERT INTO mail_turns SELECT id, id, 'n', 'buyers', id, $1, $1, $1 FROM accounts`, [
      clock(),
    ])
    const recipient = 'ada@example.org'
    await queue(tx, invitationMail, { cause: 'c', recipient, language: 'en' })
    await emails.unsubscribe(tx, recipient)
  })
  const { user } = await addUser(db, accountId, 'bob@example.org', 'door', [eventId])
  const counted = await countEvent(db, accountId, { id: eventId, timezone: 'UTC' })
  await db.write(accountId, async tx => {
    const [type] = await registrationTypes.listDetails(tx, eventId)
    const room = { name: 'room', capacity: 100, registration_type_ids: [type?.id as string] }
    await registrationTypes.createPool(tx, eventId, room)
    const text = { language: 'en', subject: 'S', body: 'B' } as const
    await setOwn(tx, eventId, invitationMail, text)
    await figures.keep(tx, eventId, { state: '', counted, countedAt: clock() })
    await receipts.keep(tx, { userId: user.id, formId: 'once', location: '/manage' })
    const door = { ...DOOR, event_id: eventId }
    await tx.run('UPDATE devices SET paired_at = $1 WHERE id = $2', [
      clock(),
      (await doors.add(tx, door, '')).id,
    ])
    await tx.run(
      `INSERT INTO scans (id, account_id, event_id, door, kind, attendee_id, by_hand, device_at, clock_offset, scanned_at, outcome,
         number, created_at, updated_at)
       SELECT 's', $1, $2, 'd', 'scan', 'a', 0, $3, 0, $3, 'refused', 1, $3, $3`,
      [accountId, eventId, clock()],
    )
    await tx.run(
      `INSERT INTO entries (attendee_id, slot, account_id, event_id, entered_at, created_at, updated_at)
       SELECT c.attendee_id, '-/0', c.account_id, c.event_id, $1, $1, $1 FROM check_ins c ORDER BY c.id LIMIT 1`,
      [clock()],
    )
    await attendees.noteEventAtDoors(tx, eventId)
  })
  await db.write(INSTANCE, async tx => {
    const code = totpCode(TOTP_SECRET, Math.floor(clock() / 30_000))
    await users.enableSecondFactor(tx, user.id, TOTP_SECRET, code, ORIGIN)
    await sessions.open(tx, user.id, HOME)
  })
  return { ...line, db, accountId }
}

/** Returns what the repair of a clock leaves as it is. */
function withoutInstants(row: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => !name.endsWith('_at')))
}

/** Returns every row of every table. */
async function readAll(db: Database): Promise<Record<string, Record<string, unknown>[]>> {
  const all: Record<string, Record<string, unknown>[]> = {}
  for (const table of Object.keys(instants)) {
    const rows = await db.read(INSTANCE, tx => tx.all<Record<string, unknown>>(`SELECT * FROM ${table}`))
    all[table] = rows.sort((one, other) => (withoutInstants(one) < withoutInstants(other) ? -1 : 1))
  }
  return all
}

test('dates in the future, in any column of any table, are set back to now, and the rest stays', async t => {
  const { db, json, clock } = await prepare(t)
  assert.deepEqual(await json('repair', 'clock'), {
    now: toIso(clock()),
    dry_run: false,
    rows: 0,
    tables: {},
  })
  const before = await readAll(db)
  const columns = instantColumns()
  await db.write(INSTANCE, async tx => {
    for (const [table, names] of Object.entries(columns)) {
      for (const name of names) {
        if (PERSONAL_COLUMNS[table]?.includes(name)) continue
        await tx.run(`UPDATE ${table} SET ${name} = ${name} + $1`, [3653 * DAY])
      }
    }
  })
  clock.advance(HOUR)
  const now = clock()

  const { tables, rows } = await json('repair', 'clock')
  const counts = Object.entries(before)
    // No scan waits for a decision.
    .filter(([table]) => table !== 'scan_cases')
    .map(([table, { length }]) => [table, length])
  assert.deepEqual(tables, Object.fromEntries(counts))
  assert.equal(
    rows,
    Object.values(before).reduce((sum, { length }) => sum + length, 0),
  )
  const after = await readAll(db)
  for (const [table, names] of Object.entries(columns)) {
    for (const [at, row] of (before[table] ?? []).entries()) {
      const expected = { ...row }
      for (const name of names) {
        if (row[name] !== null && !PERSONAL_COLUMNS[table]?.includes(name)) expected[name] = now
      }
      if (table === 'instance') {
        // The epoch has changed, so that doors copy their lists again.
        const [{ epoch, write_number }] = after.instance as [Record<string, unknown>]
        assert.notEqual(epoch, row.epoch)
        Object.assign(expected, { epoch, epoch_at: now, write_number })
      }
      const found =
        table === 'access_log' ? after[table]?.find(({ id }) => id === row.id) : after[table]?.[at]
      assert.deepEqual(found, expected, table)
    }
  }
  assert.deepEqual(await json('check'), { ok: true, errors: [] })
  assert.equal((await json('repair', 'clock')).rows, 0)
})

test('a row without an instant ahead is not touched, nor what may lie ahead for a while', async t => {
  const { db, turnout, data, clock } = await prepare(t)
  await db.write(INSTANCE, async tx => {
    await tx.run('UPDATE accounts SET updated_at = $1', [clock() + HOUR])
    // The previous secret signs on, a retry comes in time, a claim is held.
    await tx.run('UPDATE webhook_deliveries SET next_attempt_at = $1 WHERE next_attempt_at IS NOT NULL', [
      clock() + DAY,
    ])
    await tx.run('UPDATE webhook_deliveries SET manual_attempt_at = $1 WHERE manual_attempt_at IS NOT NULL', [
      clock() + 20_000,
    ])
  })
  const before = await readAll(db)
  assert.deepEqual(await turnout('repair', 'clock', '--data', data), {
    code: 0,
    out: `TABLE     ROWS\naccounts  1\nSet 1 row back to now, ${toIso(clock())}.\n`,
    err: '',
  })
  const { access_log: log, instance, ...after } = await readAll(db)
  const [account] = before.accounts as [Record<string, unknown>]
  const { access_log: _, instance: wasInstance, ...others } = before
  // Each write counts.
  const unnumbered = (rows: object[] = []) => rows.map(row => ({ ...row, write_number: 0 }))
  assert.deepEqual(unnumbered(instance), unnumbered(wasInstance))
  assert.deepEqual(after, { ...others, accounts: [{ ...account, updated_at: clock() }] })
  assert.equal(log?.length, (before.access_log?.length ?? 0) + 1)
})

test('a dry run says the same, and writes nothing', async t => {
  const { db, json, turnout, data, clock } = await prepare(t)
  await db.write(INSTANCE, tx => tx.run('UPDATE attendees SET created_at = $1', [clock() + 2 * DAY]))
  const before = await readAll(db)
  const { tables, ...rest } = await json('repair', 'clock', '--dry-run')
  assert.deepEqual(rest, { now: toIso(clock()), dry_run: true, rows: before.attendees?.length })
  assert.deepEqual(tables, { attendees: before.attendees?.length })
  const { out } = await turnout('repair', 'clock', '--dry-run', '--data', data)
  assert.match(
    out,
    /^TABLE +ROWS\nattendees +\d+\n\d+ rows would be set back to now, .*Nothing was written\.\n$/,
  )
  assert.deepEqual(await readAll(db), before)
})

test('each account has an entry in its access log that says what was put back', async t => {
  const { db, json, accountId, clock } = await prepare(t)
  const other = await json('account', 'create', '--name', 'Bob', '--email', 'bob@example.org')
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET latest_write_at = $1', [clock() + 2 * DAY]))
  await json('repair', 'clock')
  for (const id of [accountId, other.id]) {
    const [entry] = (await json('log', 'list', '--account', id)).data
    const { at, actor, action, target_type: type, target_id: target, details } = entry
    const now = toIso(clock())
    assert.deepEqual(
      [at, actor, action, type, target, details],
      [now, 'cli', 'clock.repair', 'account', id, { now, rows: { instance: 1 } }],
    )
  }
})

const MANY = 1_201

/** Inserts more rows than one write takes, with both kinds of keys and all of them ahead. */
async function fill(db: Database, accountId: string, at: number): Promise<void> {
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)'
  await db.write(accountId, async tx => {
    await tx.run(
      `${numbers} INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
       SELECT 'old-' || i, $1, 'old', 'test', 'test', '{}', $3, $3 FROM n`,
      [accountId, MANY, at],
    )
    await tx.run(
      `${numbers} INSERT INTO idempotent_responses
         (account_id, idempotency_key, fingerprint, status, body, created_at, updated_at)
       SELECT a.id, 'key-' || i, '', 404, '{"error":{}}', $3, $3 FROM n, accounts a WHERE $1 <> ''`,
      [accountId, MANY, at],
    )
  })
}

test('many rows are put back in short writes, and one that broke off is finished by the next', async t => {
  const { db, json, accountId, clock } = await prepare(t)
  await db.write(INSTANCE, tx =>
    accounts.create(tx, {
      name: 'Bob',
      email: 'bob@example.org',
      timezone: 'UTC',
      currency: 'EUR',
      service_fee: accounts.NO_SERVICE_FEE,
    }),
  )
  await fill(db, accountId, clock() + 2 * DAY)
  const changed: number[] = []
  const write = db.write.bind(db)
  const mocked = t.mock.method(db, 'write', async (...given: Parameters<Database['write']>) => {
    if (changed.length === 3) throw new Error('The power went.')
    const result = await write(...given)
    changed.push(result as number)
    return result
  })
  await assert.rejects(putBack(db, clock), /The power went/)
  mocked.mock.restore()
  assert.deepEqual(changed, [0, 500, 500])
  const { tables } = await json('repair', 'clock')
  assert.deepEqual(tables, { access_log: MANY, idempotent_responses: 2 * MANY - 1000 })
  assert.equal((await json('repair', 'clock', '--dry-run')).rows, 0)
})

test('a clock that is behind everything that was ever written puts nothing back', async t => {
  const { db, turnout, data, clock } = await prepare(t)
  const before = await readAll(db)
  clock.set('1970-01-01T00:05:00.000Z')
  for (const more of [[], ['--dry-run']]) {
    const { code, err } = await turnout('repair', 'clock', '--data', data, ...more)
    assert.equal(code, 1)
    assert.match(err, /The clock says 1970-01-01T00:05:00\.000Z, .*\. Set it right first\./)
  }
  assert.deepEqual(await readAll(db), before)
})
