import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { receiveForm } from '#machinery/web/file-form.ts'

const MOST_PARTS = 21

/** Sends a form with so many parts behind its file, in pieces of so many bytes. @returns the bytes of the file */
async function send(parts: number, piece: number): Promise<number> {
  const stream = Object.assign(new PassThrough(), { complete: true })
  const part = (head: string, body: string) =>
    `\r\n--x-y\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`
  const file = part('name="file"; filename="a.pdf"', '%PDF\r\n--x-not\r\n--').slice(2)
  const body = Buffer.from(`${file}${part('name="a"', '1').repeat(parts)}\r\n--x-y--\r\n`)
  const received = receiveForm(stream as unknown as IncomingMessage, 'x-y', 1_000, async ({ bytes }) => {
    let size = 0
    for await (const some of bytes) size += some.length
    return size
  })
  received.catch(() => undefined)
  for (let at = 0; at < body.length; at += piece) {
    stream.write(body.subarray(at, at + piece))
    await nextTurn()
  }
  stream.end()
  return (await received) as number
}

test('the parts of a form are counted, however its bytes come in', async () => {
  for (const piece of [1, 5, 6, 7, 8, 64, 100_000]) {
    assert.equal(await send(MOST_PARTS - 2, piece), '%PDF\r\n--x-not\r\n--'.length, `${piece}`)
    await assert.rejects(send(MOST_PARTS + 3, piece), { code: 'malformed_json' }, `${piece}`)
  }
})
