import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { readOutbox } from '#test/support/observations.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

async function start(t: TestContext) {
  const server = await startSubscribed(t, organizationWith([abstract('A-1')]))
  const id = server.applied.events['spring-meeting']?.abstracts['A-1'] as string
  const [key] = await server.db.read(server.applied.account_id, tx => keys.list(tx))
  /** Returns what API keys did, oldest first. */
  const entries = async () => {
    const all = await server.db.read(server.applied.account_id, tx => accessLog.list(tx, 1000))
    return all.filter(({ actor }) => actor !== 'cli').reverse()
  }
  return { ...server, id, path: `/abstracts/${id}`, entries, actor: `key:${key?.id}` }
}

test('a decision emits abstract.decided with the very object that the API returns', async t => {
  const { client, clock, db, path } = await start(t)
  const decided = await client.post(`${path}/decision`, { decision: 'accepted', note: 'A talk. 🎟️' })
  const [event, ...more] = await readOutbox(db)
  assert.deepEqual(more, [])
  assert.match(event.id, /^evt_/)
  assert.deepEqual(event, {
    id: event.id,
    object: 'event',
    type: 'abstract.decided',
    created: Date.parse('2026-11-21T12:00:00Z') / 1000,
    data: { object: decided.body },
  })
  assert.deepEqual((await client.get(path)).body, event.data.object)

  clock.advance(60_000)
  await client.post(`${path}/decision`, { decision: 'accepted', note: 'A talk. 🎟️' })
  const [first, second] = await readOutbox(db)
  assert.deepEqual(first, event)
  assert.deepEqual(
    [second.type, second.data.object.decided_at],
    ['abstract.decided', '2026-11-21T12:01:00.000Z'],
  )
})

test('each decision is in the access log: who decided what, and how it ended; the note is not', async t => {
  const { actor, client, entries, path, id } = await start(t)
  const accepted = await client.post(`${path}/decision`, { decision: 'accepted', note: 'To Lin alone.' })
  const reviewed = await client.post(`${path}/decision`, { decision: 'in_review' })
  const unknown = await client.post(`/abstracts/${UNKNOWN_ID}/decision`, { decision: 'rejected' })
  const entryOf = (target: string, answer: typeof accepted, details: object) => ({
    at: '2026-11-21T12:00:00.000Z',
    actor,
    action: 'abstract.decide',
    target_type: 'abstract',
    target_id: target,
    request_id: answer.headers['x-request-id'],
    address: '127.0.0.1',
    details,
  })
  assert.deepEqual(await entries(), [
    entryOf(id, accepted, { decision: 'accepted', status: 200 }),
    entryOf(id, reviewed, { decision: 'in_review', status: 200 }),
    entryOf(UNKNOWN_ID, unknown, { decision: 'rejected', status: 404, code: 'not_found' }),
  ])
  assert.ok(!JSON.stringify(await entries()).includes('To Lin alone.'))
})

test('a retry under the same Idempotency-Key gets the first answer, and decides, emits and logs nothing', async t => {
  const { client, clock, db, entries, path } = await start(t)
  const headers = { 'idempotency-key': 'decide-1' }
  const first = await client.post(`${path}/decision`, { decision: 'accepted' }, { headers })
  assert.equal(first.headers['idempotent-replayed'], undefined)
  clock.advance(60_000)
  await client.post(`${path}/decision`, { decision: 'rejected' })
  const replay = await client.post(`${path}/decision`, { decision: 'accepted' }, { headers })
  assert.deepEqual([replay.status, replay.headers['idempotent-replayed']], [200, 'true'])
  assert.equal(replay.text, first.text)
  assert.equal((await client.get(path)).body.status, 'rejected')
  assert.equal((await readOutbox(db)).length, 2)
  assert.equal((await entries()).length, 2)
})

test('the same Idempotency-Key with another decision, or for another abstract, is a 422 that decides nothing', async t => {
  const { client, db, path } = await start(t)
  const headers = { 'idempotency-key': 'decide-1' }
  await client.post(`${path}/decision`, { decision: 'accepted' }, { headers })
  for (const [target, body] of [
    [path, { decision: 'rejected' }],
    [path, { decision: 'accepted', note: 'A talk.' }],
    [`/abstracts/${UNKNOWN_ID}`, { decision: 'accepted' }],
  ] as const) {
    const { status, body: refusal } = await client.post(`${target}/decision`, body, { headers })
    assert.deepEqual([status, refusal.error.code], [422, 'idempotency_key_reused'])
  }
  const { body } = await client.get(path)
  assert.deepEqual([body.status, body.decision_note], ['accepted', null])
  assert.equal((await readOutbox(db)).length, 1)
})

test('a 404 is kept under its Idempotency-Key too', async t => {
  const { client } = await start(t)
  const headers = { 'idempotency-key': 'decide-1' }
  const decide = () => client.post(`/abstracts/${UNKNOWN_ID}/decision`, { decision: 'accepted' }, { headers })
  const first = await decide()
  const replay = await decide()
  assert.deepEqual([first.status, replay.status, replay.text], [404, 404, first.text])
  assert.equal(replay.headers['idempotent-replayed'], 'true')
})

test('a hundred decisions at once are each made whole, and the latest event tells the final state', async t => {
  const { client, db, entries, path } = await start(t)
  const decisions = ['accepted', 'rejected', 'in_review']
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      client.post(`${path}/decision`, { decision: decisions[number % 3], note: `${number}` }),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  const events = await readOutbox(db)
  assert.equal(events.length, 100)
  const notes = new Set(events.map(({ data }) => data.object.decision_note))
  assert.equal(notes.size, 100)
  assert.deepEqual((await client.get(path)).body, events.at(-1).data.object)
  assert.equal((await entries()).length, 100)
})
