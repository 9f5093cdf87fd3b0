import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import pino from 'pino'
import { readCertificate } from '#machinery/http/certificate.ts'
import { HttpServer } from '#machinery/http/server.ts'
import { chained } from '#test/support/chained.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { readRaw } from '#test/support/raw.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { type ServerOptions, startServer } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

const ca = [selfSigned.cert, chained.root]

/** Starts a server with TLS, whose certificate lies in a folder as certbot keeps it: links to the files of the latest renewal. */
async function startWithTls(t: TestContext, options: ServerOptions = {}) {
  const folder = temporaryFolder(t)
  const cert = join(folder, 'fullchain.pem')
  const key = join(folder, 'privkey.pem')
  let renewals = 0
  /** Replaces the files of the pair, each by a link of the same name. */
  const put = (content: { cert?: string; key?: string }) => {
    const archive = join(folder, `renewal-${++renewals}`)
    mkdirSync(archive)
    for (const [name, text] of Object.entries(content)) {
      const path = name === 'cert' ? cert : key
      writeFileSync(join(archive, name), text)
      symlinkSync(join(archive, name), `${path}.new`)
      renameSync(`${path}.new`, path)
    }
  }
  put(selfSigned)
  const server = await startServer(t, {
    ...options,
    settings: { tlsCert: cert, tlsKey: key, ...options.settings },
  })
  const { hostname, port } = new URL(server.app.url)
  const at = { host: hostname.replace('0.0.0.0', '127.0.0.1'), port: Number(port), ca }

  /** Opens a connection as a client that verifies the certificate does. */
  async function open(more: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connect({ ...at, ...more })
    t.after(() => socket.destroy())
    await once(socket, 'secureConnect')
    return socket
  }

  return {
    ...server,
    at,
    put,
    open,
    subjectOf: async () => {
      const socket = await open()
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      return subject.CN
    },
    linesOf: (message: string) => server.log.filter(line => line.msg === message),
  }
}

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Sends a request on an open connection, and waits for its answer. */
async function ask(socket: TLSSocket, bytes = GET): Promise<string> {
  socket.write(bytes)
  const [chunk] = await once(socket, 'data')
  return chunk.toString()
}

async function all(socket: TLSSocket): Promise<string> {
  let received = ''
  for await (const chunk of socket) received += chunk.toString('latin1')
  return received
}

