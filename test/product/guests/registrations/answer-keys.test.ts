import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { EngineTransaction } from '#test/support/engine-classes.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { refuseUnsubscribed, subscribeToAll } from '#test/support/subscriber.ts'

/** Answers under the keys k`from` to k`to`, without the last. */
function answersFrom(from: number, to: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`k${from + at}`, '']))
}

async function start(t: TestContext) {
  const type = { name: 'Standard', price: 0, capacity: 100 }
  const server = await startWithOrganization(
    t,
    organization({ events: [{ slug: 'other', title: 'Other', registration_types: [type] }] }),
  )
  const { client, db, eventId } = server
  await subscribeToAll(db, server.applied.account_id)
  const post = (answers: object | undefined, changes: object = {}, headers: Record<string, string> = {}) =>
    client.post('/registrations', newRegistration(server, { answers, ...changes }), { headers })
  const register = async (answers: object, changes: object = {}) => {
    const { status, text } = await post(answers, changes)
    assert.equal(status, 201, text)
  }
  return {
    ...server,
    post,
    register,
    refuse: async (answers: object, headers: Record<string, string> = {}) => {
      const { status, body } = await post(answers, {}, headers)
      assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_parameter', 'answers'])
      assert.equal(body.error.message, 'answers must leave the event with at most 500 different keys.')
    },
    /** Returns what the database has, table by table. */
    rows: () =>
      db.read(INSTANCE, async tx => {
        await refuseUnsubscribed(tx)
        const tables = ['registrations', 'attendees', 'answer_keys', 'webhook_events', 'access_log']
        const counts = [...tables, 'idempotent_responses'].map(async table => {
          const row = await tx.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)
          return [table, row?.rows] as const
        })
        const types = await tx.all('SELECT name, sold FROM registration_types ORDER BY id')
        return { counts: Object.fromEntries(await Promise.all(counts)), types }
      }),
    keys: async () => {
      const rows = await db.read(INSTANCE, tx =>
        tx.all<{ key: string }>('SELECT key FROM answer_keys WHERE event_id = $1 ORDER BY key', [eventId]),
      )
      return rows.map(({ key }) => key)
    },
  }
}

test('the answers of an event have 500 different keys: the import of one more is refused, and leaves nothing', async t => {
  const server = await start(t)
  for (let from = 0; from < 400; from += 100) await server.register(answersFrom(from, from + 100))
  await server.register(answersFrom(400, 499))
  const before = await server.rows()
  await server.refuse({ k0: '', new: '', newer: '' }, { 'Idempotency-Key': 'again' })
  assert.deepEqual(await server.rows(), before)
  assert.equal((await server.post({ k0: '', new: '' }, {}, { 'Idempotency-Key': 'again' })).status, 201)
  await server.refuse({ newer: '' })
  assert.equal((await server.keys()).length, 500)

  // Known keys are as good as ever, and each event has its own.
  await server.register(answersFrom(399, 499))
  await server.register({})
  const other = server.applied.events.other
  const place = { event_id: other?.id, registration_type_id: other?.registration_types.Standard }
  await server.register({ newer: '' }, place)
})

test('keys named like inherited properties are counted like any other', async t => {
  const server = await start(t)
  for (let from = 0; from < 500; from += 100) await server.register(answersFrom(from, from + 100))
  for (const key of ['__proto__', 'constructor', 'toString']) {
    await server.refuse(Object.fromEntries([[key, '']]))
  }
  assert.ok(!(await server.keys()).includes('__proto__'))
})

test('an import that is undone leaves no key', async t => {
  const server = await start(t)
  const { status } = await server.post({ undone: '' }, { quantity: 100 })
  assert.equal(status, 201)
  assert.equal((await server.post({ late: '' }, { quantity: 1 })).body.error.code, 'sold_out')
  assert.equal((await server.post({ lost: '' }, { registration_type_id: server.eventId })).status, 404)
  assert.deepEqual(await server.keys(), ['undone'])
})

test('known keys cost an import one look-up, and an import without answers none', async t => {
  const server = await start(t)
  await server.register(answersFrom(0, 100))
  const statements: string[] = []
  for (const method of ['one', 'all', 'run'] as const) {
    const original = EngineTransaction.prototype[method] as (sql: string) => unknown
    t.mock.method(EngineTransaction.prototype, method, function (this: unknown, ...args: [string]) {
      if (args[0].includes('answer_keys')) statements.push(args[0])
      return original.apply(this, args)
    })
  }
  await server.register({})
  assert.equal(statements.length, 0)
  await server.register(answersFrom(0, 100))
  assert.deepEqual(
    statements.map(text => text.split(' ')[0]),
    ['SELECT'],
  )
})

test('an event of an old database with more keys keeps them, and gets no new one', async t => {
  const server = await start(t)
  await server.db.write(server.applied.account_id, tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599)
       INSERT INTO answer_keys SELECT $1, $2, 'k' || i, 1, 1 FROM n`,
      [server.applied.account_id, server.eventId],
    ),
  )
  await server.register(answersFrom(500, 600))
  await server.refuse({ new: '' })
  assert.equal((await server.keys()).length, 600)
  const { columns } = (await server.client.get(`/reports/registrations?event_id=${server.eventId}`)).body
  assert.equal(columns.filter((name: string) => name.startsWith('answer:')).length, 600)
})
