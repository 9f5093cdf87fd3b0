import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf } from '#machinery/files/lines.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('lines are the same however a file comes in pieces, and one that is too long is none', async () => {
  const text = `one\n\ntwo ä\r\n${'x'.repeat(11)}\n${'y'.repeat(10)}\r\nlast`
  for (const size of [1, 2, 3, 7, 100]) {
    const lines: (string | undefined)[] = []
    for await (const line of linesOf(inPieces(text, size), 10)) lines.push(line)
    assert.deepEqual(lines, ['one', '', 'two ä', undefined, 'y'.repeat(10), 'last'], String(size))
  }
})
