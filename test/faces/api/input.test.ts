import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Client } from '#test/support/client.ts'
import { readState } from '#test/support/observations.ts'
import { openRaw, readRaw, sendRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const MAX_BODY = 1_048_576

const GRACE = { name: 'Grace', email: 'grace@example.org' }

test('a body that is not JSON in UTF-8 is malformed, and leaves nothing behind', async t => {
  const server = await startSubscribed(t)
  const good = JSON.stringify(newRegistration(server))
  const before = await readState(server.db)
  const name = Buffer.from(good.replace('Grace', '@'))
  const withBytes = (...bytes: number[]) => {
    const at = name.indexOf('@')
    return Buffer.concat([name.subarray(0, at), Buffer.from(bytes), name.subarray(at + 1)])
  }
  const bodies: (string | Buffer)[] = [
    ['', ' ', '{', '}', '{"a"}', good.slice(0, -1), `${good}}`, `${good}${good}`, `${good.slice(0, -1)},}`],
    [
      "{'event_id':1}",
      '{event_id:1}',
      'event_id=1',
      '// {}',
      'undefined',
      'NaN',
      '{"quantity":01}',
      '{"quantity":.5}',
    ],
    ['{"a":"\t"}', '{"a":"\\x41"}', '{"a":"\\u12"}', `\ufeff${good}`, Buffer.from(good, 'utf16le')],
    [
      withBytes(0xff),
      withBytes(0xc3),
      withBytes(0xc0, 0x80),
      withBytes(0xed, 0xa0, 0x80),
      withBytes(0xf4, 0x90, 0x80, 0x80),
    ],
    [gzipSync(good)],
  ].flat()
  for (const body of bodies) {
    for (const path of ['/registrations', '/check-ins']) {
      const answer = await server.client.post(path, body)
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'malformed_json'], String(body))
    }
  }
  assert.equal((await server.client.send('POST', '/registrations')).body.error.code, 'malformed_json')
  assert.deepEqual(await readState(server.db), before)
})

test('a body that is JSON but no object is a 400', async t => {
  const { client, db } = await startSubscribed(t)
  const before = await readState(db)
  for (const body of ['null', 'true', '1', '"x"', '[]', '[{}]', '[[[[]]]]']) {
    const answer = await client.post('/registrations', body)
    const { code, message } = answer.body.error
    assert.deepEqual(
      [answer.status, code, message],
      [400, 'invalid_parameter', 'The body must be an object.'],
      body,
    )
  }
  assert.deepEqual(await readState(db), before)
})

