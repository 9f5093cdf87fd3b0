import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { describeError, openLog } from '#base/log.ts'
import { apiFace } from '#faces/api/pipeline.ts'
import { routes } from '#faces/api/routes.ts'
import { explainCrash } from '#faces/cli/failure.ts'
import { Cursors } from '#machinery/db/cursors.ts'
import {
  type Database,
  DatabaseClosed,
  DatabaseUnavailable,
  type Owner,
  type ReadTx,
  type Value,
  type WriteTx,
} from '#machinery/db/port.ts'
import { probe } from '#machinery/db/sqlite/probe.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import { Health } from '#machinery/ops/health.ts'
import { CANARY, sightings } from '#test/support/canary.ts'
import { Client } from '#test/support/client.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { serveFaces } from '#test/support/site.ts'
import { eventually } from '#test/support/webhooks.ts'

type Fault = (sql: string, params: readonly Value[]) => unknown

/** Wraps a database in which a statement may throw what `fault` gives. */
function failing(db: Database, fault: Fault): Database {
  const spoil = <Tx extends ReadTx>(tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'clock') return method.bind(target)
        if (name === 'of') return (accountId: string) => spoil(method.call(target, accountId))
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
      if (name === 'read')
        return (owner: Owner, work: (tx: ReadTx) => unknown) =>
          target.read(owner, async tx => work(spoil(tx as ReadTx)))
      if (name === 'write')
        return (owner: Owner, work: (tx: ReadTx) => unknown) =>
          target.write(owner, async tx => work(spoil(tx as WriteTx)))
      return Reflect.get(target, name).bind(target)
    },
  })
}

/** A database and the layers above it may throw these errors, each of which quotes what it was given. */
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

test('a request that the end of the server has cut off is told as such, not as a failure of it', async t => {
  const server = await startFailing(t)
  const { client, fault, written } = server
  const levelOf = async (error: Error) => {
    written.length = 0
    fault.now = () => error
    assert.equal((await client.get('/registrations?email=a@example.org')).status, 503)
    const line = written.find(line => line.includes('"msg":"a request failed"'))
    return JSON.parse(line as string).level
  }
  assert.equal(await levelOf(new DatabaseClosed()), 40)
  assert.equal(await levelOf(new DatabaseUnavailable('SQLite: SQLITE_FULL')), 50)
})

test('nor is it in the log when a report breaks off, a key is not marked, or the health is asked for', async t => {
  const { client, clock, db, log, fault, written, data } = await startFailing(t)
  for (const [name, make] of faults) {
    written.length = 0
    const fail = () => make(CANARY)
    const hasLogged = (message: string) => written.some(line => line.includes(`"msg":"${message}"`))
    clock.advance(60_000)
    fault.now = sql => (/^UPDATE api_keys/.test(sql) ? fail() : undefined)
    assert.equal((await client.get('/events')).status, 200)
    await eventually('the mark', () => hasLogged('the last use of a key could not be recorded'))
    fault.now = sql => (/registrations/.test(sql) ? fail() : undefined)
    await client.get('/reports/registrations?format=csv').catch(() => undefined)
    fault.now = fail
    assert.equal(await new Health({ probe: () => probe(db, data), log }).isHealthy(), false)
    assert.ok(hasLogged('the database cannot be written'))
    assert.deepEqual(sightings(written.join('\n')), [], name)
    assert.ok(!explainCrash(make(CANARY)).includes(CANARY), name)
  }
})

test('the log keeps the kind of an error, its code, where it happened, and the words that are our own', () => {
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
  assert.match(stack ?? '', /^ {4}at .*log-of-failures\.test\.ts:\d+:\d+/)
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
