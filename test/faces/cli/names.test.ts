import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { isApiKey } from '#product/administration/keys/api-key.ts'
import { openDatabase } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { assertRefused, commandLine } from './turnout.ts'

const waiting = { reference: 'w', registration_type: 'Free', name: 'Wes', email: 'wes@example.org' }
const KEY = ['key', 'create', '--name', 'door', '--scopes', 'events:read']

/** One account, and a way to bring another with the same slug. */
async function withAccount(t: TestContext) {
  const cli = commandLine(t)
  const bring = (email: string) =>
    cli.json(
      'apply',
      cli.write('organization.json', organization({ email, event: { waitlist: [waiting] } })),
      '--new-account',
    )
  const { account_id: id, events } = await bring('Ada@example.org')
  const on = (...argv: string[]) => cli.turnout(...argv, '--data', cli.data)
  return { ...cli, id, eventId: events['spring-meeting'].id as string, bring, on }
}

test('--account may be left out where there is one account, in every command that takes one', async t => {
  const { json, id } = await withAccount(t)
  const hook = ['--url', 'https://127.0.0.1:1/hook', '--types', 'ping', '--allow-insecure-webhooks']
  assert.ok(isApiKey((await json(...KEY)).key))
  assert.equal((await json('key', 'list')).data.length, 1)
  const { id: hookId } = await json('webhook', 'add', ...hook)
  assert.deepEqual(
    (await json('webhook', 'list')).data.map((row: { id: string }) => row.id),
    [hookId],
  )
  assert.equal((await json('export')).account.email, 'Ada@example.org')
  assert.equal((await json('event', 'list')).data[0].slug, 'spring-meeting')
  const { data: log } = await json('log', 'list')
  assert.deepEqual(log, (await json('log', 'list', '--account', id)).data)
  assert.deepEqual(
    log.map(({ action }: { action: string }) => action),
    ['webhook.add', 'key.create', 'organization.apply'],
  )
})

test('--account takes an e-mail in any case, or an id in any case, and nothing else', async t => {
  const { json, on, id, data } = await withAccount(t)
  for (const name of ['ada@EXAMPLE.org', ' ada@example.org ', id, id.toUpperCase()]) {
    assert.equal((await json('export', '--account', name)).account.email, 'Ada@example.org', name)
  }
  for (const name of ['ada', '', 'x'.repeat(2_000)]) {
    assertRefused(
      await on('export', '--account', name),
      /^error: --account must be the e-mail or the id of an account\.\n$/,
    )
  }
  assertRefused(
    await on('export', '--account', 'bob@example.org'),
    /^error: There is no account bob@example\.org\.\n$/,
  )
  assertRefused(await on('export', '--account', UNKNOWN_ID), /^error: There is no account [0-9a-f-]{36}\.\n$/)
  assertRefused(
    await on('export', '--account', 'x', '--data', `${data}-2`),
    /^error: --account must be the e-mail or the id of an account\.\n$/,
  )
  assert.equal(existsSync(`${data}-2`), false)
})

test('where there are several accounts, --account may not be left out; where there is none, it is said how to make one', async t => {
  const { on, json, bring, turnout, folder } = await withAccount(t)
  await bring('bob@example.org')
  const commands = [KEY, ['key', 'list'], ['log', 'list'], ['webhook', 'list'], ['export'], ['event', 'list']]
  for (const argv of commands) {
    assertRefused(
      await on(...argv),
      /^error: There are 2 accounts\. Add --account with the e-mail or the id of one; "turnout account list" shows them\.\n$/,
    )
  }
  assert.equal((await json('key', 'list', '--account', 'bob@example.org')).data.length, 0)
  const empty = `${folder}/empty`
  // A server that has just begun has a database, and no account in it.
  await (await openDatabase(empty, Date.now)).close()
  for (const argv of commands) {
    assertRefused(
      await turnout(...argv, '--data', empty),
      /^error: There is no account yet\. Make one with "turnout account create" or "turnout apply"\.\n$/,
    )
  }
})

