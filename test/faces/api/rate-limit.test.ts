import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { addressGroup, addressNetwork } from '#machinery/http/client-address.ts'
import { RateLimiter } from '#machinery/http/rate-limit.ts'
import { newApiKey } from '#product/administration/keys/api-key.ts'
import type { Answer } from '#test/support/client.ts'
import { testClock } from '#test/support/clock.ts'
import { readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const START = Date.parse('2026-11-21T12:00:00.000Z') / 1000

const limitsOf = ({ status, headers }: Answer) => [
  status,
  headers['x-ratelimit-limit'],
  headers['x-ratelimit-remaining'],
  headers['x-ratelimit-reset'],
]

test('a key has 120 requests a minute by default, and each answer says how many are left', async t => {
  const server = await startWithOrganization(t)
  const client = await server.clientOf(server.applied.account_id, { rateLimit: 120 })
  for (let left = 119; left >= 0; left--) {
    assert.deepEqual(limitsOf(await client.get('/events')), [200, '120', String(left), String(START + 60)])
  }
  const refused = await client.get('/events')
  assert.deepEqual(limitsOf(refused), [429, '120', '0', String(START + 60)])
  assert.deepEqual([refused.body.error.type, refused.body.error.code], ['rate_limit_error', 'rate_limited'])
  assert.equal(refused.headers['retry-after'], '60')
})

test('the window slides: each request leaves it exactly 60 seconds after it came', async t => {
  const server = await startWithOrganization(t)
  const client = await server.clientOf(server.applied.account_id, { rateLimit: 2 })
  const { clock } = server
  const get = async () => limitsOf(await client.get('/events'))
  clock.advance(500)
  const reset = (seconds: number) => String(START + seconds)
  assert.deepEqual(await get(), [200, '2', '1', reset(61)])
  clock.advance(30_000)
  assert.deepEqual(await get(), [200, '2', '0', reset(61)])
  clock.advance(29_999)
  const refused = await client.get('/events')
  assert.deepEqual(limitsOf(refused), [429, '2', '0', reset(61)])
  assert.equal(refused.headers['retry-after'], '1')
  clock.advance(1)
  assert.deepEqual(await get(), [200, '2', '0', reset(91)])
  clock.advance(29_999)
  assert.equal((await get())[0], 429)
  clock.advance(1)
  assert.deepEqual(await get(), [200, '2', '0', reset(121)])
})

test('a refused request does not count, however many there are', async t => {
  const server = await startWithOrganization(t)
  const client = await server.clientOf(server.applied.account_id, { rateLimit: 1 })
  await client.get('/events')
  for (let at = 0; at < 20; at++) {
    server.clock.advance(2_999)
    assert.equal((await client.get('/events')).status, 429)
  }
  server.clock.advance(20)
  assert.equal((await client.get('/events')).status, 200)
})

test('a refused write changes nothing', async t => {
  const server = await startSubscribed(t)
  const client = await server.clientOf(server.applied.account_id, { rateLimit: 1 })
  await client.get('/events')
  const before = await readState(server.db)
  assert.equal((await client.post('/registrations', newRegistration(server))).status, 429)
  assert.deepEqual(await readState(server.db), before)
})

test('a later refusal of a key counts too: a 403, a 404, a 400 and a 409', async t => {
  const server = await startWithOrganization(t, organization({ event: { registration_types: [] } }))
  const client = await server.clientOf(server.applied.account_id, {
    rateLimit: 10,
    scopes: ['registrations:write'],
  })
  const left = []
  left.push(limitsOf(await client.get('/events')))
  left.push(limitsOf(await client.post('/registrations', '{')))
  left.push(limitsOf(await client.post('/registrations/x/cancel')))
  assert.deepEqual(
    left.map(([status, , remaining]) => [status, remaining]),
    [
      [403, '9'],
      [400, '8'],
      [404, '7'],
    ],
  )
})

test('each key has its own limit, whatever the others of its account and its address do', async t => {
  const server = await startWithOrganization(t)
  const [one, two] = [
    await server.clientOf(server.applied.account_id, { rateLimit: 1 }),
    await server.clientOf(server.applied.account_id, { rateLimit: 5 }),
  ]
  await one.get('/events')
  assert.equal((await one.get('/events')).status, 429)
  assert.deepEqual(limitsOf(await two.get('/events')), [200, '5', '4', String(START + 60)])
})

test('a key without a limit shows the greatest number, and is never refused', async t => {
  const { client } = await startWithOrganization(t)
  for (let at = 0; at < 150; at++) {
    assert.deepEqual(limitsOf(await client.get('/events')), [200, '2147483647', '2147483647', String(START)])
  }
})

test('missing and failed keys share 30 a minute of their address, and a good key is not touched by it', async t => {
  const { client, anonymous, clock } = await startWithOrganization(t)
  const failures: (() => Promise<Answer>)[] = [
    () => anonymous.get('/events'),
    () => anonymous.get('/events', { key: newApiKey() }),
    () => anonymous.post('/check-ins', {}, { headers: { 'x-api-key': 'x' } }),
  ]
  const fail = (at: number) => (failures[at % 3] as () => Promise<Answer>)()
  for (let at = 0; at < 30; at++) {
    assert.deepEqual(limitsOf(await fail(at)), [401, '30', String(29 - at), String(START + 60)])
  }
  for (let at = 0; at < 3; at++) {
    const refused = await fail(at)
    assert.deepEqual(limitsOf(refused), [429, '30', '0', String(START + 60)])
    assert.equal(refused.headers['retry-after'], '60')
    assert.equal(refused.headers['www-authenticate'], undefined)
  }
  assert.equal((await client.get('/events')).status, 200)
  assert.deepEqual(limitsOf(await anonymous.get('/openapi.json')), [200, '120', '119', String(START + 60)])
  clock.advance(60_000)
  assert.equal((await fail(0)).status, 401)
})

test('public and unknown paths and methods share 120 a minute of their address', async t => {
  const { client, anonymous } = await startWithOrganization(t)
  const requests: [method: string, path: string, status: number][] = [
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['DELETE', '/events', 405],
    ['HEAD', '/openapi.json', 200],
  ]
  for (let at = 0; at < 120; at++) {
    const [method, path, status] = requests[at % 4] as [string, string, number]
    // A key makes no difference here: it is not looked at.
    const answer = await (at % 2 === 0 ? client : anonymous).send(method, path)
    assert.deepEqual(limitsOf(answer), [status, '120', String(119 - at), String(START + 60)])
  }
  for (const [method, path] of requests) {
    const refused = await anonymous.send(method, path)
    assert.deepEqual(limitsOf(refused), [429, '120', '0', String(START + 60)])
    assert.equal(refused.headers['retry-after'], '60')
  }
  assert.equal((await client.get('/events')).status, 200)
  assert.equal((await anonymous.get('/events')).status, 401)
})

test('X-Forwarded-For is not believed from anybody, unless a proxy is trusted', async t => {
  const { anonymous } = await startWithOrganization(t)
  for (let at = 0; at < 30; at++) {
    const headers = { 'x-forwarded-for': `203.0.113.${at}`, forwarded: `for=203.0.113.${at}` }
    assert.equal((await anonymous.get('/events', { headers })).status, 401)
  }
  const refused = await anonymous.get('/events', { headers: { 'x-forwarded-for': '198.51.100.1' } })
  assert.equal(refused.status, 429)
})

test('behind a trusted proxy each address is counted by itself, and what it claims of others is not believed', async t => {
  const { anonymous } = await startServer(t, { settings: { trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] } })
  const leftOf = async (forwarded: string) => {
    const { headers } = await anonymous.get('/events', { headers: { 'x-forwarded-for': forwarded } })
    return Number(headers['x-ratelimit-remaining'])
  }
  assert.equal(await leftOf('203.0.113.1'), 29)
  assert.equal(await leftOf('203.0.113.1'), 28)
  assert.equal(await leftOf('203.0.113.2'), 29)
  assert.equal(await leftOf('198.51.100.7, 203.0.113.1'), 27)
  assert.equal(await leftOf('203.0.113.1, 10.0.0.9'), 26)
  assert.equal(await leftOf('127.0.0.1, 203.0.113.1'), 25)
  assert.equal(await leftOf('::ffff:203.0.113.1'), 24)
})

