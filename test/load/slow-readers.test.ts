import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import { bundle } from '#test/support/built.ts'
import { Client } from '#test/support/client.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openDatabase } from '#test/support/engine.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { requestOf } from '#test/support/slow.ts'
import { eventually } from '#test/support/webhooks.ts'

// docs/install.md promises that 512 MB are enough.
const MEMORY = 512 * 1024 * 1024
const skip = existsSync('/proc/self/status')
  ? false
  : 'There is no /proc here, so nobody knows what a process takes.'

/** Returns the most memory that the process has had, in bytes. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Starts a server that may have a heap of 256 MB, with 200 registrations that have 100 tickets and long answers each. */
async function startSmall(t: TestContext) {
  const folder = await prepareDataFolder(t)
  const answers = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`k${at}`, 'x'.repeat(4_900)]))
  const tickets = await insertCrowd(folder, { count: 200, tickets: 100, answers: () => answers })
  const db = await openDatabase(folder.data, Date.now)
  const newKey = async () => {
    const input = { name: 'other', scopes: allScopes, expiresAt: null, rateLimit: 0 }
    return (await db.write(folder.accountId, tx => keys.create(tx, input))).key
  }
  const others = [await newKey(), await newKey()] as const
  await db.close()
  const command = [process.execPath, '--max-old-space-size=256', bundle]
  const server = await startServerProcess(t, folder.data, { command })
  const { hostname, port } = new URL(server.url)
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Sends the same on many connections, and reads no more of the answers than their statuses. */
  function sendMany(count: number, bytes: string): (number | undefined)[] {
    const statuses: (number | undefined)[] = []
    for (let at = 0; at < count; at++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.once('data', chunk => {
        statuses.push(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]))
        socket.pause()
      })
      socket.write(bytes)
      sockets.push(socket)
    }
    return statuses
  }

  async function checkIn(count: number, key: string): Promise<void> {
    const client = new Client(server.url, key)
    t.after(() => client.close())
    for (let at = 0; at < count; at++) {
      assert.equal((await client.post('/check-ins', { attendee_id: tickets.pop() })).status, 201)
    }
  }

  return { ...server, ...folder, others, sockets, sendMany, checkIn }
}

test('500 clients that read nothing of the largest answers leave a server of 512 MB to the door', {
  skip,
}, async t => {
  const { pid, key, others, eventId, sockets, sendMany, checkIn, url } = await startSmall(t)
  const [reporting, door] = others
  const pages = sendMany(500, `${requestOf('/registrations?limit=100', key)}\r\n`)
  for (const one of [door, key]) await checkIn(10, one)
  const report = requestOf(`/reports/registrations?event_id=${eventId}`, reporting)
  const reports = sendMany(50, `${report}\r\n`)
  const body = `${requestOf('/registrations', reporting, { method: 'POST' })}Content-Type: application/json\r\n`
  sendMany(50, `${body}Content-Length: 1000000\r\n\r\n${' '.repeat(900_000)}`)
  for (const one of [door, key]) await checkIn(10, one)
  await eventually('every answer', () => pages.length === 500 && reports.length === 50, 60_000)
  await checkIn(10, door)

  assert.deepEqual(
    [...new Set(pages)].filter(status => status !== 200 && status !== 429),
    [],
  )
  assert.deepEqual([...new Set(reports)].sort(), [200, 429])
  assert.ok(peakOf(pid) < MEMORY, `${peakOf(pid)} bytes`)

  for (const socket of sockets.splice(0)) socket.destroy()
  const again = async (path: string, of: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${of}` } })).status
  for (const [path, of] of [
    ['/registrations?limit=100', key],
    [`/reports/registrations?event_id=${eventId}`, reporting],
  ] as const)
    await eventually(`${path} again`, async () => (await again(path, of)) === 200)
  assert.ok(peakOf(pid) < MEMORY, `${peakOf(pid)} bytes`)
})

test('neither chunks of one byte nor thousands of requests in one packet take the memory', {
  skip,
}, async t => {
  const { pid, key, others, sendMany, checkIn } = await startSmall(t)
  const post = `${requestOf('/registrations', key, { method: 'POST' })}Content-Type: application/json\r\n`
  const refused = sendMany(3, `${post}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1_100_000)}`)
  await checkIn(5, others[0])
  // The first answers fill what the system takes, so that those behind them have to wait.
  sendMany(
    100,
    `${'GET /v1/reference HTTP/1.1\r\n\r\n'.repeat(16)}${'GET /x HTTP/1.1\r\n\r\n'.repeat(20_000)}`,
  )
  await checkIn(5, others[0])
  await eventually('every refusal', () => refused.length === 3, 60_000)
  assert.ok(
    refused.every(status => status === 413 || status === 429),
    `${refused}`,
  )
  assert.ok(peakOf(pid) < MEMORY, `${peakOf(pid)} bytes`)
})
