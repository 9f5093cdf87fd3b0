import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newApiKey } from '#product/administration/keys/api-key.ts'
import { readState } from '#test/support/observations.ts'
import { openRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

async function start(t: TestContext) {
  const server = await startSubscribed(t)
  const key = server.client.key as string
  /** Sends an import with these header lines, and gives its status and code. */
  async function send(...lines: string[]): Promise<[status: number, code: string | undefined]> {
    const body = JSON.stringify(newRegistration(server))
    const { socket, closed } = openRaw(server.app.url)
    const head = [...lines, `Content-Length: ${body.length}`, 'Connection: close', '', body].join('\r\n')
    socket.write(`POST /v1/registrations HTTP/1.1\r\n${head}`)
    const received = await closed
    return [Number(received.slice(9, 12)), /"code":"(\w+)"/.exec(received)?.[1]]
  }
  return { ...server, key, send }
}

const JSON_TYPE = 'Content-Type: application/json'

test('a key header that is sent twice is a 401, also when both are the same, and wherever the second stands', async t => {
  const { send, key, db } = await start(t)
  const before = await readState(db)
  const other = newApiKey()
  const bearer = (value: string) => `Authorization: Bearer ${value}`
  const many = Array.from({ length: 2_100 }, () => 'a:')
  for (const lines of [
    [bearer(key), bearer(other)],
    [bearer(other), bearer(key)],
    [bearer(key), bearer(key)],
    [bearer(key), 'authorization: Basic YTpi'],
    ['AUTHORIZATION: Basic YTpi', bearer(key)],
    [bearer(key), 'Authorization:'],
    [bearer(key), ...many, bearer(other)],
    [`X-API-Key: ${key}`, `X-API-Key: ${other}`],
    [`X-API-Key: ${key}`, `x-api-key: ${key}`],
    [`X-API-Key: ${key}`, 'X-API-Key:'],
    [bearer(key), `X-API-Key: ${key}`, `X-API-Key: ${key}`],
    [bearer(key), `X-API-Key: ${other}`],
  ]) {
    assert.deepEqual(
      await send(...lines, JSON_TYPE),
      [401, 'ambiguous_credentials'],
      lines.join(' ').slice(0, 200),
    )
  }
  assert.deepEqual(await readState(db), before)
  assert.deepEqual(await send(bearer(key), `X-API-Key: ${key}`, JSON_TYPE), [201, undefined])
})

test('other headers that decide something may not contradict each other', async t => {
  const { send, key, db } = await start(t)
  const auth = `Authorization: Bearer ${key}`
  const before = await readState(db)
  const refused: [status: number, code: string, ...lines: string[]][] = [
    [415, 'unsupported_media_type', JSON_TYPE, 'Content-Type: text/plain'],
    [415, 'unsupported_media_type', 'Content-Type: text/plain', JSON_TYPE],
    [415, 'unsupported_media_type', JSON_TYPE, 'Content-Type:'],
    [415, 'unsupported_media_type', JSON_TYPE, 'Content-Encoding: identity', 'Content-Encoding: gzip'],
    [400, 'invalid_idempotency_key', JSON_TYPE, 'Idempotency-Key: a', 'Idempotency-Key: b'],
    [400, 'invalid_idempotency_key', JSON_TYPE, 'Idempotency-Key: a', 'Idempotency-Key: a'],
    [400, 'invalid_idempotency_key', JSON_TYPE, 'Idempotency-Key: a', 'Idempotency-Key:'],
    [400, 'invalid_parameter', JSON_TYPE, 'Content-Length: 3'],
  ]
  for (const [status, code, ...lines] of refused)
    assert.deepEqual(await send(auth, ...lines), [status, code], lines.join(' '))
  assert.deepEqual(await readState(db), before)
  // The same header twice counts as once; and Host decides nothing.
  for (const lines of [
    [JSON_TYPE],
    ['Host: a.example', 'Host: b.example'],
    ['X-Forwarded-For: a', 'X-Forwarded-For: b'],
  ])
    assert.deepEqual(await send(auth, JSON_TYPE, ...lines), [201, undefined], lines.join(' '))
})
