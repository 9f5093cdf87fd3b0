import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { DAY } from '#base/time.ts'
import { routes } from '#faces/api/routes.ts'
import { buildProgram } from '#faces/cli/program.ts'
import { AccountTransaction } from '#machinery/db/account-transaction.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import * as keys from '#product/administration/keys/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { startWithEverything, withEverything } from '#test/fuzz/server.ts'
import { addUser } from '#test/product/administration/users/people.ts'
import { csvOf } from '#test/support/bank-statements.ts'
import { sellByTransfer } from '#test/support/banked.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { pathOf, requestsOf } from '#test/support/operations.ts'
import { findStrays, watchOwners } from '#test/support/owners.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'

/** Starts two organizers with one of each thing, and a client of the second. */
async function startWithTwo(t: Parameters<typeof startWithEverything>[0]) {
  const server = await startWithEverything(t)
  const other = await server.apply(withEverything('bob@example.org'))
  const ids = await server.idsOf(other)
  return { ...server, other: other.account_id, ids, client: await server.clientOf(other.account_id) }
}

test('each write of a request names the account of its caller, and changes no row of another', async t => {
  const { client, ids, other } = await startWithTwo(t)
  const seen = watchOwners(t)
  const writes = requestsOf(ids).filter(({ method }) => method === 'POST')
  assert.deepEqual(
    writes.map(({ operation }) => operation).sort(),
    routes.flatMap(({ kind, operationId }) => (kind === 'write' ? [operationId] : [])).sort(),
  )
  for (const request of writes) {
    const before = seen.length
    const headers = { 'idempotency-key': request.operation }
    const { status } = await client.post(pathOf(request), request.body, { headers })
    assert.ok([200, 201].includes(status), `${request.operation} -> ${status}`)
    assert.ok(seen.slice(before).some(({ accounts }) => accounts.length > 0))
  }
  // A refused request has its entry in the access log.
  assert.equal((await client.post(`/registrations/${UNKNOWN_ID}/cancel`)).status, 404)
  assert.deepEqual(findStrays(seen, other), [])
  // The last use of the key too.
  assert.equal(seen.filter(({ owner }) => owner === other).length, writes.length + 2)
})

/** These commands write nothing to an existing database, or concern no single account. */
const ofNoAccount = new Set([
  ...['account create', 'repair clock', 'restore', 'sandbox', 'serve'],
  ...[
    'account list',
    'backup',
    'check',
    'copy',
    'delivery list',
    'delivery show',
    'doctor',
    'event list',
    'export',
    'key list',
  ],
  // All mails of a server go out, or none.
  ...['mail dkim', 'mail hold', 'mail list', 'mail resume', 'mail show', 'mail test'],
  ...[
    'log list',
    'order list',
    'order show',
    'payments list',
    'payments show',
    'payments status',
    'statement list',
    'user list',
  ],
  ...['device list', 'scan export', 'scan list'],
  ...[],
  // A person is of no single account.
  'user reset',
  ...['healthy', 'help', 'openapi', 'version', 'waitlist list', 'webhook list'],
])

function namesOf(command: Command): string[] {
  if (command.commands.length === 0) return [command.name()]
  return command.commands.flatMap(namesOf).map(name => `${command.name()} ${name}`)
}