test('an IPv6 address is counted by its /64', async t => {
  const { anonymous } = await startServer(t, { settings: { trustProxy: ['127.0.0.1'] } })
  const leftOf = async (forwarded: string) => {
    const { headers } = await anonymous.get('/events', { headers: { 'x-forwarded-for': forwarded } })
    return Number(headers['x-ratelimit-remaining'])
  }
  assert.equal(await leftOf('2001:db8:1:2::1'), 29)
  assert.equal(await leftOf('2001:DB8:1:2:ffff:ffff:ffff:ffff'), 28)
  assert.equal(await leftOf('2001:db8:1:3::1'), 29)
  assert.equal(addressGroup('192.0.2.1'), '192.0.2.1')
})

test('a /48 has as much as eight addresses, and what is beyond that drives out no count of others', async t => {
  const { anonymous } = await startServer(t, { settings: { trustProxy: ['127.0.0.1'] } })
  const ask = async (forwarded: string) =>
    (await anonymous.get('/events', { headers: { 'x-forwarded-for': forwarded } })).status
  const statuses = new Map<number, number>()
  for (let at = 0; at < 250; at++) {
    const status = await ask(`2001:db8:1:${at.toString(16)}::1`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [401, 240],
      [429, 10],
    ],
  )
  assert.equal(await ask('2001:db8:1:ffff::1'), 429)
  assert.equal(await ask('2001:db8:2::1'), 401)
  assert.equal(addressNetwork('192.0.2.1'), undefined)
  assert.equal(addressNetwork('::ffff:192.0.2.1'), undefined)
})

