import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { isApiKey } from '#product/administration/keys/api-key.ts'
import { organization, registration } from '#test/support/organization.ts'
import { commandLine } from './turnout.ts'

const NOW = '2026-11-21T12:00:00.000Z'

test('account create makes an account that account list shows', async t => {
  const { json, turnout, data } = commandLine(t)
  const ada = await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const { id, ...rest } = ada
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    name: 'Ada',
    email: 'ada@example.org',
    timezone: 'UTC',
    currency: 'EUR',
    service_fee: { basis_points: 0, per_ticket: 0 },
    created_at: NOW,
  })
  assert.deepEqual(await json('account', 'list'), { data: [ada] })
  const { out } = await turnout('account', 'list', '--data', data)
  assert.match(out, /^ID +NAME +EMAIL/)
  assert.ok(out.includes(id))
})

test('an e-mail has one account, whatever its case', async t => {
  const { json, turnout, data } = commandLine(t)
  await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const again = ['account', 'create', '--name', 'Eve', '--email', 'ADA@example.org', '--data', data]
  const { code, err } = await turnout(...again)
  assert.deepEqual([code, err], [1, 'error: There is already an account with the e-mail ADA@example.org.\n'])
  assert.equal((await json('account', 'list')).data.length, 1)
})

test('key create shows the key once; key list and the access log never do', async t => {
  const { json, turnout, data } = commandLine(t)
  const { id: account } = await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const flags = [
    '--account',
    account.toUpperCase(),
    '--name',
    'door',
    '--scopes',
    'events:read, checkins:write',
  ]
  const limits = ['--expires', '2027-01-01T00:00:00+01:00', '--rate-limit', '0']
  const { key, ...made } = await json('key', 'create', ...flags, ...limits)
  assert.ok(isApiKey(key))
  assert.deepEqual(made, {
    id: made.id,
    name: 'door',
    last_four: key.slice(-4),
    scopes: ['events:read', 'checkins:write'],
    rate_limit: 0,
    created_at: NOW,
    expires_at: '2026-12-31T23:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
  })
  assert.deepEqual(await json('key', 'list', '--account', account), { data: [made] })
  const log = await json('log', 'list', '--account', account)
  assert.ok(!JSON.stringify(log).includes(key))
  const { action, target_id, details } = log.data[0]
  assert.deepEqual(
    { action, target_id, details },
    { action: 'key.create', target_id: made.id, details: { name: made.name, scopes: made.scopes } },
  )
  const { out } = await turnout('key', 'create', ...flags, '--data', data)
  assert.ok(isApiKey(out.trimEnd().split('\n').at(-1) as string))
})

test('key revoke revokes once, and says so again', async t => {
  const { json, turnout, data, clock } = commandLine(t)
  const { id: account } = await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const flags = ['--account', account, '--name', 'door', '--scopes', 'events:read']
  const { id } = await json('key', 'create', ...flags)
  assert.equal((await json('key', 'revoke', id)).revoked_at, NOW)
  clock.advance(60_000)
  assert.equal((await json('key', 'revoke', id)).revoked_at, NOW)
  const { out } = await turnout('key', 'revoke', id, '--data', data)
  assert.match(out, /It was already revoked at 2026-11-21T12:00:00\.000Z\.\n$/)
  const { data: log } = await json('log', 'list', '--account', account)
  assert.deepEqual(
    log.map(({ actor, action, target_type, target_id }: Record<string, string>) => [
      actor,
      action,
      target_type,
      target_id,
    ]),
    [
      ['cli', 'key.revoke', 'api_key', id],
      ['cli', 'key.create', 'api_key', id],
      ['cli', 'account.create', 'account', account],
    ],
  )
  assert.equal((await json('log', 'list', '--account', account, '--limit', '1')).data.length, 1)
})