test('a server with a certificate speaks https with TLS 1.2 and 1.3, nothing older, and may listen anywhere', async t => {
  const { app, open, at } = await startWithTls(t, { settings: { host: '0.0.0.0' } })
  assert.match(app.url, /^https:\/\/0\.0\.0\.0:\d+\/v1$/)
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await open({ minVersion: version, maxVersion: version })
    assert.equal(socket.authorized, true)
    assert.equal(socket.getProtocol(), version)
    assert.match(await ask(socket), /^HTTP\/1\.1 200 OK\r\n/)
  }
  const old = connect({ ...at, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
  const [error] = await once(old, 'error')
  assert.match(error.code, /^ERR_SSL_/)
})

test('a renewed certificate is for new connections; those that are open go on with the old one', async t => {
  const { app, open, put, subjectOf, linesOf, at } = await startWithTls(t)
  const kept = await open()
  const tickets: Buffer[] = []
  const resumable = connect({ ...at, maxVersion: 'TLSv1.2' })
  resumable.on('session', ticket => tickets.push(ticket))
  await once(resumable, 'secureConnect')
  await ask(resumable)
  assert.equal(await subjectOf(), 'Turnout tests only')

  put({ key: chained.key, cert: chained.cert + chained.intermediate })
  await app.settled('certificate')
  assert.equal(await subjectOf(), 'Turnout tests leaf')
  assert.match(await ask(kept), /^HTTP\/1\.1 200 OK\r\n/)
  assert.equal(kept.getPeerCertificate().subject.CN, 'Turnout tests only')
  assert.equal(linesOf('a new certificate is in use').length, 1)

  // Whoever resumes a session of the old certificate is shown the new one.
  const [session] = tickets
  assert.ok(session)
  const again = await open({ session, maxVersion: 'TLSv1.2' })
  assert.equal(again.isSessionReused(), false)
  assert.equal(again.getPeerCertificate().subject.CN, 'Turnout tests leaf')
  resumable.destroy()
})

test('a pair that does not match, is half written or gone is not used, is said once, and is tried again', async t => {
  const { app, put, subjectOf, linesOf, log, open } = await startWithTls(t)
  const warnings = () => linesOf('the old certificate stays in use').map(line => String(line.reason))
  const steps: [{ cert?: string; key?: string }, RegExp][] = [
    [{ key: chained.key }, /--tls-key .* does not match the first certificate in /],
    [{ cert: chained.cert.slice(0, 200) }, /--tls-cert .* holds no certificate/],
    [{ cert: '' }, /--tls-cert .* holds no certificate/],
    [{ cert: chained.cert + chained.intermediate, key: '' }, /--tls-key .* holds no private key/],
  ]
  for (const [content, reason] of steps) {
    put(content)
    await app.settled('certificate')
    assert.match(warnings().at(-1) ?? '', reason)
    assert.equal(await subjectOf(), 'Turnout tests only')
  }
  assert.equal(new Set(warnings()).size, warnings().length)
  put({ key: chained.key })
  await app.settled('certificate')
  assert.equal(await subjectOf(), 'Turnout tests leaf')
  assert.match(await ask(await open()), /^HTTP\/1\.1 200 OK\r\n/)
  assert.ok(!JSON.stringify(log).includes('PRIVATE KEY'))
  assert.ok(!JSON.stringify(log).includes(chained.key.split('\n')[1] as string))
})

test('a file that is taken away leaves the certificate in use', async t => {
  const clock = testClock()
  const folder = temporaryFolder(t)
  const [tlsCert, tlsKey] = [join(folder, 'cert'), join(folder, 'key')]
  writeFileSync(tlsCert, selfSigned.cert)
  writeFileSync(tlsKey, selfSigned.key)
  const { app, log } = await startServer(t, {
    clock,
    settings: { tlsCert, tlsKey },
  })
  rmSync(tlsKey)
  await app.settled('certificate')
  assert.ok(log.some(line => /no such file/.test(String(line.reason))))
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port), ca })
  await once(socket, 'secureConnect')
  socket.destroy()
})

test('an expired certificate, and one that is not valid yet, are warned of, and the service goes on', async t => {
  for (const [date, warning] of [
    ['2200-01-01T00:00:00.000Z', /has expired at 2126-/],
    ['2001-01-01T00:00:00.000Z', /valid only from 2026-/],
  ] as const) {
    const { log, subjectOf } = await startWithTls(t, { clock: testClock(date) })
    assert.equal(await subjectOf(), 'Turnout tests only')
    assert.equal(log.filter(line => line.level === 40 && warning.test(String(line.msg))).length, 1)
  }
})

test('a certificate that expires while the server runs is warned of once', async t => {
  const clock = testClock()
  const { app, log } = await startWithTls(t, { clock })
  const warnings = () => log.filter(line => /has expired/.test(String(line.msg))).length
  assert.equal(warnings(), 0)
  clock.set('2200-01-01T00:00:00.000Z')
  // Each time it looks twice.
  for (let times = 0; times < 2; times++) await app.settled('certificate')
  assert.equal(warnings(), 1)
})

test('plain http on the TLS port is cut off without an answer, and others are served', async t => {
  const { at, subjectOf, log } = await startWithTls(t)
  const plain = connectPlain(at.port, at.host)
  plain.write(GET)
  let received = ''
  plain.on('data', chunk => {
    received += chunk.toString('latin1')
  })
  plain.on('error', () => undefined)
  await once(plain, 'close')
  assert.ok(!received.includes('HTTP/'), received)
  assert.equal(await subjectOf(), 'Turnout tests only')
  assert.ok(!log.some(line => Number(line.level) >= 40))
})