test('deeply nested JSON is refused as any other, and does not hurt the server', async t => {
  const { client } = await startWithOrganization(t)
  const depth = 500_000
  const bodies = [
    '['.repeat(depth) + ']'.repeat(depth),
    `${'{"a":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`,
    `{"answers":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    '['.repeat(depth),
  ]
  for (const body of bodies) assert.equal((await client.post('/registrations', body)).status, 400)
  assert.equal((await client.get('/events')).status, 200)
})

test('a field that is not known is refused at every level, with its path: no misspelling is ignored', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const before = await readState(server.db)
  const names = [
    'quantiy',
    'Quantity',
    'id',
    'status',
    'amount_total',
    '',
    '__proto__',
    'constructor',
    'toString',
    'é',
  ]
  const good = newRegistration(server, { attendees: [GRACE, GRACE] })
  for (const name of names) {
    const field = `{${JSON.stringify(name)}:5,`
    const places: [body: string, param: string][] = [
      [JSON.stringify(good).replace('{', field), name],
      [JSON.stringify(good).replace('"buyer":{', `"buyer":${field}`), `buyer.${name}`],
      [JSON.stringify(good).replace('"attendees":[{', `"attendees":[${field}`), `attendees.0.${name}`],
    ]
    for (const [body, param] of places) {
      const { status, body: answer } = await client.post('/registrations', body)
      assert.deepEqual(
        [status, answer.error.code, answer.error.param],
        [400, 'unknown_parameter', param],
        body,
      )
    }
    const scan = await client.post(
      '/check-ins',
      `${field}"attendee_id":"0197a0b4-0000-7000-8000-00000000dead"}`,
    )
    assert.deepEqual(
      [scan.status, scan.body.error.code, scan.body.error.param],
      [400, 'unknown_parameter', name],
    )
  }
  assert.deepEqual(await readState(server.db), before)
})

test('the name of an unknown field is given back cut and well-formed, whatever it is', async t => {
  const { client } = await startWithOrganization(t)
  for (const name of ['x'.repeat(100_000), '\ud800', `${'a'.repeat(99)}😀`, 'a.b.c', '\u0000']) {
    const { status, body } = await client.post('/check-ins', { [name]: 1 })
    assert.equal(status, 400)
    assert.ok(body.error.param.length <= 100 && body.error.param.isWellFormed())
  }
})

test('a body must be sent as JSON in UTF-8, and not compressed', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const body = JSON.stringify(newRegistration(server))
  const before = await readState(server.db)
  const types = [
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]
  const others = [
    'application/json; charset=latin1',
    'application/json, text/plain',
    'application/jsonp',
    'json',
  ]
  for (const type of [...types, ...others]) {
    for (const path of ['/registrations', '/check-ins', `/registrations/${server.eventId}/cancel`]) {
      const answer = await client.send('POST', path, { body, headers: { 'content-type': type } })
      assert.deepEqual([answer.status, answer.body.error.code], [415, 'unsupported_media_type'], type)
    }
  }
  const compressed = { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }
  assert.equal((await client.send('POST', '/registrations', compressed)).status, 415)
  assert.deepEqual(await readState(server.db), before)
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ]) {
    const answer = await client.send('POST', '/registrations', { body, headers: { 'content-type': type } })
    assert.equal(answer.status, 201, type)
  }
})

test('a body of 1 MiB is read, and one byte more is a 413, with its length or in chunks', async t => {
  const server = await startSubscribed(t)
  const body = JSON.stringify(newRegistration(server))
  const largest = body + ' '.repeat(MAX_BODY - body.length)
  const before = await readState(server.db)
  for (const answer of [
    await server.client.post('/registrations', `${largest} `),
    await server.client.post('/check-ins', ' '.repeat(8 * MAX_BODY)),
    await server.client.post(`/registrations/${server.eventId}/cancel`, `${largest} `),
    await sendRaw(server.app.url, inChunks(server.client, `${largest} `)),
    await sendRaw(server.app.url, inChunks(server.client, ' '.repeat(8 * MAX_BODY))),
  ]) {
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large'])
  }
  assert.deepEqual(await readState(server.db), before)
  assert.equal((await server.client.post('/registrations', largest)).status, 201)
  const { socket, closed } = openRaw(server.app.url)
  socket.write(inChunks(server.client, largest))
  assert.match(await closed, /^HTTP\/1\.1 201 /)
})

/** Returns a request for an import whose length nobody knows beforehand. */
function inChunks(client: Client, text: string): string {
  const head =
    `POST /v1/registrations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: close\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunks = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) => {
    const chunk = text.slice(at * 65_536, (at + 1) * 65_536)
    return `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  })
  return `${head}${chunks.join('')}0\r\n\r\n`
}

for (const [how, header] of [
  ['of a length that is too large', 'Content-Length: 1000000000'],
  ['in chunks without end', 'Transfer-Encoding: chunked'],
] as const) {
  test(`a body ${how} is refused while it is still coming in, and its sender can read the answer`, async t => {
    const server = await startSubscribed(t)
    const before = await readState(server.db)
    const { socket, closed } = openRaw(server.app.url)
    const head = [
      'POST /v1/registrations HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${server.client.key}`,
      'Content-Type: application/json',
      header,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const chunk = Buffer.alloc(65_536, ' ')
    const framed = Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])
    let received = ''
    const answered = new Promise<void>(resolve => {
      socket.on('data', bytes => {
        received += bytes.toString('latin1')
        if (received.includes('}}')) resolve()
      })
    })
    let sent = 0
    while (received === '' && sent < 4 * MAX_BODY) {
      if (!socket.write(how.startsWith('in') ? framed : chunk))
        await new Promise(resolve => socket.once('drain', resolve))
      sent += chunk.length
      await nextTurn()
    }
    await answered
    const answer = readRaw(received)
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large'])
    assert.deepEqual(await readState(server.db), before)
    // It goes on sending: it is read for a while, and then cut off.
    while (!socket.destroyed && sent < 64 * MAX_BODY) {
      if (!socket.write(how.startsWith('in') ? framed : chunk)) {
        await Promise.race([new Promise(resolve => socket.once('drain', resolve)), closed])
      }
      sent += chunk.length
    }
    assert.ok(sent < 64 * MAX_BODY, 'the connection is cut')
    await closed
  })
}

test('a body that was refused does not spoil the next request on its connection', async t => {
  const server = await startWithOrganization(t)
  const { socket } = openRaw(server.app.url)
  let received = ''
  socket.on('data', bytes => {
    received += bytes.toString('latin1')
  })
  const head = (length: number) =>
    `POST /v1/check-ins HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.client.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  socket.write(head(2 * MAX_BODY))
  socket.write(Buffer.alloc(2 * MAX_BODY, ' '))
  socket.write(`${head(2)}{}`)
  while (!received.includes('exactly one')) {
    assert.ok(!socket.destroyed, received)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  socket.destroy()
  assert.deepEqual(
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['413', '400'],
  )
})
