import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Cursors } from '../../src/api/cursors.ts'
import { listEndpoints } from '../../src/api/description/reference/document.ts'
import { apiFace } from '../../src/api/pipeline.ts'
import { routes } from '../../src/api/routes.ts'
import { explainCrash } from '../../src/cli/failure.ts'
import { type Database, DatabaseUnavailable, type Owner, type ReadTx, type Value } from '../../src/db/port.ts'
import { probe } from '../../src/db/sqlite/probe.ts'
import { MemoryBudget } from '../../src/http/memory-budget.ts'
import { describeError, openLog } from '../../src/log.ts'
import { Health } from '../../src/ops/health.ts'
import { apiDocument } from '../support/api-document.ts'
import { Client } from '../support/client.ts'
import { prepareDataFolder } from '../support/data-folder.ts'
import { openRaw } from '../support/raw.ts'
import { newRegistration, UNKNOWN_ID } from '../support/requests.ts'
import { startWithOrganization } from '../support/server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { serveFaces } from '../support/site.ts'
import { eventually } from '../support/webhooks.ts'

const CANARY = 'kanarienvogel'

/** Where the canary stands in a log, as text or as the numbers of its bytes. */
function sightings(log: string): string[] {
  const bytes = [...Buffer.from(CANARY)].join(',')
  return log.split('\n').filter(line => line.includes(CANARY) || line.replaceAll(' ', '').includes(bytes))
}