test('a request that the HTTP parser refuses is answered over TLS too: 431 to its reader, 400, and 405 for CONNECT', async t => {
  const { open } = await startWithTls(t)
  const refused: [string, number][] = [
    [`GET /v1/events HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(10_000_000)}\r\n\r\n`, 431],
    ['hello\r\n\r\n', 400],
    ['CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
  ]
  for (const [bytes, status] of refused) {
    const socket = await open()
    socket.on('error', () => undefined)
    socket.write(bytes)
    assert.equal(readRaw(await all(socket)).status, status)
  }
})

test('addresses are counted over TLS as without it, and HEAD has no body', async t => {
  const { open } = await startWithTls(t)
  const socket = await open()
  const left = async () => {
    const answer = await ask(socket, 'HEAD /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.ok(answer.endsWith('\r\n\r\n'))
    return Number(/^x-ratelimit-remaining: (\d+)/im.exec(answer)?.[1])
  }
  assert.deepEqual([await left(), await left()], [119, 118])
})

test('headers that come too slowly are a 408 over TLS, and a handshake that does not go on is ended', async t => {
  const folder = temporaryFolder(t)
  const files = { cert: join(folder, 'cert'), key: join(folder, 'key') }
  writeFileSync(files.cert, selfSigned.cert)
  writeFileSync(files.key, selfSigned.key)
  const http = new HttpServer(pino({ level: 'silent' }), {
    certificate: await readCertificate(files),
    // The good one has its time on a busy machine, too.
    handshakeTimeout: 500,
  })
  t.after(() => http.close())
  http.serve({ listener: (_request, response) => response.end('ok') })
  http.server.headersTimeout = 20
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  assert.equal(http.server.timeout, 120_000)
  const { port } = http.server.address() as { port: number }
  const halfOpen = Array.from({ length: 20 }, () => connectPlain(port, '127.0.0.1').resume())
  for (const socket of halfOpen) socket.on('error', () => undefined)
  const slow = connect({ port, host: '127.0.0.1', ca })
  await once(slow, 'secureConnect')
  slow.write('GET /healthz HT')
  assert.match(await all(slow), /^HTTP\/1\.1 408 /)
  await eventually('the end of every handshake', () => halfOpen.every(socket => socket.closed))
  await eventually('no connection', () => http.open === 0)
})

test('an address gets a thousand connections, those in their handshake too, and the one that is silent longest makes room', async t => {
  const { at, open, log } = await startWithTls(t)
  const kept = await open()
  const answered = await open()
  await ask(answered)
  const sockets = Array.from({ length: 998 }, () => connectPlain(at.port, at.host))
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  kept.resume()
  const ends = once(kept, 'close')
  const scanner = await open()
  assert.match(await ask(scanner), /^HTTP\/1\.1 200 OK\r\n/)
  await ends
  assert.deepEqual([answered.closed, sockets.some(socket => socket.closed)], [false, false])

  // All the others were closed, before any that has asked since.
  assert.match(await ask(answered), /^HTTP\/1\.1 200 OK\r\n/)
  for (let count = 0; count < 998; count++) connectPlain(at.port, at.host).on('error', () => undefined)
  await eventually('the end of the silent', () => sockets.every(socket => socket.closed))
  for (const socket of [scanner, answered]) assert.match(await ask(socket), /^HTTP\/1\.1 200 OK\r\n/)
  assert.ok(!log.some(line => Number(line.level) >= 40))
})

test('closing ends idle and half open connections at once, and lets an answer that is under way end', async t => {
  const { app, at, open } = await startWithTls(t)
  const idle = await open()
  const kept = await open()
  await ask(kept)
  const halfOpen = connectPlain(at.port, at.host)
  await once(halfOpen, 'connect')
  const ends = [idle, kept, halfOpen].map(socket => {
    socket.on('error', () => undefined)
    socket.resume()
    return once(socket, 'close')
  })
  const answering = await open()
  answering.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = all(answering)
  const began = performance.now()
  await Promise.all([once(answering, 'readable').then(() => app.close()), ...ends])
  assert.ok(performance.now() - began < 5_000)
  const [head = '', body] = (await answer).split('\r\n\r\n')
  assert.equal(body?.length, Number(/^content-length: (\d+)/im.exec(head)?.[1]))
})
