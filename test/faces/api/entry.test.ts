import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Agent, request } from 'undici'
import { temporaryFolder } from '#test/support/folder.ts'
import { openRaw, readRaw } from '#test/support/raw.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { startServer } from '#test/support/server.ts'

const PLACES = ['/v1', '/v1/']

test('whoever opens the address of the API is led to the reference', async t => {
  const { app, log } = await startServer(t)
  for (const path of [...PLACES, '/v1?x=1']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers, body } = await request(new URL(path, app.url), { method })
      assert.equal(statusCode, 302, `${method} ${path}`)
      assert.equal(headers['cache-control'], 'no-store', 'it may lead elsewhere one day')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['x-request-id']), /^req_/)
      assert.equal(await body.text(), '')
    }
    const arrived = await fetch(new URL(path, app.url))
    assert.deepEqual([arrived.status, arrived.url], [200, `${app.url}/reference`])
    await arrived.body?.cancel()
  }
  const led = log.filter(({ status }) => status === 302)
  assert.equal(led.length, 9)
  assert.ok(led.every(({ route }) => route === '/'))
})

test('whoever opens the address of the server is led to the pages of organizers, below the path of a proxy too', async t => {
  const { app } = await startServer(t)
  const { statusCode, headers, body } = await request(new URL('/?utm_source=mail', app.url))
  await body.dump()
  assert.deepEqual([statusCode, headers.location], [302, 'manage'])
})

test('the way to the reference stays below the path that a proxy puts before it, on whatever host', async t => {
  const { app } = await startServer(t)
  for (const path of PLACES) {
    const { headers, body } = await request(new URL(path, app.url), {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    await body.dump()
    const { href } = new URL(String(headers.location), `https://example.org/turnout${path}`)
    assert.equal(href, 'https://example.org/turnout/v1/reference', path)
  }
})

test('the way to the reference counts against the address, as the reference does', async t => {
  const { app, clock } = await startServer(t)
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(new URL(path, app.url))
    await body.dump()
    return [statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
  }
  for (let left = 119; left >= 0; left--) {
    assert.deepEqual(await ask(PLACES[left % 2] as string), [302, '120', String(left)])
  }
  for (const path of [...PLACES, '/v1/reference']) assert.deepEqual(await ask(path), [429, '120', '0'], path)
  clock.advance(60_000)
  assert.equal((await ask('/v1'))[0], 302)
})

test('nothing but reading leads to the reference, and no other path does', async t => {
  const { app } = await startServer(t)
  for (const path of PLACES) {
    const { statusCode, headers, body } = await request(new URL(path, app.url), {
      method: 'POST',
      body: '{}',
    })
    const { error } = (await body.json()) as { error: { code: string } }
    assert.deepEqual([statusCode, error.code], [405, 'method_not_allowed'], path)
    assert.equal(headers.allow, 'HEAD, GET')
  }
  for (const target of ['//', '/v1//', '/V1', '/v1/.', '/%761', '/index.html', '/v10']) {
    const { socket, closed } = openRaw(app.url)
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const { status, body } = readRaw(await closed)
    assert.deepEqual([status, body.error.code], [404, 'route_not_found'], target)
  }
})

async function startWithTls(t: TestContext) {
  const folder = temporaryFolder(t)
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, selfSigned.cert)
  writeFileSync(tlsKey, selfSigned.key, { mode: 0o600 })
  return startServer(t, { settings: { tlsCert, tlsKey } })
}

test('the description names the address that the server listens at, by TLS too, and never the one it was asked by', async t => {
  const dispatcher = new Agent({ connect: { ca: selfSigned.cert, checkServerIdentity: () => undefined } })
  t.after(() => dispatcher.close())
  for (const { app } of [await startServer(t), await startWithTls(t)]) {
    const headers = { host: 'evil.example:99', 'x-forwarded-host': 'evil.example' }
    const { body } = await request(`${app.url}/openapi.json`, { dispatcher, headers })
    const { servers, info } = (await body.json()) as {
      servers: { url: string }[]
      info: { description: string }
    }
    assert.deepEqual(
      servers.map(({ url }) => url),
      [app.url],
    )
    assert.ok(info.description.includes(`'${app.url}/events'`))
    assert.doesNotMatch(JSON.stringify(info), /evil|127\.0\.0\.1:8080/)
  }
})
