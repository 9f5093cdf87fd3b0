import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '#test/support/folder.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { assertRefused, commandLine } from './turnout.ts'

/** Starts something that answers every question alike. @returns its port */
async function answering(t: TestContext, status: number, body: string): Promise<string> {
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url)
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    assert.ok(paths.length > 0 && paths.every(path => path === '/healthz'))
  })
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

test('a server that can write is healthy, and one that has ended is not, each in a sentence with its exit code', {
  timeout: 60_000,
}, async t => {
  const { turnout } = commandLine(t)
  const server = await startServerProcess(t, join(temporaryFolder(t), 'data'))
  const { port } = new URL(server.url)
  const url = `http://127.0.0.1:${port}`
  assert.deepEqual(await turnout('healthy', '--port', port), {
    ...{ code: 0, out: `The server at ${url} is healthy.\n`, err: '' },
  })
  // A server in a container listens on all addresses.
  assert.equal((await turnout('healthy', '--port', port, '--host', '0.0.0.0')).code, 0)
  const { out } = await turnout('healthy', '--port', port, '--json')
  assert.deepEqual(JSON.parse(out), { ok: true, url, status: 'ok', details: [] })
  // Who expects https does not take an answer without it for one.
  assertRefused(await turnout('healthy', '--port', port, '--tls-cert', 'unread.pem'), /does not answer \(/)
  server.kill('SIGTERM')
  await server.ended
  assertRefused(
    await turnout('healthy', '--port', port),
    /^error: The server at \S+ does not answer \(ECONNREFUSED\)\.$/m,
  )
})

test('a server that cannot write, and another program at its port, are not healthy', async t => {
  const { turnout } = commandLine(t)
  const full = await answering(t, 503, '{"status":"unavailable"}')
  assertRefused(await turnout('healthy', '--port', full), /cannot write to its database\.$/m)
  const other = await answering(t, 404, '<h1>Not found</h1>')
  assertRefused(await turnout('healthy', '--port', other), /is no server of Turnout: it answers 404\.$/m)
  const { code, out } = await turnout('healthy', '--port', full, '--json')
  assert.equal(code, 1)
  assert.equal(JSON.parse(out).ok, false)
})

test('the settings of the server say where it is asked, and a port that is none is refused', async t => {
  const { turnout } = commandLine(t)
  const places = [
    [['--local-ca', '--port', '1'], 'https://127.0.0.1:1'],
    [['--host', '::', '--port', '1'], 'http://[::1]:1'],
    [['--host', '::1', '--port', '1'], 'http://[::1]:1'],
  ] as const
  for (const [flags, url] of places) {
    const { code, err } = await turnout('healthy', ...flags)
    assert.equal(code, 1)
    assert.ok(err.startsWith(`error: The server at ${url} does not answer (`), err)
  }
  for (const port of ['0', '65536', 'x']) {
    assertRefused(await turnout('healthy', '--port', port), /--port must be a whole number/)
  }
  assertRefused(await turnout('healthy', '--host', 'a b'), /does not answer \(/)
})
