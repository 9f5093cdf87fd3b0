import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import { Uploads } from '#machinery/web/uploads.ts'
import * as users from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { BOUNDARY, CLOSING, HEADER, LINE, opening, startUploads, writeTo } from '#test/support/uploads.ts'
import { eventually } from '#test/support/webhooks.ts'

const MEBIBYTE = 1024 * 1024

/** Gives requests no time: what is slow is found out within the second. */
function hurry(http: Server): void {
  http.headersTimeout = 20
  http.requestTimeout = 20
}

/** Sends a form whole. */
function sendForm(
  open: Awaited<ReturnType<typeof startUploads>>['open'],
  body: string,
  headers = {},
): Promise<string> {
  const { socket, closed } = open({ 'Content-Length': Buffer.byteLength(body), ...headers })
  socket.write(body)
  return closed
}

test('what takes forms with files apart is loaded by the first of them, and not when the server starts', async t => {
  const { open } = await startUploads(t)
  const isLoaded = () =>
    Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('busboy'))
  assert.equal(isLoaded(), false)
  await sendForm(open, opening('g.csv') + HEADER + LINE + CLOSING)
  assert.equal(isLoaded(), true)
})

test('a body may take longer than the time of a request while it comes in fast enough; others are cut as ever', async t => {
  const { http, open, countJobs } = await startUploads(t)
  hurry(http)
  // Sixteen seconds' worth has come at the least rate, so it has that long to go on.
  const table = HEADER + LINE.repeat(8_000)
  const body = opening('g.csv') + table + CLOSING
  const slow = open({ 'Content-Length': body.length })
  const isOver = once(http, 'clientError')
  slow.socket.write(body.slice(0, 262_144))
  const [error] = await isOver
  assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT')
  slow.socket.write(body.slice(262_144))
  assert.match(await slow.closed, /^HTTP\/1\.1 303 /)
  assert.equal(await countJobs(), 1)
  // Without its own rate, any other form has the time of a request and no more.
  const other = open({ 'Content-Length': 100, 'Content-Type': 'application/x-www-form-urlencoded' }, 'nobody')
  assert.match(await other.closed, /^HTTP\/1\.1 401 /)
})

test('a file that stalls, or drips, is given up, in words, and nothing of it stays', async t => {
  const { http, open, countJobs, data } = await startUploads(t)
  const files = readdirSync(data)
  hurry(http)
  const drip = open({ 'Content-Length': 1_000_000 })
  drip.socket.write(opening('g.csv') + HEADER)
  const answer = await drip.closed
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /It came in too slowly/)
  assert.equal(await countJobs(), 0)
  assert.deepEqual(readdirSync(data), files)
})

test('who may not upload is told so before a byte of the file is read, and has no time to send it slowly', async t => {
  const { open, member, http, manager } = await startUploads(t)
  const door = await member('door')
  const declared = { 'Content-Length': 40 * MEBIBYTE }
  hurry(http)
  const refused: [status: number, Promise<string>][] = [
    [401, open({ ...declared, Connection: 'keep-alive' }, 'nobody').closed],
    [403, open({ ...declared, Connection: 'keep-alive' }, door.cookies.get('session')).closed],
    [403, open({ ...declared, Connection: 'keep-alive', 'Sec-Fetch-Site': 'cross-site' }).closed],
    [415, open({ ...declared, 'Content-Type': 'application/x-www-form-urlencoded' }).closed],
    [400, open({ 'Content-Length': 400 * MEBIBYTE }).closed],
  ]
  for (const [status, closed] of refused) assert.match(await closed, new RegExp(`^HTTP/1\\.1 ${status} `))
  // Signed in again, the person comes back to the form; a file is not carried along.
  const signInPage = await refused[0]?.[1]
  assert.match(signInPage ?? '', /name="to" value="\/manage\/e\/[^"]+\/guests\/import"/)
  assert.equal((await manager.open('/manage')).status, 200)
})