/** Requests with the canary in their target, in a header, or where nothing of the kind belongs. */
function rawRequests(key: string): Buffer[] {
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${head}\r\n`
  const json = `${head}Content-Type: application/json\r\n`
  const targets = [
    `/${CANARY}`,
    `/v1/events?${CANARY}=1`,
    `/v1/registrations?email=${CANARY}`,
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

test('in all that a server process says, at its most talkative, there is nothing of what strangers send', async t => {
  const { data, key } = await prepareDataFolder(t)
  const flags = ['--log-level', 'debug', '--metrics-port', '0']
  const server = await startServerProcess(t, data, { flags })
  const requests = rawRequests(key)
  for (const bytes of requests) {
    const { socket, closed } = openRaw(server.url)
    // A request that is not whole ends with its connection.
    socket.end(bytes)
    await closed
    // The same, of which the client sees no answer.
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

/** An example with the canary in place of one value after the other, and as the name of a field. */
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

type Fault = (sql: string, params: readonly Value[]) => unknown

/** The same database, in which a statement may throw what `fault` gives. */
function failing(db: Database, fault: Fault): Database {
  const spoil = <Tx extends ReadTx>(tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'clock') return method.bind(target)
        return async (...given: unknown[]) => {
          const [sql = String(name), params = []] = given
          const error = typeof sql === 'string' ? fault(sql, params as readonly Value[]) : undefined
          if (error !== undefined) throw error
          return method.apply(target, given)
        }
      },
    })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'read') return (work: (tx: ReadTx) => unknown) => target.read(async tx => work(spoil(tx)))
      if (name === 'write')
        return (owner: Owner, work: (tx: ReadTx) => unknown) =>
          target.write(owner, async tx => work(spoil(tx)))
      return Reflect.get(target, name).bind(target)
    },
  })
}

/** What a database, and what stands between, may throw: each quotes what it was given. */
const faults: [name: string, make: (quoted: string) => unknown, status: number][] = [
  ['a message', quoted => new Error(`invalid input: ${quoted}`), 500],
  ['a message of lines', quoted => new TypeError(`no\n    at ${quoted} (file:///${quoted}.ts:1:1)`), 500],
  ['SQLite', quoted => new SqliteConnection.SqliteError(`bad path: ${quoted}`, 'SQLITE_ERROR'), 500],
  [
    'properties',
    quoted => Object.assign(new Error('no'), { detail: quoted, params: [quoted], code: quoted }),
    500,
  ],
  ['a cause', quoted => new DatabaseUnavailable('SQLite: SQLITE_FULL', { cause: new Error(quoted) }), 503],
  ['causes', quoted => new Error('no', { cause: new Error('no', { cause: { quoted } }) }), 500],
  ['a group', quoted => new AggregateError([new Error(quoted)], quoted), 500],
  ['a text', quoted => quoted, 500],
  ['an object', quoted => ({ message: quoted, stack: quoted }), 500],
  ['a name', quoted => Object.assign(new Error('no'), { name: quoted }), 500],
  ['a message set later', quoted => Object.assign(new Error(quoted), { message: 'no' }), 500],
  [
    'JSON',
    quoted => {
      try {
        return JSON.parse(quoted)
      } catch (error) {
        return error
      }
    },
    500,
  ],
  [
    'an address',
    quoted => {
      try {
        return new URL(quoted)
      } catch (error) {
        return error
      }
    },
    500,
  ],
]

async function startFailing(t: TestContext) {
  const { db, clock, client, ...rest } = await startWithOrganization(t)
  const written: string[] = []
  const log = openLog('trace', { write: line => written.push(line) })
  const fault: { now: Fault } = { now: () => undefined }
  const database = failing(db, (sql, params) => fault.now(sql, params))
  const services = { db: database, clock, log, cursors: new Cursors('secret'), memory: new MemoryBudget() }
  const address = await serveFaces(t, { clock, log }, parts => [
    apiFace({ ...services, ...parts }, routes, []),
  ])
  const failingClient = new Client(`${address}/v1`, client.key)
  t.after(() => failingClient.close())
  return { ...rest, clock, db: database, log, written, fault, client: failingClient }
}

test('a database that quotes its parameters in what it throws is a 500 or a 503 without them, in the log too', async t => {
  const server = await startFailing(t)
  const { client, fault, written } = server
  for (const [name, make, expected] of faults) {
    written.length = 0
    fault.now = (_sql, params) => {
      const quoted = params.find(param => String(param).includes(CANARY))
      return quoted === undefined ? undefined : make(String(quoted))
    }
    const buyer = { name: CANARY, email: `${CANARY}@example.org` }
    const answers = [
      await client.get(`/registrations?email=${CANARY}@example.org`),
      await client.post('/registrations', newRegistration(server, { buyer })),
      await client.post('/registrations', newRegistration(server), {
        headers: { 'idempotency-key': CANARY },
      }),
    ]
    for (const { status, text } of answers) {
      assert.equal(status, expected, name)
      assert.ok(!text.includes(CANARY), name)
    }
    const log = written.join('\n')
    assert.equal(written.filter(line => line.includes('"msg":"a request failed"')).length, 3)
    assert.deepEqual(sightings(log), [], name)
  }
})

test('nor is it in the log when a report breaks off, a key is not marked, or the health is asked for', async t => {
  const { client, clock, db, log, fault, written, data } = await startFailing(t)
  for (const [name, make] of faults) {
    written.length = 0
    const fail = () => make(CANARY)
    const said = (message: string) => written.some(line => line.includes(`"msg":"${message}"`))
    clock.advance(60_000)
    fault.now = sql => (/^UPDATE api_keys/.test(sql) ? fail() : undefined)
    assert.equal((await client.get('/events')).status, 200)
    await eventually('the mark', () => said('the last use of a key could not be recorded'))
    fault.now = sql => (/registrations/.test(sql) ? fail() : undefined)
    await client.get('/reports/registrations?format=csv').catch(() => undefined)
    fault.now = fail
    assert.equal(await new Health({ probe: () => probe(db, data), log }).isHealthy(), false)
    assert.ok(said('the database cannot be written'))
    assert.deepEqual(sightings(written.join('\n')), [], name)
    assert.ok(!explainCrash(make(CANARY)).includes(CANARY), name)
  }
})

test('of an error the log keeps its kind, its code, where it happened, and the words that are our own', () => {
  const disk = Object.assign(new Error('EIO: i/o error, open'), {
    code: 'EIO',
    errno: -5,
    syscall: 'open',
    path: '/var/lib/turnout/turnout.db',
  })
  const error = new DatabaseUnavailable('SQLite: SQLITE_IOERR', { cause: disk })
  const { stack, cause, ...rest } = describeError(error)
  assert.deepEqual(rest, {
    type: 'DatabaseUnavailable',
    code: undefined,
    message: 'SQLite: SQLITE_IOERR',
  })
  assert.match(stack ?? '', /^ {4}at .*log-secrecy\.test\.ts:\d+:\d+/)
  assert.deepEqual(
    { ...cause, stack: '' },
    {
      type: 'Error',
      code: 'EIO',
      message: undefined,
      syscall: 'open',
      path: '/var/lib/turnout/turnout.db',
      stack: '',
      cause: undefined,
    },
  )
  const circle: Error & { cause?: unknown } = new Error('round')
  circle.cause = circle
  assert.ok(JSON.stringify(describeError(circle)).length < 10_000)
})
