import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { HttpServer } from '#machinery/http/server.ts'

async function listen(listener: RequestListener) {
  const http = new HttpServer(pino({ level: 'silent' }))
  http.serve({ listener, standingHeaders: () => ({}) })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  return { http, port: (http.server.address() as AddressInfo).port }
}

test('an answer that its client reads slowly is not cut off when the server closes', async () => {
  const size = 30 * 1024 * 1024
  const { http, port } = await listen((_request, response) => {
    response.setHeader('Content-Length', size)
    response.end(Buffer.alloc(size))
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await once(socket, 'readable')
  const closed = http.close()
  await pause(20)
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  await once(socket, 'close')
  await closed
  assert.ok(received > size, `${received} of ${size} bytes`)
})

test('a connection without a request is closed with the server, at once', async () => {
  const { http, port } = await listen((_request, response) => response.end('ok'))
  const [idle, kept] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  kept.write('GET / HTTP/1.1\r\n\r\n')
  await once(kept, 'data')
  const ends = [once(idle, 'close'), once(kept, 'close')]
  idle.resume()
  kept.resume()
  await Promise.all([http.close(), ...ends])
})

test('where connections may linger, one that is kept has a last request while others are refused', async () => {
  const { http, port } = await listen((_request, response) => response.end('ok'))
  const [kept, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  kept.write('GET / HTTP/1.1\r\n\r\n')
  const [first] = await once(kept, 'data')
  assert.match(String(first), /Connection: keep-alive/)
  const closed = http.close(3_600_000)
  const late = connect(port, '127.0.0.1')
  const [error] = await once(late, 'error')
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED')
  let last = ''
  kept.on('data', piece => {
    last += piece
  })
  kept.write('GET / HTTP/1.1\r\n\r\n')
  await once(kept, 'close')
  assert.match(last, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/)
  // Nobody is left to wait for.
  silent.destroy()
  await closed
})
