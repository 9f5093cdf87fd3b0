import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { schemaSql } from '#machinery/db/schema.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { runProduct } from '#test/support/runs/product-run.ts'
import { startServer } from '#test/support/server.ts'
import { runWritesTwice } from '#test/support/twice.ts'

/** Matches what differs between two runs: random values, and when a webhook was tried. */
const RANDOM =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{30,}|\b[0-9a-f]{8}\b|\b[2-9A-Z]{4}-[2-9A-Z]{4}\b|\bRF\d{10}\b/g
const NUMBERED = ['instance', 'door_changes', 'scans']
const TIMED = ['webhook_deliveries', 'webhook_attempts']

/** Returns all rows that a run of the product leaves behind, by table, without what is random. */
async function runAndRead(t: TestContext): Promise<Record<string, string[]>> {
  // Batches that end by the time they have taken would end elsewhere each time.
  t.mock.method(performance, 'now', () => 0)
  const { db } = await runProduct(t)
  assert.deepEqual(await findDamage(db), [])
  const rows: Record<string, string[]> = {}
  for (const [, table = ''] of schemaSql.matchAll(/^CREATE TABLE (\w+)/gm)) {
    if (TIMED.includes(table)) continue
    const found = await db.read(INSTANCE, tx => tx.all<Record<string, unknown>>(`SELECT * FROM ${table}`))
    // A mark has the instant of its file.
    const comparable = found.map(row => ({
      ...row,
      last_four: undefined,
      key_hash: undefined,
      run_mark: undefined,
      // An abstract that somebody has submitted has a random code.
      ...(table === 'abstracts' ? { code: undefined } : {}),
      // So has what its presenter registers with.
      ...(table === 'codes' ? { code: undefined, code_key: undefined, note: undefined } : {}),
      // Each beginning of a write that takes its instant has one of its own.
      ...(NUMBERED.includes(table) ? { number: undefined, write_number: undefined } : {}),
    }))
    rows[table] = comparable.map(row => JSON.stringify(row).replaceAll(RANDOM, '…')).sort()
  }
  return rows
}

test('the work of a write may run more than once: what comes of it is the same', async t => {
  const once = await runAndRead(t)
  assert.ok((once.registrations?.length ?? 0) > 3 && (once.access_log?.length ?? 0) > 3)
  runWritesTwice(t)
  assert.deepEqual(await runAndRead(t), once)
})

test('work that keeps what it did outside of its transaction is seen to have run twice', async t => {
  runWritesTwice(t)
  const { db } = await startServer(t)
  const readUpdated = () =>
    db.read(INSTANCE, tx => tx.one<{ updated_at: number }>('SELECT updated_at FROM instance'))
  const before = await readUpdated()
  const kept: number[] = []
  await db.write(INSTANCE, async tx => {
    kept.push(1)
    await tx.run('UPDATE instance SET updated_at = updated_at + 1')
  })
  const changes = ((await readUpdated())?.updated_at ?? 0) - (before?.updated_at ?? 0)
  assert.deepEqual({ kept, changes }, { kept: [1, 1], changes: 1 })
})
