import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect as connectSecurely } from 'node:tls'
import { noteUnframed } from '#machinery/http/breaking-off.ts'
import { Connections } from '#machinery/http/connections.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { openRows } from '#test/support/rows.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { readRest, requestOf } from '#test/support/slow.ts'

const crowd = { count: 6_000, answers: () => ({ diet: 'x'.repeat(3_000) }) }

/** Asks as a client of HTTP/1.0 does, and reads the beginning of the answer. */
async function ask(url: string, request: string): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url)
  const at = { host: hostname, port: Number(port) }
  const socket = protocol === 'https:' ? connectSecurely({ ...at, ca: selfSigned.cert }) : connect(at)
  socket.write(`${request}\r\n`)
  const [begin] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  assert.match(begin.toString('latin1'), /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(begin.toString('latin1'), /content-length|transfer-encoding/i)
  return socket
}

/**
 * Resolves with what a client that has read nothing learns at its next step. A reset alone is reported; to Node's own reading it
 * looks like an end.
 */
function nextError(socket: Socket): Promise<string | undefined> {
  socket.on('error', () => undefined)
  return new Promise(resolve => {
    socket.write('x', error => resolve((error as NodeJS.ErrnoException | null | undefined)?.code))
  })
}

async function startWithReport(t: TestContext, scheme: 'http' | 'https') {
  const folder = temporaryFolder(t)
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, selfSigned.cert)
  writeFileSync(tlsKey, selfSigned.key)
  const settings = scheme === 'https' ? { tlsCert, tlsKey } : {}
  const server = await startWithOrganization(t, undefined, { settings })
  const { data, applied, eventId, types, app, client } = server
  await insertCrowd({ data, accountId: applied.account_id, eventId, typeId: types.Standard as string }, crowd)
  const rows = await openRows(t, data)
  const request = requestOf(`/reports/registrations?event_id=${eventId}&format=csv`, client.key, {
    version: '1.0',
  })
  return { ...server, rows, ask: () => ask(app.url, request) }
}

for (const scheme of ['http', 'https'] as const) {
  test(`a report that breaks off is an error to a client of HTTP/1.0 too, over ${scheme}; a whole one is not`, async t => {
    const server = await startWithReport(t, scheme)
    const complete = await readRest(await server.ask())
    assert.ok(
      complete.error === undefined && complete.bytes > 18_000_000,
      `${complete.error}, ${complete.bytes} bytes`,
    )
    const socket = await server.ask()
    await server.rows.run('ALTER TABLE attendees RENAME TO hidden')
    const cut = await readRest(socket)
    assert.equal(cut.error, 'ECONNRESET')
    assert.ok(cut.bytes < 18_000_000)
    assert.equal(server.log.filter(({ msg }) => msg === 'a report broke off').length, 1)
  })
}

for (const end of ['given up', 'cut off as the server closes'] as const) {
  test(`one that nobody reads is an error when it is ${end}`, async t => {
    const server = createServer((_request, response) => {
      noteUnframed(response)
      response.write(Buffer.alloc(30 * 1024 * 1024))
    })
    t.after(() => server.close())
    server.timeout = 100
    const connections = new Connections(server)
    server.on('request', (request, response) => connections.note(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const ended = once(server, 'request').then(([, response]) => once(response, 'close'))
    const { port } = server.address() as AddressInfo
    const socket = await ask(`http://127.0.0.1:${port}`, 'GET / HTTP/1.0\r\n')
    if (end !== 'given up') await connections.close(0)
    await ended
    assert.match(String(await nextError(socket)), /^(ECONNRESET|EPIPE)$/)
  })
}

test('one that is being sent is an error when the process is ended by a second signal', async t => {
  const folder = await prepareDataFolder(t)
  await insertCrowd(folder, crowd)
  const server = await startServerProcess(t, folder.data)
  const request = requestOf(`/reports/registrations?event_id=${folder.eventId}&format=csv`, folder.key, {
    version: '1.0',
  })
  const socket = await ask(server.url, request)
  server.kill('SIGTERM')
  await new Promise(done => setTimeout(done, 300))
  server.kill('SIGTERM')
  assert.equal((await server.ended).signal, 'SIGTERM')
  assert.match(String(await nextError(socket)), /^(ECONNRESET|EPIPE)$/)
})
