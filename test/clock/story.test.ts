import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, toIso } from '#base/time.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { placeOf } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { ok, startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServer } from '#test/support/server.ts'

const TEN_YEARS = 3653 * DAY

test('a command with a clock ten years ahead is seen by the server and by check, harms nothing that expires, and can be put right', async t => {
  const line = commandLine(t)
  const { json, turnout, data, clock } = line
  const receiver = await startReceiver(t, ok)
  const hook = { url: receiver.url, types: ['registration.created'] }
  const file = line.write('organization.json', organization({ webhooks: [hook] }))
  const insecure = '--allow-insecure-webhooks'
  const { account_id: account, events, webhooks } = await json('apply', file, insecure)
  const eventId = events['spring-meeting'].id as string
  const types = events['spring-meeting'].registration_types
  const endpointId = webhooks[receiver.url].id

  clock.advance(TEN_YEARS)
  await json('key', 'create', '--account', account, '--name', 'wrong', '--scopes', 'events:read')
  clock.advance(-TEN_YEARS)

  const settings = { allowInsecureWebhooks: true }
  const server = await startServer(t, { data, clock, settings })
  const health = async () => await (await fetch(new URL('/healthz', server.app.url))).text()
  assert.ok(
    server.log.some(({ level, msg }) => level === 40 && /a day behind the newest write/.test(`${msg}`)),
  )
  assert.equal(JSON.parse(await health()).details[0].code, 'clock_behind')
  await server.app.settled('webhooks')
  assert.equal((await json('delivery', 'list', '--status', 'succeeded')).data.length, 1)
  const checked = await turnout('check', '--data', data)
  assert.equal(checked.code, 1)
  assert.equal(
    checked.out,
    [
      `the newest write is of 2036-11-21T12:00:00.000Z, and the clock says ${toIso(clock())}: see "turnout repair clock"`,
      'a row of api_keys lies more than a day ahead: see "turnout repair clock"',
      'a row of webhook_deliveries lies more than a day ahead: see "turnout repair clock"',
      'a row of access_log lies more than a day ahead: see "turnout repair clock"',
      '',
    ].join('\n'),
  )
  assert.match(
    checked.err,
    /^error: [^\n]*is whole, but has dates ahead of the clock[^\n]*"turnout repair clock"\.\n$/,
  )

  const client = await server.clientOf(account)
  const register = (key: string) =>
    client.post('/registrations', newRegistration({ eventId, types }), {
      headers: { 'idempotency-key': key },
    })
  const signatures = async (id: string) => {
    await server.app.settled('webhooks')
    const sent = receiver.received.find(({ event }) => event.data.object.id === id)
    return String(sent?.headers['svc-signature']).split('v1=').length - 1
  }
  await json('webhook', 'rotate', endpointId)
  const first = await register('first')
  assert.equal(first.body.created_at, '2036-11-21T12:00:00.000Z')
  assert.equal(await signatures(first.body.id), 2)
  clock.advance(DAY)
  const second = await register('first')
  assert.equal(second.headers['idempotent-replayed'], undefined)
  assert.equal(await signatures(second.body.id), 1)

  const now = clock()
  assert.equal((await turnout('repair', 'clock', '--dry-run', '--data', data)).code, 0)
  const { tables } = await json('repair', 'clock')
  assert.deepEqual([tables.instance, tables.registrations, tables.attendees], [1, 2, 2])
  assert.deepEqual(await json('check'), { ok: true, errors: [] })
  await server.app.settled('clock')
  assert.equal(await health(), '{"status":"ok"}')
  clock.advance(1000)
  const third = await register('third')
  assert.equal(third.body.created_at, toIso(now + 1000))

  const newest = []
  let after = ''
  do {
    const { body } = await client.get(`/registrations?limit=1${after}`)
    newest.push(...body.data.map(({ id }: { id: string }) => id))
    after = body.next_cursor === '' ? '' : `&starting_after=${body.next_cursor}`
  } while (after !== '')
  assert.deepEqual(newest, [third.body.id, second.body.id, first.body.id])
  for (const id of newest.slice(1)) {
    const { body } = await client.get(`/registrations/${id}`)
    assert.deepEqual([body.created_at, body.confirmed_at], [toIso(now), toIso(now)])
  }
})

test('check goes by the clock of a server beside it, and says so when its own is another', async t => {
  const { json, turnout, write, data, clock } = commandLine(t)
  await json('apply', write('organization.json', organization()))
  const server = await startServer(t, { data })
  clock.advance(-20 * DAY)
  const { code, out } = await turnout('check', '--data', data, '--json')
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(out).errors, [
    `The clock says ${toIso(clock())} here, and ${toIso(server.clock())} where the server of ${placeOf(data)} runs: more than 5 minutes apart. Set it right, then try again.`,
  ])
})

test('check says nothing of what is ahead by a day or less, nor of dates that a person has set', async t => {
  const { json, write, clock } = commandLine(t)
  await json(
    'apply',
    write('organization.json', organization({ event: { ends_at: '2099-01-01T00:00:00Z' } })),
  )
  clock.advance(-DAY)
  assert.deepEqual(await json('check'), { ok: true, errors: [] })
})
