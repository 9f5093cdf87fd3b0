import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '#faces/api/routes.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { isApiKey, newApiKey } from '#product/administration/keys/api-key.ts'
import * as keys from '#product/administration/keys/rules.ts'
import type { ApiKey } from '#product/administration/keys/schemas.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import type { Client } from '#test/support/client.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { readState } from '#test/support/observations.ts'
import { requestsOf } from '#test/support/operations.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const keyOf = (client: Client) => client.key as string

test('a key is taken as a Bearer token or in X-API-Key, and in both where they are the same', async t => {
  const { client, anonymous } = await startWithOrganization(t)
  const key = keyOf(client)
  const accepted: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER   ${key}` },
    { 'x-api-key': key },
    { 'x-api-key': ` ${key} ` },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
    { authorization: 'Basic YTpi', 'x-api-key': key },
  ]
  for (const headers of accepted) {
    assert.equal((await anonymous.get('/events', { headers })).status, 200, JSON.stringify(headers))
  }
})

test('a key that is missing, wrong or ambiguous is a 401 of its reason, which says how to authenticate', async t => {
  const { client, anonymous } = await startWithOrganization(t)
  const key = keyOf(client)
  const other = newApiKey()
  const last = key.endsWith('A') ? 'B' : 'A'
  const refused: [Record<string, string>, string][] = [
    [{}, 'missing_api_key'],
    [{ authorization: '' }, 'missing_api_key'],
    [{ authorization: 'Bearer' }, 'missing_api_key'],
    [{ authorization: key }, 'missing_api_key'],
    [{ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }, 'missing_api_key'],
    [{ authorization: `Bearer ${key} ${key}` }, 'missing_api_key'],
    [{ 'x-api-key': '' }, 'missing_api_key'],
    [{ cookie: `key=${key}` }, 'missing_api_key'],
    [{ authorization: 'Bearer x' }, 'invalid_api_key'],
    [{ authorization: `Bearer ${other}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key.slice(0, -1)}${last}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key.slice(0, -1)}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key}x` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key.toUpperCase()}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key.replace('svc_', 'SVC_')}` }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key.replace('svc_', '')}` }, 'invalid_api_key'],
    [{ 'x-api-key': "' OR 1=1 --" }, 'invalid_api_key'],
    [{ 'x-api-key': '\u00e9' }, 'invalid_api_key'],
    [{ authorization: `Bearer ${key}`, 'x-api-key': other }, 'ambiguous_credentials'],
    [{ authorization: `Bearer ${other}`, 'x-api-key': key }, 'ambiguous_credentials'],
  ]
  for (const [headers, code] of refused) {
    const answer = await anonymous.get('/events', { headers })
    assert.deepEqual([answer.status, answer.body.error.code], [401, code], JSON.stringify(headers))
    assert.equal(answer.body.error.type, 'authentication_error')
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
})

test('a key in the query is no key', async t => {
  const { client, anonymous } = await startWithOrganization(t)
  for (const name of ['api_key', 'key', 'access_token']) {
    const answer = await anonymous.get(`/events?${name}=${keyOf(client)}`)
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'missing_api_key'])
  }
})

test('a key works to the last millisecond before it expires, and then is told apart from an unknown one', async t => {
  const server = await startSubscribed(t)
  const client = await server.clientOf(server.applied.account_id, { expiresAt: server.clock() + 1000 })
  server.clock.advance(999)
  assert.equal((await client.get('/events')).status, 200)
  server.clock.advance(1)
  const before = await readState(server.db)
  const answer = await client.post('/registrations', newRegistration(server))
  assert.deepEqual([answer.status, answer.body.error.code], [401, 'expired_api_key'])
  assert.deepEqual(await readState(server.db), before)
})

test('a revoked key is refused at once, and its account’s other keys are not', async t => {
  const server = await startSubscribed(t)
  const client = await server.clientOf(server.applied.account_id, { expiresAt: server.clock() + 1000 })
  assert.equal((await client.get('/events')).status, 200)
  const all = await server.db.read(server.applied.account_id, tx => keys.list(tx))
  const { id } = all.find(key => key.expires_at !== null) as ApiKey
  await server.db.write(server.applied.account_id, tx => keys.revoke(tx, id))
  const before = await readState(server.db)
  for (const header of ['authorization', 'x-api-key']) {
    const value = header === 'authorization' ? `Bearer ${client.key}` : keyOf(client)
    const answer = await server.anonymous.post('/registrations', newRegistration(server), {
      headers: { [header]: value },
    })
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'revoked_api_key'])
  }
  assert.deepEqual(await readState(server.db), before)
  assert.equal((await server.client.get('/events')).status, 200)
  server.clock.advance(5000)
  assert.equal((await client.get('/events')).body.error.code, 'revoked_api_key')
})

test('a key that another process revokes, or gives other scopes, is so with the next request', async t => {
  const server = await startWithOrganization(t)
  const { account_id: accountId } = server.applied
  const client = await server.clientOf(accountId, { rateLimit: 7 })
  for (let times = 0; times < 3; times++) assert.equal((await client.get('/events')).status, 200)
  const all = await server.db.read(accountId, tx => keys.list(tx))
  const { id } = all.find(key => key.rate_limit === 7) as ApiKey
  const other = await openTestDatabase(t, { data: server.data, clock: server.clock })
  await other.write(accountId, tx => tx.run("UPDATE api_keys SET scopes = '[]' WHERE id = $1", [id]))
  assert.equal((await client.get('/events')).body.error.code, 'insufficient_scope')
  await other.write(accountId, tx => keys.revoke(tx, id))
  assert.equal((await client.get('/events')).body.error.code, 'revoked_api_key')
  assert.equal((await server.client.get('/events')).status, 200)
})

test('a key that is revoked while requests with it are under way is refused from the next one on', async t => {
  const server = await startWithOrganization(t)
  const { account_id: accountId } = server.applied
  for (let round = 0; round < 10; round++) {
    server.clock.advance(61_000)
    const client = await server.clientOf(accountId, { rateLimit: 10_000 + round })
    const all = await server.db.read(accountId, tx => keys.list(tx))
    const { id } = all.find(key => key.rate_limit === 10_000 + round) as ApiKey
    // Slow requests may all come after the revoking: more than these would be too many refused ones of one address.
    const early = Array.from({ length: 6 }, () => client.get('/events'))
    const revoked = server.db.write(accountId, tx => keys.revoke(tx, id))
    const meanwhile = Array.from({ length: 6 }, () => client.get('/events'))
    await revoked
    const after = await Promise.all(Array.from({ length: 5 }, () => client.get('/events')))
    assert.deepEqual(new Set(after.map(({ body }) => body.error?.code)), new Set(['revoked_api_key']))
    for (const { status } of await Promise.all([...early, ...meanwhile]))
      assert.ok(status === 200 || status === 401, `${status}`)
  }
})

test('only the hash of a key is in the database', async t => {
  const { client, db, data } = await startWithOrganization(t)
  await client.get('/events')
  const { readFileSync, readdirSync } = await import('node:fs')
  await db.read(INSTANCE, async tx => {
    const [row] = await tx.all<Record<string, string>>('SELECT * FROM api_keys')
    assert.match(row?.key_hash ?? '', /^[0-9a-f]{64}$/)
    assert.equal(row?.last_four, keyOf(client).slice(-4))
  })
  for (const file of readdirSync(data)) {
    assert.ok(!readFileSync(`${data}/${file}`).includes(keyOf(client).slice(4, 34)), file)
  }
})

test('the last use of a key is kept, at most once a minute', async t => {
  const server = await startWithOrganization(t)
  const lastUsed = async () => {
    const [key] = await server.db.read(server.applied.account_id, tx => keys.list(tx))
    return key?.last_used_at
  }
  const use = async () => {
    await server.client.get('/events')
    // The write follows the answer, and the next write follows it.
    await server.client.post('/check-ins', { attendee_id: UNKNOWN_ID })
    return lastUsed()
  }
  assert.equal(await lastUsed(), null)
  assert.equal(await use(), '2026-11-21T12:00:00.000Z')
  server.clock.advance(59_999)
  assert.equal(await use(), '2026-11-21T12:00:00.000Z')
  server.clock.advance(1)
  assert.equal(await use(), '2026-11-21T12:01:00.000Z')
})

test('a key has a checksum: a typo in any one character is seen', () => {
  const key = newApiKey()
  assert.ok(isApiKey(key))
  assert.match(key, /^svc_[0-9A-Za-z]{36}$/)
  for (let at = 0; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    assert.ok(!isApiKey(typo), typo)
  }
  assert.ok(!isApiKey(`${key}\n`))
  assert.equal(new Set(Array.from({ length: 100 }, newApiKey)).size, 100)
})

test('each operation needs its own scope: every other one together is a 403 that names what is missing', async t => {
  const server = await startSubscribed(t)
  const { account_id } = server.applied
  const before = await readState(server.db)
  const nobodys = { event: UNKNOWN_ID, type: UNKNOWN_ID, registration: UNKNOWN_ID, attendee: UNKNOWN_ID }
  const requests = requestsOf({ ...nobodys, abstract: UNKNOWN_ID })
  assert.equal(requests.length, routes.length)
  for (const { operation, method, path, body } of requests) {
    const { scope } = routes.find(({ operationId }) => operationId === operation) ?? assert.fail(operation)
    const options = body === undefined ? {} : { body }
    const lacking = await server.clientOf(account_id, { scopes: allScopes.filter(name => name !== scope) })
    const refused = await lacking.send(method, path, options)
    assert.equal(refused.status, 403, operation)
    const { type, code, details } = refused.body.error
    assert.deepEqual(
      [type, code, details],
      ['permission_error', 'insufficient_scope', { required_scope: scope }],
    )
    const having = await server.clientOf(account_id, { scopes: [scope] })
    const admitted = await having.send(method, path, options)
    assert.ok([200, 400, 404].includes(admitted.status), `${operation} -> ${admitted.status}`)
  }
  assert.deepEqual(await readState(server.db), before)
})
