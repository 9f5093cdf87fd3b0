import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listEndpoints } from '#faces/api/description/reference/document.ts'
import { apiDocument } from '#test/support/api-document.ts'
import { CANARY, sightings } from '#test/support/canary.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openRaw } from '#test/support/raw.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'

/** Makes requests with the canary in their target, in a header, or where no header belongs. */
function rawRequests(key: string): Buffer[] {
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${head}\r\n`
  const json = `${head}Content-Type: application/json\r\n`
  const targets = [
    `/${CANARY}`,
    `/v1/events?${CANARY}=1`,
    `/v1/registrations?email=${CANARY}`,
    `/v1/registrations?q=${CANARY}`,
    `/v1/registrations?starting_after=${CANARY}`,
    `/v1/registrations/${CANARY}`,
    `/v1/events/${UNKNOWN_ID}?${CANARY}`,
    `/v1/reports/monthly?month=${CANARY}`,
    `http://[/${CANARY}`,
    `http://${CANARY}:99999999/?${CANARY}`,
    `http://${CANARY}@[::1/`,
    `//${CANARY}/v1/events?${CANARY}`,
    `/%zz${CANARY}`,
    `/\xff${CANARY}`,
    CANARY,
    `/v1/events#${CANARY}`,
  ]
  const names = ['Authorization', 'X-API-Key', 'Cookie', 'X-Forwarded-For', 'Host', 'User-Agent', 'Expect']
  names.push('Content-Type', 'Content-Encoding', 'Content-Length', 'Transfer-Encoding', 'Idempotency-Key')
  names.push('Accept-Encoding', 'Connection', 'Upgrade', 'Trailer', CANARY)
  const values = [CANARY, `Bearer ${CANARY}`, `"${CANARY}, ${CANARY}`, `${CANARY}\x01`, `\xff${CANARY}`]
  const withHeader = names.flatMap(name =>
    values.map(
      value =>
        `POST /v1/registrations HTTP/1.1\r\n${name}: ${value}\r\nConnection: close\r\n${name === 'Authorization' ? '' : `X-API-Key: ${key}\r\n`}\r\n`,
    ),
  )
  const broken = [
    `${CANARY}\r\n\r\n`,
    `GET / HTTP/${CANARY}\r\n\r\n`,
    `GET /${CANARY} HTTP/1.1\r\n${CANARY}\r\n\r\n`,
    `GET / HTTP/1.1\r\nX: ${CANARY.repeat(2_000)}\r\n\r\n`,
    `CONNECT ${CANARY}:443 HTTP/1.1\r\nHost: ${CANARY}\r\n\r\n${CANARY}`,
    `POST /v1/check-ins HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n${CANARY}\r\n`,
    `POST /v1/check-ins HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n2;${CANARY.repeat(2_000)}\r\n{}\r\n0\r\n\r\n`,
    `POST /v1/check-ins HTTP/1.1\r\n${json}Content-Length: 2\r\n\r\n{}${CANARY}`,
    `GET /v1/events HTTP/1.0\r\n${head}Connection: ${CANARY}\r\n\r\n`,
  ]
  const bodies = [`{"${CANARY}`, `"${CANARY}"`, `{"${CANARY}":1}`, CANARY, CANARY.repeat(90_000)]
  bodies.push(`{"qr_code":"${CANARY}"}`, `{"attendee_id":"${CANARY}"}`, `"\xff${CANARY}"`)
  const withBody = bodies.flatMap(body =>
    ['/v1/registrations', '/v1/check-ins', `/v1/registrations/${UNKNOWN_ID}/cancel`, '/v1/events'].map(
      path => `POST ${path} HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`,
    ),
  )
  withBody.push(
    `POST /v1/check-ins HTTP/1.1\r\n${head}Content-Type: text/${CANARY}\r\nContent-Length: 2\r\n\r\n{}`,
  )
  const strangers = Array.from(
    { length: 31 },
    () => `GET /v1/events HTTP/1.1\r\nX-API-Key: ${CANARY}\r\nConnection: close\r\n\r\n`,
  )
  return [...targets.map(get), ...withHeader, ...broken, ...withBody, ...strangers].map(text =>
    Buffer.from(text, 'latin1'),
  )
}

test('the output of a server process, at its most talkative, has nothing that strangers send', async t => {
  const { data, key } = await prepareDataFolder(t)
  const flags = ['--log-level', 'debug', '--metrics-port', '0']
  const server = await startServerProcess(t, data, { flags })
  const requests = rawRequests(key)
  for (const bytes of requests) {
    const { socket, closed } = openRaw(server.url)
    // An incomplete request ends with its connection.
    socket.end(bytes)
    await closed
    // The same request is sent again, and the client leaves before the answer.
    const aborted = openRaw(server.url)
    aborted.socket.write(bytes.subarray(0, -1), () => aborted.socket.resetAndDestroy())
    await aborted.closed
  }
  server.kill('SIGTERM')
  const { code, stdout, stderr } = await server.ended
  assert.equal(code, 0)
  assert.deepEqual(sightings(stdout + stderr), [])
  const lines = stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const statuses = new Set(lines.map(({ status }) => status))
  for (const status of [400, 401, 404, 405, 413, 415, 422, 429, 431])
    assert.ok(statuses.has(status), `${status}`)
  assert.ok(lines.length >= requests.length)
  assert.deepEqual(
    lines.filter(({ level }) => level >= 50),
    [],
  )
})

// biome-ignore lint/suspicious/noExplicitAny: an example of the document, walked as the JSON that it is
type Json = any

/** Yields an example with the canary in place of one value after the other, and as the name of a field. */
function* spoilt(example: Json): Generator<Json> {
  yield CANARY
  if (typeof example !== 'object' || example === null) return
  yield Array.isArray(example) ? [...example, CANARY] : { ...example, [CANARY]: CANARY }
  for (const name of Object.keys(example)) {
    for (const value of spoilt(example[name])) {
      const copy = Array.isArray(example) ? [...example] : { ...example }
      copy[name] = value
      yield copy
    }
  }
}

test('nor is there when each field of each body is wrong, or right and refused', async t => {
  const { client, log, eventId, types } = await startWithOrganization(t, undefined, { logLevel: 'trace' })
  const bodies: [path: string, body: Json][] = [
    [
      '/registrations',
      newRegistration({ eventId, types }, { buyer: { name: CANARY, email: `${CANARY}@a.org` } }),
    ],
  ]
  for (const { path, operation } of listEndpoints(apiDocument, apiDocument.paths)) {
    const example = operation.requestBody?.content['application/json']?.example
    if (example === undefined) continue
    for (const body of spoilt(example)) bodies.push([path.replace('{id}', UNKNOWN_ID), body])
  }
  assert.ok(bodies.length > 20)
  for (const [path, body] of bodies) await client.post(path, body, { headers: { 'idempotency-key': CANARY } })
  assert.deepEqual(sightings(log.map(line => JSON.stringify(line)).join('\n')), [])
  assert.ok(log.length >= bodies.length)
})
