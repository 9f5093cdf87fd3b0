import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { type ServerOptions, startServer } from '#test/support/server.ts'

const NAME = 'strict-transport-security'
const YEAR = 'max-age=31536000'
const PUBLIC = 'https://tickets.example.org'

/** An answer of every face and kind: pages, their files, the API, what is unknown, and what is refused. */
const targets: readonly [method: string, path: string][] = [
  ['GET', '/'],
  ['GET', '/manage/sign-in'],
  ['POST', '/manage/sign-in'],
  ['GET', '/manage/'],
  ['GET', '/assets/none.css'],
  ['GET', '/door/'],
  ['GET', '/door/none'],
  ['GET', '/v1/events'],
  ['GET', '/v1/openapi.json'],
  ['POST', '/v1/events'],
  ['GET', '/v1/none'],
  ['GET', '/healthz'],
  ['GET', '/orders/none'],
  ['GET', '/tickets/none'],
  ['GET', '/unsubscribe/none'],
  ['GET', '/nobody/nothing/'],
  ['DELETE', '/'],
]

async function serve(t: TestContext, settings: ServerOptions['settings'], isSecure: boolean) {
  const folder = temporaryFolder(t)
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, selfSigned.cert)
  writeFileSync(tlsKey, selfSigned.key)
  const files = isSecure ? { tlsCert, tlsKey } : {}
  const { app } = await startServer(t, { settings: { ...files, ...settings } as never })
  const { hostname, port, protocol } = new URL(app.url)
  const host = hostname.replace('0.0.0.0', '127.0.0.1')
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const send = protocol === 'https:' ? requestSecure : requestPlain
    const sent = send({ host, port, method, path, headers, rejectUnauthorized: false, agent: false })
    sent.end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    await once(answer, 'close')
    return answer as { statusCode: number; headersDistinct: Record<string, string[] | undefined> }
  }
  const has = async (method = 'GET', path = '/', headers = {}) =>
    (await ask(method, path, headers)).headersDistinct[NAME]
  return { ask, has, host, port: Number(port) }
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const part of socket.setEncoding('utf8')) text += part
  return text
}

test('every answer that goes by TLS says for a year that the host has it, without its subdomains', async t => {
  const { ask, host, port } = await serve(t, { baseUrl: PUBLIC }, true)
  for (const [method, path] of targets) {
    const { headersDistinct, statusCode } = await ask(method, path)
    assert.deepEqual(headersDistinct[NAME], [YEAR], `${method} ${path} ${statusCode}`)
  }
  // This is no request at all.
  const socket = connect({ host, port, rejectUnauthorized: false })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  socket.write('NONSENSE\r\n\r\n')
  assert.match(await readAll(socket), /\r\nStrict-Transport-Security: max-age=31536000\r\n/)
})

test('behind a proxy it is said where the proxy was asked by TLS, and never on what goes out without', async t => {
  const { has, host, port } = await serve(t, { baseUrl: PUBLIC, trustProxy: ['127.0.0.1'] }, false)
  for (const [method, path] of targets) {
    assert.deepEqual(await has(method, path, { 'X-Forwarded-For': '203.0.113.7' }), [YEAR], path)
    assert.equal(await has(method, path), undefined, path)
  }
  const proto = (value: string) =>
    has('GET', '/', { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': value })
  assert.deepEqual(await proto('https'), [YEAR])
  assert.deepEqual(await proto('HTTPS, http'), [YEAR])
  assert.equal(await proto('http'), undefined)
  assert.equal(await proto(''), undefined)
  const socket = connectPlain(port, host)
  t.after(() => socket.destroy())
  socket.write('NONSENSE\r\n\r\n')
  assert.doesNotMatch(await readAll(socket), /Strict-Transport/)
  const other = await serve(t, { baseUrl: PUBLIC, behindProxy: true }, false)
  assert.deepEqual(await other.has(), [YEAR])
  assert.equal(await other.has('GET', '/', { 'X-Forwarded-Proto': 'http' }), undefined)
})

const silent: readonly [string, object, boolean][] = [
  ['no address is said', {}, true],
  ['the address has no TLS', { baseUrl: 'http://tickets.example.org' }, false],
  [
    'the address has a port of its own, beside which another site may have no TLS',
    { baseUrl: `${PUBLIC}:8443` },
    true,
  ],
  ['the address has no name', { baseUrl: 'https://192.0.2.7' }, true],
  ['the address has no name, in IPv6', { baseUrl: 'https://[2001:db8::7]' }, true],
]
for (const [when, settings, isSecure] of silent) {
  test(`nothing of it is said where ${when}`, async t => {
    const { has } = await serve(t, settings as never, isSecure)
    for (const [method, path] of targets)
      assert.equal(await has(method, path, { 'X-Forwarded-For': '203.0.113.7' }), undefined, path)
  })
}

test('a server with a certificate of its own locks no phone of its network in', ofSqlite, async t => {
  const { has } = await serve(
    t,
    { localCa: true, host: '127.0.0.1', baseUrl: PUBLIC, trustPort: 0, port: 0 } as never,
    false,
  )
  for (const [method, path] of targets) assert.equal(await has(method, path), undefined, path)
  assert.equal(await has('GET', '/trust'), undefined)
})
