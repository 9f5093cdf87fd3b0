import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'
import { answering, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startBeside } from './beside.ts'

test('delivery show shows what was sent and answered, when the next attempt is, and no secret', async t => {
  const { app, json, turnout, data, add, register } = await startBeside(t)
  const receiver = await startReceiver(t)
  const { id: endpointId, secret } = await add(receiver.url, '--allow-insecure-webhooks')
  await onceSettled({ app }, 'webhooks', 'the ping', () => receiver.received.length === 1)
  receiver.behave(answering(500, {}, `down\u001b[2J\n${'x'.repeat(500)}`))
  await register()
  const { id } = await onceSettled({ app }, 'webhooks', 'the failure', async () => {
    const { data: found } = await json('delivery', 'list', '--status', 'pending')
    return found[0]?.attempts === 1 && found[0]
  })
  const shown = await json('delivery', 'show', id)
  const [, sent] = receiver.received
  assert.equal(shown.url, receiver.url)
  assert.equal(shown.request.body, sent?.body)
  const { 'svc-signature': signature, ...headers } = shown.request.headers
  for (const [name, value] of Object.entries(headers)) assert.equal(sent?.headers[name], value, name)
  assert.deepEqual(Object.keys(headers), ['content-type', 'user-agent', 'svc-event-type', 'svc-event-id'])
  assert.equal(signature, String(sent?.headers['svc-signature']).replace(/v1=[0-9a-f]+$/, 'v1=…'))

  const { out } = await turnout('delivery', 'show', id, '--data', data)
  const at = shown.attempt_log[0].at
  assert.ok(out.startsWith(`registration.created ${shown.event_id} to ${receiver.url}: pending\n`), out)
  assert.match(out, /^Made 2026-\S+Z\. The next attempt is at 2026-11-21T12:01:00\.000Z\.$/m)
  const row = out.split('\n').find(line => line.startsWith('1 '))
  assert.match(row as string, new RegExp(`^1 +${at} +\\d+ +500 +- +down \\[2J x{91}…$`))
  assert.ok(out.includes(`\nsvc-event-id: ${shown.event_id}\n`))
  assert.ok(out.endsWith(`\n\n${sent?.body}\n`))
  assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}/u)
  const { v1 } = /v1=(?<v1>[0-9a-f]{64})/.exec(String(sent?.headers['svc-signature']))?.groups ?? {}
  for (const text of [out, JSON.stringify(shown)])
    for (const hidden of [secret, v1 as string]) assert.ok(!text.includes(hidden))

  const list = (await turnout('delivery', 'list', '--data', data)).out.split('\n')
  assert.match(list[0] as string, /^ID +EVENT +TYPE +TO +STATUS +ATTEMPTS +CREATED +NEXT +LAST$/)
  assert.ok(list[1]?.includes(` ${receiver.url} `) && list[1].includes(' 2026-11-21T12:00:'), list[1])
  assert.equal((await json('delivery', 'list', '--endpoint', endpointId)).data[0].url, receiver.url)
})

test('what was never attempted was not signed', async t => {
  const { json, write, turnout, data } = commandLine(t)
  await json('apply', write('org.json', organization()))
  const hook = ['--url', 'https://127.0.0.1:1/hook', '--types', 'ping', '--allow-insecure-webhooks']
  await json('webhook', 'add', ...hook)
  const [{ id }] = (await json('delivery', 'list')).data
  const { request } = await json('delivery', 'show', id)
  assert.equal(JSON.parse(request.body).type, 'ping')
  assert.equal(request.headers['svc-signature'], undefined)
  assert.doesNotMatch((await turnout('delivery', 'show', id, '--data', data)).out, /svc-signature/)
})

