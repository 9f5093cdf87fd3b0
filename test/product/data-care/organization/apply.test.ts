import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { previewOrganization } from '#product/data-care/organization/apply.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { readEventTypes } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { everything } from './everything.ts'
import { assertEmpty, open } from './open.ts'

test('a file makes the organization, and the same file again changes nothing', async t => {
  const { apply, db, clock, count } = await open(t)
  const first = await apply(everything())
  assert.equal(first.created, 34)
  assert.equal(first.updated + first.kept, 0)
  assert.equal(first.changes.length, 34)
  assert.ok(first.changes.includes('created event spring-meeting'))
  const before = await db.read(INSTANCE, tx => tx.all('SELECT * FROM registrations ORDER BY id'))
  clock.advance(60_000)

  const again = await apply(everything())
  assert.deepEqual([again.created, again.updated, again.kept], [0, 0, 34])
  assert.deepEqual(again.changes, [])
  const { created: _, kept: __, changes: ___, ...ids } = first
  assert.deepEqual({ ...again, ...ids }, again)
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT * FROM registrations ORDER BY id')), before)
  assert.equal(await count('access_log'), 1)
})

test('an apply is in the access log with its counts', async t => {
  const { apply, db } = await open(t)
  const { account_id: accountId } = await apply(organization())
  const [entry, ...others] = await db.read(accountId, tx => accessLog.list(tx, 10))
  assert.deepEqual(others, [])
  assert.deepEqual(
    [entry?.actor, entry?.action, entry?.target_id, entry?.details],
    ['cli', 'organization.apply', accountId, { created: 4, updated: 0, kept: 0 }],
  )
})

test('account, events, types and webhooks are changed; registrations, waiting entries and abstracts are kept', async t => {
  const { apply, db } = await open(t)
  const file = everything()
  const { account_id: accountId, events, webhooks } = await apply(file)
  const [event] = file.events
  Object.assign(file.account, { name: 'Ada & Co', email: 'ada@EXAMPLE.org' })
  Object.assign(event ?? {}, { title: 'Autumn Meeting', venue: undefined })
  Object.assign(event?.registration_types?.[0] ?? {}, { price: 7000 })
  Object.assign(event?.registrations?.[0] ?? {}, { status: 'cancelled', attendees: null })
  Object.assign(event?.waitlist?.[0] ?? {}, { name: 'Somebody else' })
  Object.assign(event?.abstracts?.[1] ?? {}, { title: 'Another' })
  Object.assign(file.webhooks[0] ?? {}, { types: ['ping'] })

  const changed = await apply(file)
  assert.deepEqual(changed.changes, [
    'updated account ada@EXAMPLE.org (name, email)',
    'updated event spring-meeting (title, venue)',
    'updated registration type Standard of spring-meeting (price)',
    'updated webhook https://example.org/hook (types)',
  ])
  assert.deepEqual([changed.created, changed.updated, changed.kept], [0, 4, 30])
  assert.equal(changed.account_id, accountId)
  assert.deepEqual(changed.events, events)
  assert.deepEqual(changed.webhooks, webhooks)
  const id = events['spring-meeting']?.registrations.confirmed as string
  const kept = await db.read(accountId, tx => registrations.get(tx, id))
  assert.deepEqual([kept.status, kept.amount_subtotal, kept.quantity], ['confirmed', 9000, 2])
})

test('the account and a webhook keep what the file leaves out; an event falls back to its defaults', async t => {
  const { apply, db } = await open(t)
  await apply(everything())
  const changed = await apply({
    account: { name: 'Ada Événements 🎪', email: 'ada@example.org' },
    events: [{ slug: 'empty', title: 'Empty' }],
    webhooks: [{ url: 'https://example.org/quiet', types: ['ping'] }],
  })
  assert.deepEqual(changed.changes, ['updated account ada@example.org (email)'])
  const account = await db.read(INSTANCE, tx =>
    tx.one('SELECT timezone, service_fee_per_ticket FROM accounts'),
  )
  assert.deepEqual(account, { timezone: 'Europe/Madrid', service_fee_per_ticket: 30 })
  const quiet = await db.read(INSTANCE, tx =>
    tx.one("SELECT enabled FROM webhook_endpoints WHERE url = 'https://example.org/quiet'"),
  )
  assert.deepEqual(quiet, { enabled: 0 })
})

test('a file tells no subscriber of its registrations', async t => {
  const { apply, db } = await open(t)
  const { account } = everything()
  const { account_id: accountId } = await apply({ account })
  await subscribeToAll(db, accountId)
  const { created } = await apply(everything())
  assert.ok(created > 20, `${created} created`)
  // The ping greets the endpoint of the file.
  assert.deepEqual(await readEventTypes(db), ['ping'])
})

