import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { probe } from '#machinery/db/sqlite/probe.ts'
import { Health } from '#machinery/ops/health.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { openRows } from '#test/support/rows.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Asks on the API's port, or, with the metrics' own address, there. */
async function ask(base: string, method = 'GET', headers: Record<string, string> = {}) {
  const answer = await fetch(new URL('/healthz', base), { method, headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const becomes = ({ app }: TestServer, status: number) =>
  eventually(`a ${status}`, async () => (await ask(app.url)).status === status)

/** The writes of probes, as the database sees them. */
async function openCounted(t: TestContext, write?: Database['write']) {
  const folder = temporaryFolder(t)
  const db = await openTestDatabase(t, { data: folder, clock: testClock() })
  const writes = t.mock.method(db, 'write', write ?? db.write).mock
  const log = pino({ level: 'silent' })
  return { health: new Health({ probe: () => probe(db, folder), log }), writes, db }
}

test('GET and HEAD without a key learn that the service is healthy, and are logged at debug level only', async t => {
  const { app, log } = await startServer(t)
  const answer = await ask(app.url)
  assert.deepEqual([answer.status, answer.text], [200, '{"status":"ok"}'])
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const head = await ask(app.url, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
  const post = await ask(app.url, 'POST')
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'HEAD, GET'])
  assert.equal((await fetch(`${app.url}/healthz`)).status, 404)
  assert.deepEqual(
    log.map(line => line.status),
    [405, 404],
  )
})

test('all who ask within a second share one write', async t => {
  const { health, writes } = await openCounted(t)
  const answers = await Promise.all(Array.from({ length: 50 }, () => health.isHealthy()))
  assert.deepEqual(new Set(answers), new Set([true]))
  assert.equal(await health.isHealthy(), true)
  assert.equal(writes.callCount(), 1)
})

test('asking dates nothing, as the clock may be wrong', async t => {
  const { health, db } = await openCounted(t)
  assert.equal(await health.isHealthy(), true)
  assert.deepEqual(await db.read(INSTANCE, tx => tx.one('SELECT latest_write_at FROM instance')), {
    latest_write_at: 0,
  })
})

test('a write that does not end is a no after three seconds, and no other is begun beside it', async t => {
  let fail = (_error: Error) => {}
  const { health, writes } = await openCounted(
    t,
    () =>
      new Promise<never>((_, reject) => {
        fail = reject
      }),
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pending = health.isHealthy()
  t.mock.timers.tick(2_999)
  assert.equal(await Promise.race([pending, nextTurn('waits')]), 'waits')
  t.mock.timers.tick(1)
  assert.equal(await pending, false)
  assert.equal(await health.isHealthy(), false)
  t.mock.timers.reset()
  await new Promise(resolve => setTimeout(resolve, 1_050))
  const again = health.isHealthy()
  fail(new DatabaseUnavailable('at last'))
  assert.equal(await again, false)
  assert.equal(writes.callCount(), 1)
})

test('a stopping service is not well', async t => {
  const { health, writes } = await openCounted(t)
  const pending = health.isHealthy()
  health.stop()
  assert.equal(await pending, false)
  assert.equal(await health.isHealthy(), false)
  assert.equal(writes.callCount(), 1)
})

test('while another process holds the database it is a 503, on the port of the metrics too, and a 200 afterwards', async t => {
  const server = await startServer(t, { settings: { metricsPort: 0 } })
  const free = await (await openRows(t, server.data)).hold()
  await becomes(server, 503)
  const { status, text } = await ask(server.app.metricsUrl as string)
  assert.deepEqual([status, text], [503, '{"status":"unavailable"}'])
  assert.ok(server.log.some(line => line.msg === 'the database cannot be written' && line.level === 40))
  await free()
  await becomes(server, 200)
  assert.equal((await ask(server.app.metricsUrl as string)).status, 200)
})

test('it is a 503 on a full disk, and a 200 when there is room', { timeout: 60_000 }, async t => {
  const disk = mkdtempSync(join(tmpdir(), 'turnout-disk-'))
  const ends: (() => unknown)[] = []
  t.after(async () => {
    // The server then notices that its disk is gone.
    for (const end of ends) await end()
    spawnSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status !== 0) {
    return t.skip('a file system can be mounted by root alone')
  }
  const server = await startServer(
    { after: end => ends.push(end as () => unknown) },
    { data: join(disk, 'data') },
  )
  await becomes(server, 200)
  const filler = join(disk, 'filler')
  assert.throws(() => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024)), { code: 'ENOSPC' })
  await becomes(server, 503)
  rmSync(filler)
  await becomes(server, 200)
})

test('others than this machine are counted by their address, and by nothing else that they ask', async t => {
  const { app } = await startServer(t, { settings: { trustProxy: ['127.0.0.1'] } })
  const from = { 'x-forwarded-for': '203.0.113.9' }
  for (let left = 119; left >= 0; left--) {
    const { status, headers } = await ask(app.url, 'GET', from)
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, String(left)])
  }
  assert.equal((await ask(app.url, 'GET', from)).status, 429)
  assert.equal((await fetch(`${app.url}/openapi.json`, { headers: from })).status, 200)
  assert.equal((await ask(app.url)).status, 200)
})

test('nobody on this machine is counted, so that no stranger behind its proxy can use the answers up', async t => {
  const { app } = await startServer(t)
  for (let at = 0; at < 130; at++) assert.equal((await ask(app.url)).status, 200)
})
