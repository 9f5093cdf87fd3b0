import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually } from '#test/support/webhooks.ts'
import { startBeside } from './beside.ts'

test('a running server does within a second what commands beside it ask for', async t => {
  const { json, add, register } = await startBeside(t)
  const receiver = await startReceiver(t)
  const added = await add(receiver.url, '--allow-insecure-webhooks')
  assert.deepEqual(Object.keys(added), ['id', 'object', 'url', 'types', 'enabled', 'created_at', 'secret'])
  await eventually('the ping of the beginning', () => receiver.received.length === 1)
  await json('webhook', 'ping', added.id)
  await eventually('a ping', () => receiver.received.length === 2)

  await json('webhook', 'disable', added.id)
  await register()
  await json('webhook', 'enable', added.id)
  const { body: registration } = await register()
  await eventually('the webhook', () => receiver.received.length === 3)
  assert.equal(receiver.received[2]?.event.data.object.id, registration.id)

  const { secret, previous_secret_expires_at: expires } = await json('webhook', 'rotate', added.id)
  assert.notEqual(secret, added.secret)
  assert.ok(Number.isFinite(Date.parse(expires)))
  assert.equal((await json('webhook', 'secret', added.id)).secret, secret)

  await json('webhook', 'remove', added.id)
  assert.equal((await register()).status, 201)
  assert.deepEqual((await json('delivery', 'list')).data, [])
  assert.equal(receiver.received.length, 3)
})

test('deliveries are listed by endpoint and status, newest first, shown with each attempt, and retried', async t => {
  const { app, json, add, register, turnout, data } = await startBeside(t)
  const good = await startReceiver(t)
  const bad = await startReceiver(t)
  const { id } = await add(good.url, '--allow-insecure-webhooks')
  const { id: badId } = await add(bad.url, '--allow-insecure-webhooks')
  await onceSettled({ app }, 'webhooks', 'the pings', () => good.received.length + bad.received.length === 2)
  bad.behave(answering(500, {}, 'oops'))
  await register()
  const pending = await onceSettled({ app }, 'webhooks', 'the failure', async () => {
    const { data: found } = await json('delivery', 'list', '--endpoint', badId, '--status', 'pending')
    return found[0]?.attempts === 1 && found[0]
  })
  const succeeded = (await json('delivery', 'list', '--status', 'succeeded')).data
  assert.deepEqual(
    succeeded.map(({ type, endpoint_id }: Record<string, string>) => [type, endpoint_id]),
    [
      ['registration.created', id],
      ['ping', badId],
      ['ping', id],
    ],
  )
  assert.deepEqual((await json('delivery', 'list', '--status', 'failed')).data, [])

  const shown = await json('delivery', 'show', pending.id)
  const { attempt_log: log, request, ...rest } = shown
  assert.equal(JSON.parse(request.body).id, pending.event_id)
  assert.deepEqual(rest, pending)
  assert.deepEqual(log, [
    { ...log[0], number: 1, manual: false, url: bad.url, status_code: 500, error: null, response: 'oops' },
  ])
  assert.deepEqual(Object.keys(log[0]), [
    'number',
    'manual',
    'at',
    'url',
    'duration_ms',
    'status_code',
    'error',
    'response',
  ])

  bad.behave(ok)
  await json('delivery', 'retry', pending.id)
  await onceSettled(
    { app },
    'webhooks',
    'the retry',
    async () => (await json('delivery', 'show', pending.id)).status === 'succeeded',
  )
  const after = await json('delivery', 'show', pending.id)
  assert.deepEqual(
    [after.attempts, after.attempt_log[1].number, after.attempt_log[1].manual],
    [1, null, true],
  )

  for (const command of ['show', 'retry']) {
    const unknown = await turnout('delivery', command, UNKNOWN_ID, '--data', data)
    assert.deepEqual([unknown.code, unknown.out], [1, ''])
  }
})

