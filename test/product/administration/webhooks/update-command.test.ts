import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, commandLine } from '#test/faces/cli/turnout.ts'
import { organization } from '#test/support/organization.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startBeside } from './beside.ts'

const INSECURE = '--allow-insecure-webhooks'

test('webhook update moves an endpoint with what waits for it, and keeps its secret', async t => {
  const { app, json, add, register, clock } = await startBeside(t)
  const old = await startReceiver(t)
  const moved = await startReceiver(t)
  const { secret, ...added } = await add(old.url, INSECURE)
  await onceSettled({ app }, 'webhooks', 'the ping', () => old.received.length === 1)
  old.behave(answering(500))
  const { body: registration } = await register()
  await onceSettled({ app }, 'webhooks', 'the failure', () => old.received.length === 2)
  await onceSettled({ app }, 'webhooks', 'its record', async () => {
    const { data } = await json('delivery', 'list', '--status', 'pending')
    return data[0]?.attempts === 1
  })

  const updated = await json('webhook', 'update', added.id, '--url', moved.url, INSECURE)
  assert.deepEqual(updated, { ...added, url: moved.url })
  assert.equal((await json('webhook', 'secret', added.id)).secret, secret)
  moved.behave(ok)
  clock.advance(60_000)
  await onceSettled({ app }, 'webhooks', 'what waited', () => moved.received.length === 1)
  assert.equal(moved.received[0]?.event.data.object.id, registration.id)
  await register()
  await onceSettled({ app }, 'webhooks', 'the next', () => moved.received.length === 2)
  assert.equal(old.received.length, 2)
})

test('webhook update changes the types alone, and what is as it was leaves no entry in the access log', async t => {
  const { json, turnout, data, add } = await startBeside(t)
  const receiver = await startReceiver(t)
  const { secret: _, ...added } = await add(receiver.url, INSECURE)
  const types = ['--types', 'checkin.created,registration.created']
  const updated = await json('webhook', 'update', added.id, ...types)
  assert.deepEqual(updated, { ...added, types: ['registration.created', 'checkin.created'] })
  await json('webhook', 'update', added.id, ...types)
  await json('webhook', 'update', added.id, '--url', receiver.url, INSECURE)
  const { data: log } = await json('log', 'list')
  const entries = log.filter(({ action }: { action: string }) => action === 'webhook.update')
  assert.deepEqual(
    entries.map(({ actor, target_id, details }: Record<string, unknown>) => [actor, target_id, details]),
    [['cli', added.id, { fields: ['types'] }]],
  )
  const { out } = await turnout('webhook', 'update', added.id, '--types', 'ping', '--data', data)
  assert.equal(
    out,
    `Updated webhook ${added.id}: it sends ping to ${receiver.url}. Its secret is the same.\n`,
  )
})

test('webhook update refuses what webhook add refuses, and changes nothing', async t => {
  const { json, turnout, data, add, accountId } = await startBeside(t)
  const receiver = await startReceiver(t)
  const { id } = await add(receiver.url, INSECURE)
  await add(`${receiver.url}/other`, INSECURE)
  const before = await json('webhook', 'list', '--account', accountId)
  const update = (...argv: string[]) => turnout('webhook', 'update', ...argv, '--data', data)
  for (const url of ['http://1.1.1.1/hook', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/'])
    assertRefused(await update(id, '--url', url), /must be an/)
  for (const url of ['https://a:b@1.1.1.1/', 'nonsense', ''])
    assertRefused(await update(id, '--url', url, INSECURE), /--url must be an https address/)
  assertRefused(await update(id, '--types', 'all'), /--types must be/)
  assertRefused(await update(id, '--url', `${receiver.url}/other`, INSECURE), /already has a webhook to/)
  assertRefused(await update(UNKNOWN_ID, '--types', 'ping'), /There is no webhook/)
  const nothing = await update(id)
  assert.deepEqual([nothing.code, nothing.out], [2, ''])
  assert.equal(nothing.err, 'error: say what to change: --url, --types or both\n')
  assert.deepEqual(await json('webhook', 'list', '--account', accountId), before)
})

test('a delivery says where each attempt was really sent, wherever its endpoint has gone since', async t => {
  const { app, json, turnout, data, add, register, clock } = await startBeside(t)
  const old = await startReceiver(t)
  const moved = await startReceiver(t)
  const { id } = await add(old.url, INSECURE)
  const list = async () => (await json('delivery', 'list')).data
  await onceSettled({ app }, 'webhooks', 'the ping', async () => (await list())[0].status === 'succeeded')
  old.behave(answering(500))
  await register()
  const failed = await onceSettled(
    { app },
    'webhooks',
    'the failure',
    async () => (await list())[0].attempts === 1 && (await list())[0],
  )
  await json('webhook', 'disable', id)
  await json('webhook', 'update', id, '--url', moved.url, INSECURE)
  const addressesOf = (deliveries: { url: string; next_url: string | null }[]) =>
    deliveries.map(({ url, next_url }) => [url, next_url])
  assert.deepEqual(addressesOf(await list()), [
    [old.url, moved.url],
    [old.url, null],
  ])
  const show = async () => (await turnout('delivery', 'show', failed.id, '--data', data)).out
  const before = await show()
  assert.ok(before.startsWith(`registration.created ${failed.event_id} to ${old.url}: pending\n`), before)
  assert.ok(before.includes(` The next attempt is at ${failed.next_attempt_at}, to ${moved.url}.\n`), before)
  const table = (await turnout('delivery', 'list', '--data', data)).out
  assert.deepEqual([table.split(old.url).length - 1, table.includes(moved.url)], [2, false])

  await json('webhook', 'enable', id)
  clock.advance(60_000)
  await onceSettled({ app }, 'webhooks', 'the success', async () => (await list())[0].status === 'succeeded')
  const { attempt_log: log, ...rest } = await json('delivery', 'show', failed.id)
  assert.deepEqual(addressesOf([rest]), [[moved.url, null]])
  assert.deepEqual(
    log.map(({ number, url }: Record<string, unknown>) => [number, url]),
    [
      [1, old.url],
      [2, moved.url],
    ],
  )
  const lines = (await show()).split('\n').filter(line => /^(NUMBER|\d) /.test(line))
  assert.match(lines[0] as string, /^NUMBER +AT +TO +MS /)
  assert.ok(lines[1]?.includes(` ${old.url} `) && lines[2]?.includes(` ${moved.url} `), lines.join('\n'))
  assert.deepEqual(addressesOf(await list()), [
    [moved.url, null],
    [old.url, null],
  ])
})

test('before its first attempt a delivery is to where its endpoint is', async t => {
  const { json, write } = commandLine(t)
  await json('apply', write('org.json', organization()))
  const { id } = await json('webhook', 'add', '--url', 'http://one.example/', '--types', 'ping', INSECURE)
  await json('webhook', 'update', id, '--url', 'http://two.example/', INSECURE)
  const [{ attempts, url, next_url }] = (await json('delivery', 'list')).data
  assert.deepEqual([attempts, url, next_url], [0, 'http://two.example/', 'http://two.example/'])
})
