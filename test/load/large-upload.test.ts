import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CLOSING, HEADER, opening, startUploads, writeTo } from '#test/support/uploads.ts'

const MEBIBYTE = 1024 * 1024
const LONG_LINE = `${'Grace '.repeat(100)},grace@example.org,Free\n`

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the bytes of memory that are still in use after a garbage collection. */
function kept(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Yields a table of so many bytes. */
function* tableOf(size: number): Generator<string> {
  const piece = LONG_LINE.repeat(Math.floor((64 * 1024) / LONG_LINE.length))
  yield HEADER
  let left = size - HEADER.length
  for (; left >= piece.length; left -= piece.length) yield piece
  yield piece.slice(0, left)
}

test('a file of 50 MiB is read in a few MiB of memory; one byte more is told, with or without a length', async t => {
  const { open, countJobs } = await startUploads(t)
  const seen: number[] = []
  const look = () => seen.push(kept())
  const send = async (size: number, ending: string, chunked = false) => {
    const length = opening('g.csv').length + size + ending.length + CLOSING.length
    const { socket, closed } = open(
      chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length },
    )
    const put = (text: string) =>
      writeTo(socket, chunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text)
    await put(opening('g.csv'))
    let sent = 0
    for (const piece of tableOf(size)) {
      await put(piece)
      if (++sent % 50 === 0) look()
    }
    await put(ending + CLOSING)
    if (chunked) socket.write('0\r\n\r\n')
    return closed
  }
  const ending = '\n"open'
  const before = kept()
  assert.match(await send(50 * MEBIBYTE - ending.length, ending), /Line \d+: A quotation mark/)
  const most = Math.max(...seen) - before
  assert.ok(most < 10 * MEBIBYTE, `${most / MEBIBYTE} MiB`)
  const over = await send(50 * MEBIBYTE + 1, '', true)
  assert.match(over, /^HTTP\/1\.1 400 /)
  assert.match(over, /It is larger than 50 MB/)
  assert.match(await send(60 * MEBIBYTE, ''), /It is larger than 50 MB/)
  assert.equal(await countJobs(), 0)
})