test('apply says what it did, a line each; run again it changes nothing', async t => {
  const { turnout, write, data, json } = commandLine(t)
  const path = write('organization.json', organization({ event: { registrations: [registration('one')] } }))
  const dry = await turnout('apply', path, '--data', data, '--dry-run')
  assert.equal(dry.code, 0)
  assert.equal(existsSync(data), false)
  const { code, out, err } = await turnout('apply', path, '--data', data)
  assert.deepEqual([code, err], [0, ''])
  const lines = out.trimEnd().split('\n')
  assert.deepEqual(lines.slice(0, -1), [
    'created account ada@example.org',
    'created event spring-meeting',
    'created registration type Standard of spring-meeting',
    'created registration type Free of spring-meeting',
    'created registration one of spring-meeting',
  ])
  assert.match(lines.at(-1) as string, /^5 created, 0 updated, 0 kept in account [0-9a-f-]{36}\.$/)
  assert.deepEqual(dry.out.split('\n').slice(0, 5), lines.slice(0, 5))
  assert.match(dry.out, /5 created, 0 updated, 0 kept\. Nothing was written\.\n$/)

  const again = await json('apply', path)
  assert.deepEqual([again.created, again.updated, again.kept, again.changes], [0, 0, 5, []])
  assert.match(again.events['spring-meeting'].registrations.one, /^[0-9a-f-]{36}$/)
  assert.equal((await json('log', 'list', '--account', again.account_id)).data.length, 1)
})

test('a file that is refused leaves no database behind', async t => {
  const { turnout, write, data, folder } = commandLine(t)
  mkdirSync(`${folder}/a-folder`)
  const oversold = organization({
    event: { registrations: [registration('x', { quantity: 100 }), registration('y')] },
  })
  const refused: [string, RegExp][] = [
    [`${folder}/missing.json`, /^error: There is no file .*missing\.json\.\n$/],
    [`${folder}/a-folder`, /^error: .*a-folder is a folder, not a file\.\n$/],
    [write('broken.json', '{"account":\n\n}'), /^error: The file is not valid JSON: .*\n$/],
    [write('latin.json', Buffer.from([0x22, 0xe9, 0x22])), /^error: The file is not text in UTF-8\.\n$/],
    [write('field.json', { ...organization(), evnts: [] }), /^error: evnts is not known\.\n$/],
    [
      write('oversold.json', oversold),
      /^error: events\.0\.registration_types\.0\.capacity is too small: .*\n$/,
    ],
  ]
  for (const [path, message] of refused) {
    for (const dryRun of [[], ['--dry-run']]) {
      const { code, out, err } = await turnout('apply', path, '--data', data, ...dryRun)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, message)
      assert.equal(existsSync(data), false)
    }
  }
})

test('export prints a file that apply takes, and nothing else', async t => {
  const { turnout, write, data, json } = commandLine(t)
  const { account_id: account } = await json('apply', write('one.json', organization()))
  const { code, out, err } = await turnout('export', '--account', account, '--data', data)
  assert.deepEqual([code, err], [0, ''])
  const again = await json('apply', write('two.json', `\ufeff${out}`))
  assert.deepEqual([again.created, again.updated], [0, 0])
  assert.deepEqual(await json('export', '--account', account), JSON.parse(out))
})

test('waitlist list shows who waits, oldest first', async t => {
  const { write, json } = commandLine(t)
  const entry = { registration_type: 'Free', name: 'Wes', email: 'wes@example.org' }
  const { events } = await json(
    'apply',
    write(
      'organization.json',
      organization({
        event: {
          waitlist: [
            { ...entry, reference: 'late', quantity: 2 },
            { ...entry, reference: 'early', created_at: '2026-01-01T00:00:00Z' },
          ],
        },
      }),
    ),
  )
  const event = events['spring-meeting']
  const { data: entries } = await json('waitlist', 'list', '--event', event.id)
  assert.deepEqual(
    entries.map(({ id: _, ...rest }: Record<string, unknown>) => rest),
    [
      ['early', 1, '2026-01-01T00:00:00.000Z'],
      ['late', 2, NOW],
    ].map(([reference, quantity, created_at]) => ({
      reference,
      name: 'Wes',
      email: 'wes@example.org',
      quantity,
      registration_type_id: event.registration_types.Free,
      created_at,
      notified_at: null,
      offer: null,
    })),
  )
})

test('the version comes with those of Node and SQLite', async t => {
  const { turnout } = commandLine(t)
  const { code, out } = await turnout('--version')
  assert.equal(code, 0)
  assert.match(out, /^turnout \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+, SQLite 3\.\d+\.\d+\)\n$/)
})