test('each write of a command names the account of the thing, and changes no row of another', async t => {
  const { app, clock, data, db, apply, applied } = await startWithEverything(t)
  const { account_id: other, events: others } = await apply(withEverything('bob@example.org'))
  // The deliveries of a server go over all accounts.
  await app.close()
  const done = new Set<string>()
  const seen = watchOwners(t)
  const turnout = async (name: string, ...args: string[]) => {
    let printed = ''
    const out = (text: string) => {
      printed += text
    }
    const before = seen.length
    const common = ['--data', data, '--json']
    await carryOut([...name.split(' '), ...args, ...common], { out, err: text => assert.fail(text), clock })
    assert.ok(
      seen.slice(before).some(({ accounts }) => accounts.length > 0),
      name,
    )
    done.add(name)
    return JSON.parse(printed)
  }
  await turnout('account update', '--account', other, '--name', 'Bob again')
  const scopes = ['--scopes', 'events:read']
  const key = await turnout('key create', '--account', other, '--name', 'door', ...scopes)
  await turnout('key revoke', key.id)
  const hook = ['--url', 'https://127.0.0.1:1/hook', '--types', 'ping', '--allow-insecure-webhooks']
  const endpoint = await turnout('webhook add', '--account', other, ...hook)
  const { delivery_id: delivery } = await turnout('webhook ping', endpoint.id)
  await turnout('delivery retry', delivery)
  await turnout('webhook update', endpoint.id, '--types', 'checkin.created')
  for (const name of ['disable', 'enable', 'secret', 'rotate', 'remove'])
    await turnout(`webhook ${name}`, endpoint.id)
  const bob = ['--account', other, '--email', 'bob@example.org']
  await turnout('user invite', ...bob, '--role', 'door')
  await addUser(db, other, 'bob@example.org')
  await turnout('user remove', ...bob)
  await db.write(other, tx =>
    queue(tx, testMail, { cause: 'c', recipient: 'bob@example.org', language: 'en' }),
  )
  const [mail] = await db.read(other, tx => emails.list(tx, {}, { limit: 1 }))
  await turnout('mail retry', mail?.id as string)
  await turnout('person erase', '--account', other, '--email', 'grace@example.org', '--yes')
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey('rk_test_organizer1234', { account: 'acct_organizer' })
  process.env.TURNOUT_STRIPE_API = standIn.origin
  t.after(() => {
    delete process.env.TURNOUT_STRIPE_API
  })
  const keyFile = join(temporaryFolder(t), 'key.txt')
  writeFileSync(keyFile, 'rk_test_organizer1234')
  const ofOther = ['--account', other]
  await turnout('payments connect', ...ofOther, '--key-file', keyFile, '--test-payments')
  await turnout('payments bank', ...ofOther, '--holder', 'Bob', '--iban', '1234567')
  await turnout('payments disconnect', ...ofOther, '--test-payments')
  const { id: eventId, registration_types: types } = others['spring-meeting'] as (typeof others)[string]
  await db.write(other, tx => events.update(tx, eventId, { ends_at: clock() + 30 * DAY }))
  const { order } = await sellByTransfer({ db, clock, accountId: other, eventId, types })
  const paid = await order({ Standard: 1 })
  await turnout('payments paid', paid.payment.id)
  await turnout('order refund', paid.id, '--amount', '1')
  const { data: owed } = await turnout('payments refund', paid.payment.id)
  await turnout('payments paid-back', owed[0].id)
  const unpaid = await order({ Standard: 1 })
  await turnout('order cancel', unpaid.id)
  await db.write(other, tx => events.update(tx, eventId, { requires_approval: true }))
  const waits = await order({ Standard: 1 }, { method: undefined })
  await turnout('order approve', waits.id)
  await db.write(other, tx =>
    tx.run("UPDATE refunds SET trouble = 'denied', charge_id = 'c' WHERE account_id = $1 AND amount = 100", [
      other,
    ]),
  )
  const [failed] = await db.read(other, tx => refunds.listOwed(tx, 1))
  await turnout('payments retry', failed?.id as string)

  await db.write(other, tx => events.update(tx, eventId, { requires_approval: false }))
  const { payment: part } = await order({ Standard: 1 })
  const full = await order({ Standard: 1 })
  await turnout('payments paid', full.payment.id)
  const { data: toDrop } = await turnout('payments refund', full.payment.id)
  await turnout('payments drop', toDrop[0].id)
  const { data: toPay } = await turnout('payments refund', full.payment.id)
  const day = new Date(clock()).toISOString().slice(5, 10)
  const booked = ['1.00', '2.00', '-50.00'].map(amount => ({ day, amount, number: amount }))
  const bank = join(temporaryFolder(t), 'bank.csv')
  writeFileSync(bank, csvOf(booked))
  const file = await turnout('statement import', bank, ...ofOther, '--guess', '--only-read')
  await turnout('statement start', file.id, ...ofOther)
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; amount: number }>('SELECT id, amount FROM statement_lines WHERE account_id = $1', [
      other,
    ]),
  )
  const lineOf = (amount: number) => rows.find(row => Number(row.amount) === amount)?.id as string
  await turnout('statement match', lineOf(100), part.id, ...ofOther)
  await turnout('statement undo', lineOf(100), ...ofOther)
  await turnout('statement ignore', lineOf(200), ...ofOther)
  await turnout('statement restore', lineOf(200), ...ofOther)
  await turnout('statement paid-back', lineOf(-5000), toPay[0].id, ...ofOther)

  const made = await turnout('device add', ...ofOther, '--event', eventId, '--name', 'Door')
  await turnout('device change', made.id, '--name', 'South door')
  await turnout('device pair', made.id)
  await turnout('device revoke', made.id)
  const ticket = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>(
      `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id
       WHERE r.account_id = $1 AND r.status = 'confirmed' AND a.voided = 0 LIMIT 1`,
      [other],
    ),
  )
  const at = clock()
  await db.write(other, tx =>
    scans.receive(
      tx,
      { deviceId: null, eventId, name: 'Door', typeIds: null, isRevoked: false },
      {
        ...{ id: 'scan', kind: 'scan', ticketId: ticket?.id as string, signedFor: eventId, deviceAt: at },
        ...{ offset: 0, at, shown: 'admitted', note: null },
      },
    ),
  )
  const carried = join(temporaryFolder(t), 'scans.jsonl')
  const io = { out: () => {}, err: (text: string) => assert.fail(text), clock }
  await carryOut(['scan', 'export', carried, ...ofOther, '--data', data, '--json'], io)
  await turnout('scan undo', 'scan', '--reason', 'Wrong person', ...ofOther)
  await db.write(other, async tx => {
    await tx.run('DELETE FROM scans WHERE account_id = $1', [other])
  })
  await turnout('scan import', carried)
  await db.write(other, tx =>
    scans.receive(
      tx,
      { deviceId: made.id, eventId, name: 'Door', typeIds: null, isRevoked: true },
      {
        ...{ id: 'held', kind: 'scan', ticketId: ticket?.id as string, signedFor: eventId, deviceAt: at },
        ...{ offset: 0, at, shown: 'admitted', note: null },
      },
    ),
  )
  await turnout('scan decide', 'dismiss', ...ofOther, '--event', eventId, '--all')
  assert.deepEqual(findStrays(seen, other), [])

  const program = buildProgram({ out: assert.fail, err: assert.fail, clock: testClock() })
  const all = program.commands.flatMap(namesOf).filter(name => !ofNoAccount.has(name))
  assert.deepEqual(all.filter(name => !done.has(name)).sort(), ['apply'])
  seen.length = 0
  await apply({ ...withEverything(), account: { ...withEverything().account, name: 'Ada again' } })
  assert.equal(seen.length, 1)
  assert.deepEqual(findStrays(seen, applied.account_id), [])
})

test('an account that is being made, and none but it, is written in the name of the instance', async t => {
  const { apply } = await startWithEverything(t)
  const seen = watchOwners(t)
  const { account_id: made } = await apply(withEverything('bob@example.org'))
  assert.deepEqual(seen, [{ owner: INSTANCE, accounts: [made] }])
})

test('a write that names another account, or none, is seen', async t => {
  const { db, applied, other } = await startWithTwo(t)
  const own = applied.account_id
  const seen = watchOwners(t)
  const [key] = await db.read(own, tx => keys.list(tx))
  const mark = (owner: string | typeof INSTANCE) =>
    db.write(owner, tx => keys.markUsed(new AccountTransaction(tx, own), key?.id as string, 1))
  await mark(own)
  assert.deepEqual(findStrays(seen, own), [])
  await mark(other)
  await mark(INSTANCE)
  await db.write(other, async () => undefined)
  assert.deepEqual(findStrays(seen, own), [
    { owner: other, accounts: [own] },
    { owner: INSTANCE, accounts: [own] },
    { owner: other, accounts: [] },
  ])
})