test('a browser that goes away midway leaves nothing, and its person can upload again', async t => {
  const { open, countJobs, data, log, manager, path, app } = await startUploads(t)
  const files = readdirSync(data)
  for (let again = 0; again < 5; again++) {
    const { socket } = open({ 'Content-Length': 1_000_000 })
    await writeTo(socket, opening('g.csv') + HEADER + LINE.repeat(3_000))
    const seen = log.length
    socket.destroy()
    await eventually('the end of the request', async () => log.length > seen)
  }
  assert.equal(await countJobs(), 0)
  // The last file goes just after its request.
  await eventually('the folder as it was', () => readdirSync(data).length === files.length)
  assert.deepEqual(readdirSync(data), files)
  assert.deepEqual(
    log.filter(({ level }) => Number(level) >= 50),
    [],
  )
  assert.ok(app.siteUrl)
  const page = await (await manager.open(path)).choose('File', 'g.csv', HEADER + LINE).press('Upload')
  assert.equal(page.heading, 'Which column is what?')
})

test('forms that are cut, or put together wrongly, are told so', async t => {
  const { open, countJobs } = await startUploads(t)
  const bodies = [
    '',
    'nothing',
    opening('g.csv') + HEADER + LINE,
    `--${BOUNDARY}\r\n\r\nx${CLOSING}`,
    `--${BOUNDARY}--\r\n`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="other"\r\n\r\nx${CLOSING}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a\u0000b"\r\n\r\n${CLOSING}`,
  ]
  for (const body of bodies)
    assert.match(await sendForm(open, body), /^HTTP\/1\.1 400 /, JSON.stringify(body))
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=x'])
    assert.match(await sendForm(open, 'x', { 'Content-Type': type }), /^HTTP\/1\.1 4(00|15) /, type)
  assert.equal(await countJobs(), 0)
})

test('a person has two uploads under way at most, and none of them is in the way of the next', async t => {
  const { open } = await startUploads(t)
  const take = t.mock.method(Uploads.prototype, 'take')
  const begun = [open({ 'Content-Length': 1_000 }), open({ 'Content-Length': 1_000 })]
  for (const { socket } of begun) socket.write(opening('g.csv'))
  // The third would otherwise take the place of one of them.
  await eventually('two under way', () => take.mock.callCount() === 2)
  await eventually('a third that is refused', async () => /^HTTP\/1\.1 429 /.test(await sendForm(open, 'x')))
  for (const { socket } of begun) socket.destroy()
  const body = opening('g.csv') + HEADER + LINE + CLOSING
  await eventually('an upload', async () => /^HTTP\/1\.1 303 /.test(await sendForm(open, body)))
})

test('who is signed out or removed while their file still comes in uploads nothing', async t => {
  const { open, countJobs, db, accountId, manager, member } = await startUploads(t)
  const other = await member('manager', { email: 'other@example.org' })
  const body = opening('g.csv') + HEADER + LINE + CLOSING
  const cut = async (session: string | undefined, work: (tx: WriteTx) => Promise<unknown>) => {
    const { socket, closed } = open({ 'Content-Length': body.length }, session)
    const upload = once(begun, 'upload')
    await writeTo(socket, body.slice(0, 100))
    await upload
    await db.write(accountId, work)
    socket.write(body.slice(100))
    return closed
  }
  const begun = new EventEmitter()
  const { take } = Uploads.prototype
  t.mock.method(Uploads.prototype, 'take', function (this: Uploads, ...args: Parameters<typeof take>) {
    setImmediate(() => begun.emit('upload'))
    return take.apply(this, args)
  })
  const demoted = await cut(undefined, async tx => {
    const found = (await users.list(tx)).find(({ user }) => user.id === manager.user.id)
    const part = { role: 'door', event_ids: null } as const
    await users.changeMember(tx, found?.id as string, part)
  })
  assert.match(demoted, /^HTTP\/1\.1 403 /)
  const out = await cut(other.cookies.get('session'), tx => sessions.endAll(tx, other.user.id))
  assert.match(out, /^HTTP\/1\.1 401 /)
  assert.equal(await countJobs(), 0)
})
