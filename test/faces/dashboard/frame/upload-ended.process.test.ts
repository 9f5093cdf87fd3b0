import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { openDatabase } from '#test/support/engine.ts'
import { prepareFullFolder } from '#test/support/full-folder.ts'
import { startServerProcess } from '#test/support/server-process.ts'

const MEBIBYTE = 1024 * 1024

function repeat(head: string, line: string, bytes: number): string {
  return head + line.repeat(Math.floor((bytes - head.length) / line.length))
}

test('a server that is told to end while it reads a file ends in order, whatever the file', {
  timeout: 300_000,
}, async t => {
  const folder = await prepareFullFolder(t)
  const inspect = async () => {
    const db = await openDatabase(folder.data, Date.now)
    const found = await findDamage(db)
    await db.close()
    return found
  }
  // The money in this folder is made up.
  const before = await inspect()
  const statements = `/manage/a/${folder.accountId}/statements`
  const guests = `/manage/e/${folder.eventId}/guests/import`
  const lorem = 'lorem ipsum '.repeat(40)
  const files: [what: string, path: string, content: string][] = [
    [
      'a long statement',
      statements,
      repeat('Date;Name;Text;Amount\n', `2026-12-01;Ann;"${lorem}";1,50\n`, 45 * MEBIBYTE),
    ],
    ['a statement of columns alone', statements, repeat('', 'a;', 2 * MEBIBYTE)],
    [
      'a long list of guests',
      guests,
      repeat('Name;Email;Text\n', `Ann;ann@example.org;"${lorem}"\n`, 45 * MEBIBYTE),
    ],
    ['a list of columns alone', guests, repeat('', 'a;', 2 * MEBIBYTE)],
  ]
  for (const [what, path, content] of files) {
    const server = await startServerProcess(t, folder.data)
    const sent = request(server.url.replace('/v1', '') + path, {
      method: 'POST',
      headers: {
        cookie: `session=${folder.sessions[0]}`,
        'content-type': 'multipart/form-data; boundary=x',
        'sec-fetch-site': 'same-origin',
      },
    })
    // Another test checks whether it is still answered.
    sent.on('error', () => undefined).on('response', answer => answer.resume())
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    sent.end(`${head}${content}\r\n--x--\r\n`)
    await once(sent, 'finish')
    server.kill('SIGTERM')
    const { code, signal, stderr } = await server.ended
    assert.deepEqual([code, signal, stderr], [0, null, ''], what)
  }
  assert.deepEqual(await inspect(), before)
})