test('omitted fields of a registration have their defaults', async t => {
  const { apply, db } = await open(t)
  const file = organization({
    event: {
      registrations: [
        registration('least'),
        registration('two', { attendees: [{ name: 'Ann' }, { name: 'Bob' }], amount_total: 1 }),
        registration('three', { quantity: 3, status: null, answers: null, created_at: null }),
        registration('gone', { status: 'refunded', amount_total: 7, created_at: '2026-01-01T00:00:00Z' }),
      ],
    },
  })
  const { account_id: accountId, events } = await apply(file)
  const ids = events['spring-meeting']?.registrations ?? {}
  const get = (reference: string) => db.read(accountId, tx => registrations.get(tx, ids[reference] as string))
  const now = '2026-11-21T12:00:00.000Z'
  const least = await get('least')
  assert.deepEqual(
    [least.status, least.quantity, least.amount_subtotal, least.amount_total, least.currency, least.source],
    ['confirmed', 1, 5000, 0, 'EUR', 'api'],
  )
  assert.deepEqual([least.created_at, least.confirmed_at, least.answers], [now, now, {}])
  assert.deepEqual(
    least.attendees.map(({ name, email, seat }) => [name, email, seat]),
    [['Grace', 'grace@example.org', null]],
  )
  const two = await get('two')
  assert.deepEqual([two.quantity, two.amount_subtotal, two.source], [2, 10_000, 'checkout'])
  assert.deepEqual(
    two.attendees.map(({ name, email }) => [name, email]),
    [
      ['Ann', null],
      ['Bob', null],
    ],
  )
  assert.deepEqual(
    (await get('three')).attendees.map(({ name }) => name),
    ['Grace', 'Grace', 'Grace'],
  )
  const refund = await db.read(INSTANCE, tx =>
    tx.one("SELECT confirmed_at, refunded_at, refunded_amount FROM registrations WHERE status = 'refunded'"),
  )
  const instant = Date.parse('2026-01-01T00:00:00Z')
  assert.deepEqual(refund, { confirmed_at: instant, refunded_at: instant, refunded_amount: 7 })
})

test('a dry run says the same and writes nothing', async t => {
  const server = await open(t)
  const preview = (file: object) => previewOrganization(server.db, validateOrganization(file), server.clock)
  const dry = await preview(everything())
  await assertEmpty(server)
  const done = await server.apply(everything())
  assert.deepEqual([dry.created, dry.updated, dry.kept], [done.created, done.updated, done.kept])
  assert.deepEqual(dry.changes, done.changes)
  assert.deepEqual([dry.account_id, dry.events['spring-meeting']?.id], [null, null])
  assert.deepEqual(await preview(everything()), await server.apply(everything()))
  const nowhere = await previewOrganization(undefined, validateOrganization(everything()), server.clock)
  assert.deepEqual(nowhere, dry)
})

test('two processes that apply the same file at once make one organization', async t => {
  const one = await open(t)
  const other = await open(t, one.folder)
  const results = await Promise.all([one.apply(everything()), other.apply(everything())])
  assert.deepEqual(results.map(({ created }) => created).sort(), [0, 34])
  assert.deepEqual(results[0]?.events, results[1]?.events)
  assert.deepEqual(results[0]?.webhooks, results[1]?.webhooks)
  assert.equal(await one.count('registrations'), 6)
  assert.equal(await one.count('access_log'), 1)
})

test('tickets that were signed while another process made the key of the event are signed again', async t => {
  const one = await open(t)
  const other = await open(t, one.folder)
  const { account_id: accountId } = await one.apply(organization())
  const bring = (reference: string) => organization({ event: { registrations: [registration(reference)] } })
  await Promise.all([one.apply(bring('one')), other.apply(bring('two'))])
  const tickets = await one.db.read(INSTANCE, tx =>
    tx.all<{ id: string; qr_code: string }>('SELECT id, qr_code FROM attendees'),
  )
  assert.equal(tickets.length, 2)
  assert.equal(await one.count('ticket_keys'), 1)
  for (const { id, qr_code } of tickets) {
    const { ticketId } = await one.db.read(accountId, tx => attendees.verifyCode(tx, qr_code))
    assert.equal(ticketId, id)
  }
})

test('accounts are told apart by their e-mail, and events by their slug in the account', async t => {
  const { apply, count } = await open(t)
  const ada = await apply(organization())
  const bob = await apply(organization({ email: 'bob@example.org' }))
  assert.equal(bob.created, 4)
  assert.notEqual(ada.account_id, bob.account_id)
  assert.notEqual(ada.events['spring-meeting']?.id, bob.events['spring-meeting']?.id)
  assert.equal((await apply(organization({ email: 'BOB@example.org' }))).updated, 1)
  assert.equal(await count('accounts'), 2)
})

test('the secret of a webhook is made once', async t => {
  const { apply } = await open(t)
  const { webhooks } = await apply(everything())
  const secrets = Object.values(webhooks).map(({ secret }) => secret)
  assert.equal(new Set(secrets).size, 2)
  for (const secret of secrets) assert.match(secret, /^whsec_[\w-]{43}$/)
})
