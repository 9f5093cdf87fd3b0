import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { sendRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

test('an Idempotency-Key is 1 to 255 visible ASCII characters, on every POST', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const { body } = await client.post('/registrations', newRegistration(server))
  const posts: [path: string, body: unknown][] = [
    ['/registrations', newRegistration(server)],
    [`/registrations/${body.id}/cancel`, undefined],
    ['/check-ins', { attendee_id: body.attendees[0].id }],
  ]
  const before = await readState(server.db)
  for (const key of ['', ' ', '\t', 'a b', 'a\tb', 'x'.repeat(256), 'é', '\u00a0', '"\u00ff"']) {
    for (const [path, sent] of posts) {
      const answer = await client.post(path, sent, keyed(key))
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [400, 'invalid_idempotency_key'],
        `${path} ${key}`,
      )
    }
  }
  assert.deepEqual(await readState(server.db), before)
  for (const key of ['x'.repeat(255), '!~"\'\\,;', '__proto__']) {
    const first = await client.post('/registrations', newRegistration(server), keyed(key))
    assert.equal(first.status, 201)
    assert.equal((await client.post('/registrations', newRegistration(server), keyed(key))).text, first.text)
  }
})

test('two Idempotency-Key headers are no key, and a key on a GET is ignored', async t => {
  const server = await startSubscribed(t)
  const before = await readState(server.db)
  const body = JSON.stringify(newRegistration(server))
  const head = [
    'POST /v1/registrations HTTP/1.1',
    `Authorization: Bearer ${server.client.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    'Idempotency-Key: one',
    'Idempotency-Key: two',
  ].join('\r\n')
  const answer = await sendRaw(server.app.url, `${head}\r\n\r\n${body}`)
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'invalid_idempotency_key'])
  assert.deepEqual(await readState(server.db), before)
  for (const key of ['fine', 'not fine'])
    assert.equal((await server.client.get('/events', keyed(key))).status, 200)
  assert.deepEqual((await readState(server.db)).keptAnswers, [])
})
