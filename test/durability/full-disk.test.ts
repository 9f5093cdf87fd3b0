import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { ImportLoad, sendImport } from '#test/support/load.ts'
import { withRows } from '#test/support/rows.ts'
import { startServerProcess } from '#test/support/server-process.ts'

const MEBIBYTE = 1024 * 1024

/** Mounts a file system of its own, of so many MiB. @returns undefined where this user may not mount one */
function mountDisk(t: TestContext, size: number): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'turnout-disk-'))
  t.after(() => {
    spawnSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', disk]).status !== 0) return undefined
  return disk
}

test('imports on a full disk are answered with 503, succeed again when there is room, and never leave half of one', {
  timeout: 60_000,
}, async t => {
  const disk = mountDisk(t, 24)
  if (disk === undefined) return t.skip('a file system can be mounted by root alone')
  const { data: prepared, eventId, typeId, key } = await prepareDataFolder(t)
  const data = join(disk, 'data')
  cpSync(prepared, data, { recursive: true })
  const filler = join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(21 * MEBIBYTE))

  const server = await startServerProcess(t, data)
  const client = new Client(server.url, key)
  t.after(() => client.close())
  const load = new ImportLoad(client, 'full', 16, number => ({
    event_id: eventId,
    registration_type_id: typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    quantity: 1 + (number % 3),
  }))
  const answersOf = (status: number) => [...load.answered].filter(([, answer]) => answer.status === status)
  const reach = async (status: number, count: number) => {
    while (answersOf(status).length < count) await load.reached(load.answered.size + 1)
  }
  await reach(503, 100)
  const before = answersOf(201).length
  assert.ok(before > 0)
  assert.equal((await client.get('/registrations')).status, 200)

  rmSync(filler)
  await reach(201, before + 100)
  await load.stop()
  assert.deepEqual(load.broken, [])
  assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201, 503]))
  assert.deepEqual(await findLoss(data, new Map(answersOf(201))), [])
  assert.deepEqual(await findDamage(data), [])
  const kept = await withRows(data, rows =>
    rows.column<string>('SELECT idempotency_key FROM idempotent_responses'),
  )
  assert.deepEqual(new Set(kept), new Set(answersOf(201).map(([idempotencyKey]) => idempotencyKey)))

  // A refused request may be sent again with the same key.
  const refused = new Set(answersOf(503).map(([idempotencyKey]) => idempotencyKey))
  const [again] = load.sent.filter(({ idempotencyKey }) => refused.has(idempotencyKey))
  assert.equal((await sendImport(client, again as (typeof load.sent)[number])).status, 201)
  server.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  assert.deepEqual(await findDamage(data), [])
})
