import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiDocument, describedAnswers } from '#test/support/api-document.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the JSON that it is
type Json = any

interface Operation {
  operationId: string
  method: 'GET' | 'POST'
  path: string
  scope: string
  /** The body of the description's own example. */
  example: unknown
}

/** Every operation of the description that needs a key. */
const operations: Operation[] = Object.entries<Record<string, Record<string, never>>>(
  apiDocument.paths,
).flatMap(([path, methods]) =>
  (['get', 'post'] as const).flatMap(method => {
    const operation = methods[method]
    const scope = (operation?.security as { bearer?: string[] }[] | undefined)?.[0]?.bearer?.[0]
    if (operation === undefined || scope === undefined) return []
    const { operationId } = operation as unknown as Operation
    const name = method.toUpperCase() as Operation['method']
    const example = (operation as Json).requestBody?.content['application/json'].example
    return [{ operationId, method: name, path: path.replace('{id}', UNKNOWN_ID), scope, example }]
  }),
)

test('the description has the operations of the specification', () => {
  const ids = operations.map(({ method, path }) => `${method} ${path.replace(UNKNOWN_ID, '{id}')}`)
  for (const expected of [
    'GET /events',
    'GET /events/{id}',
    'GET /events/{id}/registration-types',
    'GET /registrations',
    'POST /registrations',
    'GET /registrations/{id}',
    'POST /registrations/{id}/cancel',
    'GET /check-ins',
    'POST /check-ins',
    'GET /abstracts',
    'GET /abstracts/{id}',
    'POST /abstracts/{id}/decision',
    'GET /reports/registrations',
    'GET /reports/monthly',
  ]) {
    assert.ok(ids.includes(expected), expected)
  }
})

test('every operation refuses a missing key, a key without its scope, and a key past its limit', async t => {
  const server = await startWithOrganization(t)
  for (const { method, path, operationId } of operations) {
    assert.equal((await server.anonymous.send(method, path)).status, 401, operationId)
    const powerless = await server.clientOf(server.applied.account_id, { scopes: [], rateLimit: 1 })
    assert.equal((await powerless.send(method, path)).status, 403, operationId)
    assert.equal((await powerless.send(method, path)).status, 429, operationId)
  }
})

test('every operation that names a resource in its path answers 404 where there is none', async t => {
  const { client } = await startWithOrganization(t)
  for (const { method, path, operationId, example } of operations) {
    if (!path.includes(UNKNOWN_ID)) continue
    assert.equal((await client.send(method, path, { body: example })).status, 404, operationId)
  }
})

test('every write refuses a body that is too large, in another format, broken, or under a key that was used', async t => {
  const { client } = await startWithOrganization(t)
  for (const { method, path, operationId, example } of operations) {
    if (method !== 'POST') continue
    assert.equal((await client.post(path, ' '.repeat(1_048_577))).status, 413, operationId)
    const text = { body: 'x', headers: { 'content-type': 'text/plain' } }
    assert.equal((await client.send('POST', path, text)).status, 415, operationId)
    assert.equal((await client.post(path, '{')).status, 400, operationId)
    const keyed = { headers: { 'idempotency-key': operationId } }
    assert.equal((await client.post(path, example, keyed)).status, 404, operationId)
    assert.equal((await client.post(path, `${JSON.stringify(example)} `, keyed)).status, 422, operationId)
  }
})

test('the statuses of each operation are those of its row in the specification, and those of every write', () => {
  const row: Record<string, number[]> = {
    listEvents: [200, 400, 401, 403, 429],
    getEvent: [200, 401, 403, 404, 429],
    listRegistrationTypes: [200, 401, 403, 404, 429],
    listRegistrations: [200, 400, 401, 403, 429],
    createRegistration: [201, 400, 401, 403, 404, 409, 422, 429],
    getRegistration: [200, 401, 403, 404, 429],
    cancelRegistration: [200, 401, 403, 404, 409, 422, 429],
    listCheckIns: [200, 400, 401, 403, 429],
    createCheckIn: [201, 400, 401, 403, 404, 409, 422, 429],
  }
  // A bad Idempotency-Key or body is a 400 everywhere; too large, or not JSON, has a status of its own.
  const ofWrites = [400, 413, 415]
  for (const [operationId, statuses] of Object.entries(row)) {
    const write = /^(create|cancel)/.test(operationId)
    const expected = [...new Set([...statuses, ...(write ? ofWrites : [])])].sort()
    const described = describedAnswers()
      .filter(answer => answer.startsWith(`${operationId} `))
      .map(answer => Number(answer.split(' ')[1]))
    assert.deepEqual(described.sort(), expected, operationId)
  }
})

test('the description is refused past the limit of an address too', async t => {
  const { anonymous } = await startWithOrganization(t)
  for (let at = 0; at < 120; at++) assert.equal((await anonymous.get('/openapi.json')).status, 200)
  assert.equal((await anonymous.get('/openapi.json')).status, 429)
})
