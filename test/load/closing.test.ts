import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startServer } from '#test/support/server.ts'

const REQUEST = 'GET /v1/openapi.json HTTP/1.1\r\n\r\n'

test('a request that has arrived when the server begins to close is answered, and is the last on its connection', async t => {
  const { app } = await startServer(t)
  const { hostname, port } = new URL(app.url)
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect(Number(port), hostname).setEncoding('utf8')
      let received = ''
      socket.on('data', text => {
        received += text
      })
      const closed = once(socket, 'close').then(() => received)
      socket.write(REQUEST)
      while (!received.endsWith('}')) await once(socket, 'data')
      return { socket, closed }
    }),
  )
  // The bytes are with the system before the server closes, and the server has not read them.
  for (const { socket } of sockets) socket.write(REQUEST)
  await app.close()
  for (const { closed } of sockets) {
    const answers = (await closed).split(/(?=HTTP\/1\.1 )/)
    assert.deepEqual(
      answers.map(answer => [answer.split('\r\n')[0], /^connection: (.*)\r$/im.exec(answer)?.[1]]),
      [
        ['HTTP/1.1 200 OK', 'keep-alive'],
        ['HTTP/1.1 200 OK', 'close'],
      ],
    )
  }
})

test('a server that is told twice to stop stops once, and who tells it again waits for the end too', async t => {
  const { app } = await startServer(t)
  let ended = false
  const first = app.close().then(() => {
    ended = true
  })
  await app.close()
  assert.ok(ended)
  await first
})
