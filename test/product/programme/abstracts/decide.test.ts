import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { MAX_BODY } from '#machinery/http/json-body.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { readOutbox } from '#test/support/observations.ts'
import { UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import type { TestServer } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const EARLIER = '2026-10-12T08:00:00.000Z'
const states = ['submitted', 'in_review', 'accepted', 'rejected'] as const
const decisions = ['accepted', 'rejected', 'in_review'] as const
const isFinal = (status: string) => status === 'accepted' || status === 'rejected'

async function start(t: TestContext, abstracts = [abstract('A-1')]) {
  const server = await startSubscribed(t, organizationWith(abstracts))
  const ids = server.applied.events['spring-meeting']?.abstracts ?? {}
  return { ...server, ids, path: `/abstracts/${ids['A-1']}` }
}

/** Reads everything that a decision writes. */
async function readWritten({ db }: Pick<TestServer, 'db'>) {
  const events = await readOutbox(db)
  return db.read(INSTANCE, async tx => ({
    events,
    abstracts: await tx.all(
      'SELECT id, status, decision_note, decided_at, updated_at FROM abstracts ORDER BY id',
    ),
    log: await tx.all("SELECT id FROM access_log WHERE actor <> 'cli' ORDER BY id"),
    answers: await tx.all('SELECT idempotency_key FROM idempotent_responses ORDER BY idempotency_key'),
  }))
}

test('every decision is possible from every state, and becomes the status', async t => {
  const cases = states.flatMap(from => decisions.map(to => ({ from, to, code: `${from} ${to}` })))
  const brought = cases.map(({ from, code }) =>
    abstract(code, {
      status: from,
      submitted_at: '2026-10-01T08:00:00.000Z',
      ...(isFinal(from) ? { decided_at: EARLIER } : {}),
      ...(from === 'submitted' ? {} : { decision_note: 'An earlier note.' }),
    }),
  )
  const { client, ids } = await start(t, brought)
  for (const { to, code } of cases) {
    const before = (await client.get(`/abstracts/${ids[code]}`)).body
    const answer = await client.post(`/abstracts/${ids[code]}/decision`, { decision: to })
    assert.equal(answer.status, 200, code)
    const decided = { status: to, decision_note: null, decided_at: isFinal(to) ? NOW : null }
    assert.deepEqual(answer.body, { ...before, ...decided }, code)
    assert.deepEqual((await client.get(`/abstracts/${ids[code]}`)).body, answer.body, code)
  }
})

test('a decision may be changed later; the note and the instant are those of the latest', async t => {
  const { client, clock, path } = await start(t)
  const course: [object, unknown[]][] = [
    [{ decision: 'accepted', note: 'A talk.' }, ['accepted', 'A talk.', '2026-11-21T12:00:00.000Z']],
    [{ decision: 'rejected', note: 'No room.' }, ['rejected', 'No room.', '2026-11-21T12:01:00.000Z']],
    [{ decision: 'rejected' }, ['rejected', null, '2026-11-21T12:02:00.000Z']],
    [{ decision: 'in_review', note: 'Once more.' }, ['in_review', 'Once more.', null]],
    [{ decision: 'accepted', note: '' }, ['accepted', '', '2026-11-21T12:04:00.000Z']],
  ]
  for (const [body, expected] of course) {
    const { body: decided } = await client.post(`${path}/decision`, body)
    assert.deepEqual([decided.status, decided.decision_note, decided.decided_at], expected)
    clock.advance(60_000)
  }
})

test('deciding changes no other abstract, and nothing else of this one', async t => {
  const { client, ids } = await start(t, [abstract('A-1'), abstract('A-2')])
  const other = (await client.get(`/abstracts/${ids['A-2']}`)).body
  await client.post(`/abstracts/${ids['A-1']}/decision`, { decision: 'accepted' })
  assert.deepEqual((await client.get(`/abstracts/${ids['A-2']}`)).body, other)
})

test('a note is kept exactly, to 2,000 code points', async t => {
  const { client, path } = await start(t)
  const notes = [
    '🎟️'.repeat(1000),
    '𝕏'.repeat(2000),
    ' \t\r\n leading and trailing \n',
    'e\u0301 is not \u00e9',
    "=1+1, '; DROP TABLE abstracts; --",
    '\u202eright to left\u0007',
  ]
  for (const note of notes) {
    const { status, body } = await client.post(`${path}/decision`, { decision: 'accepted', note })
    assert.deepEqual([status, body.decision_note], [200, note])
    assert.equal((await client.get(path)).body.decision_note, note)
  }
})

test('a body that is not a decision is a 400 that names the field and writes nothing', async t => {
  const { client, db, path } = await start(t)
  const before = await readWritten({ db })
  const refused: [unknown, string, string?][] = [
    [{}, 'invalid_parameter', 'decision'],
    [undefined, 'malformed_json'],
    [{ decision: 'submitted' }, 'invalid_parameter', 'decision'],
    [{ decision: 'Accepted' }, 'invalid_parameter', 'decision'],
    [{ decision: '' }, 'invalid_parameter', 'decision'],
    [{ decision: null }, 'invalid_parameter', 'decision'],
    [{ decision: ['accepted'] }, 'invalid_parameter', 'decision'],
    [{ note: 'A talk.' }, 'invalid_parameter', 'decision'],
    [{ decision: 'accepted', note: null }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', note: 7 }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', note: 'x'.repeat(2001) }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', note: '𝕏'.repeat(2001) }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', note: 'a\u0000' }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', note: '\ud800' }, 'invalid_parameter', 'note'],
    [{ decision: 'accepted', status: 'accepted' }, 'unknown_parameter', 'status'],
    ['{"decision":"accepted","__proto__":{}}', 'unknown_parameter', '__proto__'],
    [[], 'invalid_parameter'],
    ['"accepted"', 'invalid_parameter'],
    ['{"decision":', 'malformed_json'],
  ]
  for (const [body, code, param] of refused) {
    const { status, body: refusal } = await client.post(`${path}/decision`, body)
    const got = [status, refusal.error.code, refusal.error.param]
    assert.deepEqual(got, [400, code, param], JSON.stringify(body))
  }
  const key = await client.post(
    `${path}/decision`,
    { decision: 'accepted' },
    { headers: { 'idempotency-key': 'a b' } },
  )
  assert.deepEqual([key.status, key.body.error.code], [400, 'invalid_idempotency_key'])
  assert.equal((await client.post(`${path}/decision`, ' '.repeat(MAX_BODY + 1))).status, 413)
  const form = { body: 'decision=accepted', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  assert.equal((await client.send('POST', `${path}/decision`, form)).status, 415)
  assert.deepEqual(await readWritten({ db }), before)
})

test('an unknown abstract, or one of another account, is one and the same 404, and is not decided', async t => {
  const server = await start(t)
  const other = await server.apply(organizationWith([], { email: 'bob@example.org' }))
  const stranger = await server.clientOf(other.account_id)
  const decision = { decision: 'accepted' }
  const unknown = await stranger.post(`/abstracts/${UNKNOWN_ID}/decision`, decision)
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found'])
  for (const path of [server.path, '/abstracts/A-1', `/abstracts/${server.eventId}`]) {
    const answer = await stranger.post(`${path}/decision`, decision)
    assert.equal(answer.status, 404)
    assert.equal(withoutRequestId(answer), withoutRequestId(unknown))
  }
  assert.equal((await server.client.get(server.path)).body.status, 'submitted')
  assert.deepEqual(await readOutbox(server.db), [])
})

test('a key past its limit is a 429, and decides nothing', async t => {
  const { applied, client, clientOf, path } = await start(t)
  const limited = await clientOf(applied.account_id, { rateLimit: 1 })
  assert.equal((await limited.get('/abstracts')).status, 200)
  assert.equal((await limited.get('/abstracts')).status, 429)
  assert.equal((await limited.get(path)).status, 429)
  assert.equal((await limited.post(`${path}/decision`, { decision: 'accepted' })).status, 429)
  assert.equal((await client.get(path)).body.status, 'submitted')
})