test('a name that asks no more is forgotten after a minute, with all that it has counted', () => {
  const clock = testClock()
  const limiter = new RateLimiter(clock, 10_000)
  for (let at = 0; at < 1_000; at++) limiter.take(`name ${at}`, 5)
  clock.advance(59 * SECOND)
  limiter.take('name 999', 5)
  assert.equal(limiter.size, 1_000)
  clock.advance(SECOND)
  assert.equal(limiter.take('name 999', 5).remaining, 3)
  assert.equal(limiter.size, 1)
})

test('nonsense in X-Forwarded-For is no way around the limit', async t => {
  const { anonymous } = await startServer(t, { settings: { trustProxy: ['127.0.0.1'] } })
  for (let at = 0; at < 30; at++) {
    assert.equal(
      (await anonymous.get('/events', { headers: { 'x-forwarded-for': `nobody-${at}` } })).status,
      401,
    )
  }
  assert.equal((await anonymous.get('/events', { headers: { 'x-forwarded-for': 'a, b, ,' } })).status, 429)
})

test('only so many names are kept: the one that asked longest ago is forgotten first', () => {
  const limiter = new RateLimiter(testClock(), 2)
  const take = (name: string) => limiter.take(name, 5).remaining
  assert.deepEqual([take('a'), take('b'), take('a'), take('c')], [4, 4, 3, 4])
  assert.deepEqual([take('a'), take('b')], [2, 4])
})

test('a clock that is set back does not keep anybody out for as long as it was set back', () => {
  const clock = testClock()
  const limiter = new RateLimiter(clock, 10)
  assert.equal(limiter.take('a', 1).allowed, true)
  clock.advance(-3_600_000)
  assert.equal(limiter.take('a', 1).allowed, true)
  assert.equal(limiter.take('a', 1).allowed, false)
})