test('delivery list takes an account, and shows those of all without one', async t => {
  const { json, write, turnout, data } = commandLine(t)
  const hook = ['--url', 'https://127.0.0.1:1/hook', '--types', 'ping', '--allow-insecure-webhooks']
  for (const email of ['ada@example.org', 'bob@example.org']) {
    await json('apply', write('org.json', organization({ email })), '--new-account')
    await json('webhook', 'add', '--account', email, ...hook)
  }
  const all = (await json('delivery', 'list')).data
  assert.equal(all.length, 2)
  const ofBob = (await json('delivery', 'list', '--account', 'BOB@example.org')).data
  assert.deepEqual(ofBob, [all[0]])
  const ofAda = ['--account', 'ada@example.org', '--endpoint', all[0].endpoint_id]
  assert.deepEqual((await json('delivery', 'list', ...ofAda)).data, [])
  const { err } = await turnout('delivery', 'list', '--account', 'eve@example.org', '--data', data)
  assert.equal(err, 'error: There is no account eve@example.org.\n')
})

test('a retry by hand that fails is told as that, beside what the delivery had come to', async t => {
  const { app, json, turnout, data, add } = await startBeside(t)
  const receiver = await startReceiver(t)
  await add(receiver.url, '--allow-insecure-webhooks')
  const [{ id }] = (await json('delivery', 'list')).data
  const show = async () => (await turnout('delivery', 'show', id, '--data', data)).out.split('\n')
  const listed = async () => (await turnout('delivery', 'list', '--data', data)).out.split('\n')[1] as string
  const after = (status: string, manual: boolean) =>
    onceSettled({ app }, 'webhooks', status, async () => {
      const [row] = (await json('delivery', 'list')).data
      const isOver = row.status !== 'pending' && !row.manual_pending && row.last_manual === manual
      return isOver && [row.status, row.last_status_code]
    })
  assert.deepEqual(await after('the ping', false), ['succeeded', 200])
  assert.match(await listed(), / succeeded +1 .* 200$/)
  assert.match((await show())[1] as string, /^Made \S+Z\. There is no next attempt\.$/)

  receiver.behave(answering(500))
  assert.equal((await json('delivery', 'retry', id)).manual_pending, true)
  // It has succeeded once, which no later failure takes back.
  assert.deepEqual(await after('the retry', true), ['succeeded', 500])
  assert.match(await listed(), / succeeded +1 .* by hand: 500$/)
  assert.match(
    (await show())[1] as string,
    /^Made \S+Z\. There is no next attempt\. The last attempt was by hand: 500\.$/,
  )
})

test('what a retry by hand met in place of an answer is told as that', async t => {
  const { app, json, turnout, data, add } = await startBeside(t)
  const receiver = await startReceiver(t)
  await add(receiver.url, '--allow-insecure-webhooks')
  const [{ id }] = (await json('delivery', 'list')).data
  await onceSettled(
    { app },
    'webhooks',
    'the ping',
    async () => (await json('delivery', 'show', id)).status === 'succeeded',
  )
  receiver.behave(response => response.destroy())
  await json('delivery', 'retry', id)
  await onceSettled(
    { app },
    'webhooks',
    'the retry',
    async () => (await json('delivery', 'show', id)).last_manual,
  )
  const { out } = await turnout('delivery', 'show', id, '--data', data)
  assert.match(out, / The last attempt was by hand: The connection to the endpoint failed\.\n/)
})

test('a retry by hand that no server has made yet is told as that', async t => {
  const { json, write, turnout, data } = commandLine(t)
  await json('apply', write('org.json', organization()))
  const hook = ['--url', 'https://127.0.0.1:1/hook', '--types', 'ping', '--allow-insecure-webhooks']
  await json('webhook', 'add', ...hook)
  const [{ id, manual_pending, last_manual }] = (await json('delivery', 'list')).data
  assert.deepEqual([manual_pending, last_manual], [false, null])
  await json('delivery', 'retry', id)
  const { out } = await turnout('delivery', 'show', id, '--data', data)
  assert.match(out, /^Made \S+Z\. The next attempt is at \S+Z\. A retry by hand is still to come\.$/m)
})