test('webhook add and apply refuse http, private addresses and credentials, and write nothing', async t => {
  const { turnout, json, write, data } = commandLine(t)
  const { account_id: accountId } = await json('apply', write('org.json', organization()))
  const refused = [
    ...[
      'http://1.1.1.1/hook',
      'https://127.0.0.1/hook',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://0x7f.1/',
    ],
    ...['https://169.254.169.254/latest/meta-data/', 'https://localhost:8443/', 'https://[::ffff:10.0.0.1]/'],
  ]
  const never = ['https://user:secret@1.1.1.1/', 'ftp://1.1.1.1/', 'https://1.1.1.1/#part', 'nonsense']
  const add = (url: string, ...rest: string[]) =>
    turnout(
      'webhook',
      'add',
      '--account',
      accountId,
      '--url',
      url,
      '--types',
      'ping',
      '--data',
      data,
      ...rest,
    )
  const apply = (url: string, ...rest: string[]) => {
    const file = organization({ webhooks: [{ url, types: ['ping'] }] })
    return turnout('apply', write('hooks.json', file), '--data', data, ...rest)
  }
  for (const attempt of [add, apply]) {
    for (const url of [...refused, ...never]) {
      const { code, out, err } = await attempt(url)
      assert.deepEqual([code, out], [1, ''], url)
      assert.match(err, /^error: .+\n$/)
    }
    for (const url of never) assert.equal((await attempt(url, '--allow-insecure-webhooks')).code, 1, url)
  }
  assert.deepEqual((await json('webhook', 'list', '--account', accountId)).data, [])
  assert.deepEqual((await json('delivery', 'list')).data, [])

  for (const [at, attempt] of [add, apply].entries()) {
    const url = `http://127.0.0.1:9/${at}`
    assert.equal((await attempt(url, '--allow-insecure-webhooks')).code, 0)
  }
  assert.equal((await add('https://1.1.1.1/hook')).code, 0)
  assert.equal((await json('webhook', 'list', '--account', accountId)).data.length, 3)
})

test('an address that only a sandbox may have is refused with the flag that allows it', async t => {
  const { turnout, json, write, data } = commandLine(t)
  await json('apply', write('org.json', organization()))
  const lifted = '; in a sandbox --allow-insecure-webhooks lifts that, here and on the server.'
  const add = (url: string, ...flags: string[]) =>
    turnout('webhook', 'add', '--url', url, '--types', 'ping', '--data', data, ...flags)
  for (const [url, fault] of [
    ['http://1.1.1.1/hook', 'must be an https address'],
    ['https://127.0.0.1/hook', 'must be an address on the public internet'],
  ] as const) {
    assert.equal((await add(url)).err, `error: The webhook ${url} ${fault}${lifted}\n`)
    assert.equal((await add(url, '--allow-insecure-webhooks')).code, 0)
  }
  // The message promises no flag for what no flag allows.
  assert.doesNotMatch((await add('ftp://1.1.1.1/')).err, /insecure/)
})

test('the deliveries of every account are listed newest first, up to the limit, and by account if one is named', async t => {
  const { json, write, clock } = commandLine(t)
  const hooks: Record<string, string> = {}
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { account_id: account } = await json(
      'apply',
      write('org.json', organization({ email })),
      '--new-account',
    )
    const [url, types] = ['https://127.0.0.1:1/hook', 'checkin.created']
    const args = ['--account', account, '--url', url, '--types', types, '--allow-insecure-webhooks']
    hooks[email] = (await json('webhook', 'add', ...args)).id
  }
  const [ada, bob] = Object.values(hooks) as [string, string]
  const pings = []
  for (const hook of [bob, ada, ada, bob]) {
    clock.advance(1_000)
    pings.unshift((await json('webhook', 'ping', hook)).delivery_id)
  }
  const list = async (...args: string[]) =>
    (await json('delivery', 'list', ...args)).data.map(({ id }: { id: string }) => id)
  const all = await list()
  assert.deepEqual([all.length, all.slice(0, 4)], [6, pings])
  for (let limit = 1; limit < 6; limit++) {
    assert.deepEqual(await list('--limit', `${limit}`), all.slice(0, limit))
    assert.deepEqual(await list('--status', 'pending', '--limit', `${limit}`), all.slice(0, limit))
  }
  assert.deepEqual((await list('--endpoint', ada)).slice(0, 2), [pings[1], pings[2]])
  assert.deepEqual(await list('--endpoint', bob, '--status', 'pending', '--limit', '1'), [pings[0]])
  assert.deepEqual(await list('--endpoint', UNKNOWN_ID), [])
})
