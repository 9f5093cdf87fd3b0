import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import zlib from 'node:zlib'

const { gzip } = zlib
let fails = 1
mock.method(zlib, 'gzip', (text: Buffer, callback: (error: Error | null, packed?: Buffer) => void) => {
  if (fails-- > 0) callback(new Error('no memory'))
  else gzip(text, callback)
})
syncBuiltinESMExports()
const { startServer } = await import('#test/support/server.ts')

test('a page that could not be compressed once is compressed for the next who asks', async t => {
  const { app } = await startServer(t)
  const ask = () => fetch(`${app.url}/reference`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal((await ask()).status, 500)
  const { status, headers } = await ask()
  assert.deepEqual([status, headers.get('content-encoding')], [200, 'gzip'])
})

test('a public page is sent in parts, so that those who read slowly do not keep a whole one each', async t => {
  const { app } = await startServer(t)
  const parts: number[] = []
  const see = (message: unknown) => {
    const { response } = message as { response: ServerResponse }
    const write = response.write.bind(response) as (chunk: Buffer) => boolean
    response.write = (chunk: Buffer) => {
      parts.push(chunk.length)
      return write(chunk)
    }
  }
  diagnostics.subscribe('http.server.request.start', see)
  t.after(() => diagnostics.unsubscribe('http.server.request.start', see))
  const answer = await fetch(`${app.url}/reference`, { headers: { 'accept-encoding': 'identity' } })
  const total = Buffer.byteLength(await answer.text())
  assert.equal(answer.headers.get('content-length'), String(total))
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    total,
  )
  assert.ok(Math.max(...parts) <= 16 * 1024)
})
