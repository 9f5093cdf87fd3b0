import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { receive } from '#machinery/http/receiving.ts'

/** Receives one body. @returns it, and for how many bytes there had to be room, each time */
async function receiveOne(t: TestContext, pieces: readonly string[], length?: number, max = 1_000_000) {
  const rooms: number[] = []
  const received = new Promise<Buffer>((resolve, reject) => {
    const server = createServer((request, response) => {
      server.emit('begun')
      const declared = request.headers['content-length']
      receive(request, declared === undefined ? undefined : Number(declared), max, room => rooms.push(room))
        .then(resolve, reject)
        .finally(() => response.end())
    })
    t.after(() => server.close())
    server.listen(0, '127.0.0.1').once('listening', async () => {
      const { port } = server.address() as AddressInfo
      const headers = length === undefined ? {} : { 'Content-Length': length }
      const begun = once(server, 'begun')
      const client = send({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
      client.on('error', () => undefined)
      for (const piece of pieces) client.write(piece)
      if (length === undefined || length === pieces.join('').length) client.end()
      else {
        await begun
        client.destroy()
      }
      await new Promise(closed => client.once('close', closed))
    })
  })
  return { body: (await received).toString(), rooms }
}

test('a body is the same in one piece and in chunks of one byte, and has room before it is kept', async t => {
  const text = 'abcdefghij'.repeat(2_000)
  const atOnce = await receiveOne(t, [text], text.length)
  assert.deepEqual(atOnce, { body: text, rooms: [20_000] })
  const chunked = await receiveOne(t, [...text])
  assert.equal(chunked.body, text)
  assert.deepEqual(chunked.rooms, [0, 8_192, 16_384, 32_768])
})

test('a body that is too large is refused by its length before it has room, and in chunks when it is', async t => {
  await assert.rejects(receiveOne(t, ['x'.repeat(200)], 200, 100), { code: 'payload_too_large' })
  await assert.rejects(receiveOne(t, ['x'.repeat(60), 'x'.repeat(60)], undefined, 100), {
    code: 'payload_too_large',
  })
  const { body } = await receiveOne(t, ['x'.repeat(60), 'x'.repeat(40)], undefined, 100)
  assert.equal(body.length, 100)
})

test('a body that breaks off is none', async t => {
  await assert.rejects(receiveOne(t, ['abc'], 100), { code: 'malformed_json' })
})
