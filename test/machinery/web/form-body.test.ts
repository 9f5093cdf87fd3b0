import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import Koa from 'koa'
import { Problem } from '#base/problem.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { openRaw } from '#test/support/raw.ts'
import { eventually } from '#test/support/webhooks.ts'

const TYPE = 'application/x-www-form-urlencoded'
const MEBIBYTE = 1024 * 1024

interface Read {
  fields?: [string, string][]
  code?: string
  /** The bytes for which there had to be room, each time. */
  rooms: number[]
}

/** Reads forms. @param most bytes that there is room for */
async function startReader(t: TestContext, most = Number.POSITIVE_INFINITY) {
  const koa = new Koa()
  koa.silent = true
  const reads: Read[] = []
  koa.use(async context => {
    const rooms: number[] = []
    const makeRoom = (bytes: number) => {
      rooms.push(bytes)
      if (bytes > most) throw new Problem('rate_limited')
    }
    try {
      const body = await readFormBody(context as never, makeRoom)
      reads.push({ fields: [...body], rooms })
    } catch (error) {
      reads.push({ code: (error as Problem).code, rooms })
    }
    context.body = 'read'
  })
  const server = koa.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (...headers: string[]) => {
    const connection = openRaw(url)
    const lines = ['POST / HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers, '\r\n']
    connection.socket.write(lines.join('\r\n'))
    return connection
  }
  const read = async (pieces: readonly string[], ...headers: string[]) => {
    const { socket, closed } = open(`Content-Type: ${TYPE}`, 'Transfer-Encoding: chunked', ...headers)
    for (let from = 0; from < pieces.length; from += 4096) {
      const some = pieces.slice(from, from + 4096)
      socket.write(some.map(piece => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join(''))
    }
    socket.write('0\r\n\r\n')
    await closed
    return reads.at(-1) as Read
  }
  return { server, open, read, reads }
}

test('a form keeps the order, the names and the repetitions of its fields, whatever brackets and dots they have', async t => {
  const { read } = await startReader(t)
  const { fields } = await read(['a%5B0%5D=1&a[0]=2&b.c=3&b.c=4&__proto__=5&d=x+y%2Bz&=&%zz&e=%ff&f=\u00e9'])
  assert.deepEqual(fields, [
    ['a[0]', '1'],
    ['a[0]', '2'],
    ['b.c', '3'],
    ['b.c', '4'],
    ['__proto__', '5'],
    ['d', 'x y+z'],
    ['', ''],
    ['%zz', ''],
    ['e', '\ufffd'],
    ['f', '\u00e9'],
  ])
})

test('a form of 1 MiB is read, and one byte more is refused, with its length or in chunks', async t => {
  const { open, read, reads } = await startReader(t)
  const pieces = Array.from({ length: 16 }, () => 'a'.repeat(MEBIBYTE / 16))
  assert.equal((await read(pieces)).fields?.[0]?.[0].length, MEBIBYTE)
  assert.equal((await read([...pieces, 'a'])).code, 'payload_too_large')
  await open(`Content-Type: ${TYPE}`, `Content-Length: ${MEBIBYTE + 1}`).closed
  assert.deepEqual(reads.at(-1), { code: 'payload_too_large', rooms: [] })
})

test('a form of 2,000 fields is read, and one more is refused', async t => {
  const { read } = await startReader(t)
  assert.equal((await read(['a=b&'.repeat(1_999)])).fields?.length, 1_999)
  assert.equal((await read(['a=b&'.repeat(2_000)])).code, 'invalid_parameter')
})

test('what is compressed, or no form, is refused before it is read', { timeout: 10_000 }, async t => {
  const { open, reads } = await startReader(t)
  const refused = { code: 'unsupported_media_type', rooms: [] }
  for (const headers of [[`Content-Type: ${TYPE}`, 'Content-Encoding: gzip'], ['Content-Type: text/plain']]) {
    await open(...headers, 'Content-Length: 100').closed
    assert.deepEqual(reads.at(-1), refused)
  }
})

test('a form has room before it is kept, by its length or as it comes in; in pieces of one byte it takes more', async t => {
  const { open, read, reads } = await startReader(t)
  const { socket, closed } = open(`Content-Type: ${TYPE}`, 'Content-Length: 20000')
  socket.write('a'.repeat(20_000))
  await closed
  assert.deepEqual(reads.at(-1)?.rooms.slice(0, 1), [20_000])
  const atOnce = await read(['a'.repeat(20_000)])
  const bytes = await read(Array.from({ length: 20_000 }, () => 'a'))
  const [least, most] = [atOnce, bytes].map(({ rooms }) => Math.max(...rooms)) as [number, number]
  assert.ok(least >= 20_000 && least < 30_000, String(least))
  assert.ok(most >= 150_000, String(most))
})

test('a form that has no more room is refused while it comes in, with what the budget says', {
  timeout: 10_000,
}, async t => {
  const { open, reads } = await startReader(t, 50_000)
  const { socket, closed } = open(`Content-Type: ${TYPE}`, 'Transfer-Encoding: chunked')
  // Its end never comes.
  socket.write(`11170\r\n${'a'.repeat(70_000)}\r\n`)
  assert.match(await closed, /^HTTP\/1\.1 200 /)
  assert.equal(reads[0]?.code, 'rate_limited')
})

test('a form that breaks off is none', async t => {
  const { server, open, reads } = await startReader(t)
  const begun = once(server, 'request')
  const { socket } = open(`Content-Type: ${TYPE}`, 'Content-Length: 100')
  socket.write('a=b')
  await begun
  socket.destroy()
  await eventually('the end of the reading', () => reads.length > 0)
  assert.equal(reads[0]?.code, 'malformed_json')
})
