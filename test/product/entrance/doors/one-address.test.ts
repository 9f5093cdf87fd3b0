import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as doors from '#product/entrance/doors/rules.ts'
import { DOOR, secretOf } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { openRaw } from '#test/support/raw.ts'

/** A venue has this many phones, and its router shows one address of theirs to the internet. */
const PHONES = 20
const VENUE = '203.0.113.7'
const ELSEWHERE = '198.51.100.9'

/** Starts a server behind a proxy on this machine, which passes on who asks. */
async function start(t: Parameters<typeof startWithDoors>[0]) {
  const server = await startWithDoors(t, undefined, { settings: { trustProxy: ['127.0.0.1'] } })
  const { db, accountId, eventId, app } = server
  const ask = async (path: string, { from = VENUE, token, body }: DoorRequest = {}) => {
    const response = await fetch(`${app.siteUrl}/door${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-forwarded-for': from,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const addDoor = async (at: number) => {
    const input = { ...DOOR, event_id: eventId, name: `Door ${at}` }
    const made = await db.write(accountId, tx => doors.add(tx, input, app.siteUrl))
    return secretOf(made.pairing_url)
  }
  return { ...server, ask, addDoor }
}

interface DoorRequest {
  from?: string
  token?: string
  body?: unknown
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

test('twenty phones behind one address start at once: each has the page, is paired, and has its list', async t => {
  const { ask, addDoor, app } = await start(t)
  const page = await ask('/')
  const files = [...page.text.matchAll(/(?:src|href)="\/door(\/[^"]+)"/g)].map(([, path]) => path as string)
  assert.ok(files.length >= 3)
  const secrets = await Promise.all(range(PHONES).map(addDoor))
  const tokens = await Promise.all(
    secrets.map(async secret => {
      for (const path of ['/', '/worker.js', '/manifest.webmanifest', ...files, ...files])
        assert.equal((await ask(path)).status, 200, path)
      const paired = await ask('/pair', { body: { secret } })
      assert.equal(paired.status, 201, paired.text)
      return JSON.parse(paired.text).token as string
    }),
  )
  // Each has asked for its list before any has read it.
  const requests = tokens.map(token => {
    const { socket, closed } = openRaw(app.siteUrl)
    const lines = ['GET /door/copy HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
    const more = [`X-Forwarded-For: ${VENUE}`, 'Connection: close', '', '']
    socket.pause()
    socket.write([...lines, ...more].join('\r\n'))
    return { socket, closed }
  })
  await new Promise(resolve => setImmediate(resolve))
  for (const { socket } of requests) socket.resume()
  for (const { closed } of requests) assert.match(await closed, /^HTTP\/1\.1 200 /)
})

test('secrets and tokens that are refused count by the address, and harm neither its paired phones nor others', async t => {
  const { ask, addDoor } = await start(t)
  const [first, second] = [await addDoor(1), await addDoor(2)]
  const { token } = JSON.parse((await ask('/pair', { body: { secret: first } })).text)
  const guess = (at: number) => ask('/pair', { body: { secret: `guessed-${at}-guessed` } })
  const statuses = []
  for (const at of range(70)) statuses.push((await guess(at)).status)
  assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([404]))
  assert.deepEqual(new Set(statuses.slice(60)), new Set([429]))
  const refused = await ask('/copy', { token: 'A'.repeat(43) })
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await ask('/copy', { token })).status, 200)
  assert.equal((await ask('/pair', { body: { secret: second } })).status, 201)
  assert.equal((await ask('/copy', { from: ELSEWHERE, token: 'A'.repeat(43) })).status, 401)
})