test('--event takes a slug or an id; a slug of several accounts wants --account', async t => {
  const { json, on, bring, eventId } = await withAccount(t)
  const wait = async (...flags: string[]) => (await json('waitlist', 'list', ...flags)).data.length
  for (const name of ['spring-meeting', eventId, eventId.toUpperCase()]) {
    assert.equal(await wait('--event', name), 1, name)
    assert.equal(await wait('--event', name, '--account', 'ada@example.org'), 1, name)
  }
  const { events } = await bring('bob@example.org')
  assertRefused(
    await on('waitlist', 'list', '--event', 'spring-meeting'),
    /^error: There is an event spring-meeting in 2 accounts\. Add --account with the e-mail or the id of one\.\n$/,
  )
  assert.equal(await wait('--event', 'spring-meeting', '--account', 'bob@example.org'), 1)
  // An id is of one account, and of no other.
  assert.equal(await wait('--event', eventId), 1)
  assertRefused(
    await on('waitlist', 'list', '--event', events['spring-meeting'].id, '--account', 'ada@example.org'),
    /^error: There is no event [0-9a-f-]{36} in this account\.\n$/,
  )
  assertRefused(
    await on('waitlist', 'list', '--event', 'autumn', '--account', 'ada@example.org'),
    /^error: There is no event autumn in this account\.\n$/,
  )
  assertRefused(await on('waitlist', 'list', '--event', 'autumn'), /^error: There is no event autumn\.\n$/)
  for (const name of ['Spring Meeting', '', 'x'.repeat(81)]) {
    assertRefused(
      await on('waitlist', 'list', '--event', name),
      /^error: --event must be the slug or the id of an event\.\n$/,
    )
  }
})

test('an id names its event before a slug that looks like it', async t => {
  const { json, write, eventId } = await withAccount(t)
  const email = 'bob@example.org'
  await json('apply', write('two.json', organization({ email, event: { slug: eventId } })))
  assert.equal((await json('waitlist', 'list', '--event', eventId)).data.length, 1)
  assert.deepEqual((await json('waitlist', 'list', '--event', eventId, '--account', email)).data, [])
})

test('event list shows the events of one account, with what is sold of their capacity', async t => {
  const { json, write, on, bring } = await withAccount(t)
  await bring('bob@example.org')
  const free = { name: 'Free', price: 0, capacity: 7 }
  const autumn = {
    slug: 'autumn',
    title: 'Autumn Meeting',
    status: 'draft',
    registration_types: [free, { ...free, name: 'Staff', capacity: 3 }],
    registrations: [
      registration('one', { registration_type: 'Free', quantity: 2 }),
      registration('two', { registration_type: 'Staff', status: 'pending' }),
      registration('gone', { registration_type: 'Staff', status: 'cancelled' }),
    ],
  }
  const file = organization({ email: 'ada@example.org', events: [autumn, { slug: 'bare', title: 'Bare' }] })
  const { events } = await json('apply', write('more.json', file))
  const { data: rows } = await json('event', 'list', '--account', 'ada@example.org')
  assert.deepEqual(
    rows.map(({ slug, sold, capacity }: Record<string, unknown>) => [slug, sold, capacity]),
    [
      ['spring-meeting', 0, 200],
      ['autumn', 3, 10],
      ['bare', 0, 0],
    ],
  )
  const { sold: _, capacity: __, ...event } = rows[1]
  assert.deepEqual([event.object, event.id, event.title], ['event', events.autumn.id, 'Autumn Meeting'])
  const { out } = await on('event', 'list', '--account', 'ada@example.org')
  const [heading, spring, second] = out.split('\n')
  assert.match(heading as string, /^ID +SLUG +TITLE +STARTS +STATUS +SOLD$/)
  assert.match(
    spring as string,
    /^[0-9a-f-]{36} +spring-meeting +Spring Meeting +2026-11-21T09:00:00.000Z +published +0\/200$/,
  )
  assert.match(second as string, /^[0-9a-f-]{36} +autumn +Autumn Meeting +- +draft +3\/10$/)
})
