import assert from 'node:assert/strict'
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
const { startServer } = await import('../support/server.ts')

test('a page that could not be compressed once is compressed for the next who asks', async t => {
  const { app } = await startServer(t)
  const ask = () => fetch(`${app.url}/reference`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal((await ask()).status, 500)
  const { status, headers } = await ask()
  assert.deepEqual([status, headers.get('content-encoding')], [200, 'gzip'])
})
