import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { live } from '#test/support/lived/live.ts'
import { openPlanted } from '#test/support/planted.ts'

test('what has lived goes through export and apply, and is whole there', async t => {
  const { data, accountId, clock } = await live(t)
  const folder = temporaryFolder(t)
  const turnout = async (...args: string[]) => {
    let printed = ''
    const out = (text: string) => {
      printed += text
    }
    await carryOut([...args, '--json'], { out, err: text => assert.fail(text), clock })
    return printed
  }
  const file = join(folder, 'organization.json')
  const exported = JSON.parse(await turnout('export', '--account', accountId, '--data', data))
  // The address of their receiver is none of the public internet.
  writeFileSync(file, JSON.stringify({ ...exported, webhooks: [] }))
  const copy = join(folder, 'copy')
  await turnout('apply', file, '--data', copy)
  assert.deepEqual(await inspect(databasePath(copy), findDamage), [])
})

test('the database has lived: every state of payments, refunds and disputes is in it', async t => {
  const { data } = await live(t)
  const { connection } = openPlanted(join(data, 'turnout.db'))
  t.after(() => connection.close())
  const valuesOf = (table: string, column: string) =>
    connection
      .all<{ value: string }>(`SELECT DISTINCT ${column} AS value FROM ${table} ORDER BY 1`)
      .map(({ value }) => value)
  assert.deepEqual(valuesOf('payments', 'method'), ['door', 'stripe', 'test', 'transfer'])
  assert.deepEqual(valuesOf('payments', 'status'), ['cancelled', 'confirmed', 'created', 'pending'])
  assert.deepEqual(valuesOf('refunds', 'status'), ['done', 'dropped', 'failed', 'pending', 'requested'])
  assert.deepEqual(valuesOf('refunds', 'reason'), [
    ...['event_cancelled', 'excess', 'late', 'line_cancelled', 'organizer', 'processor', 'twice'],
  ])
  assert.deepEqual(valuesOf('disputes', 'status'), ['lost', 'needs_response', 'warning', 'won'])
  assert.deepEqual(valuesOf('disputes', 'decision'), [null, 'kept', 'voided'])
  assert.deepEqual(valuesOf('ledger_entries', 'kind').length, 9)
  assert.deepEqual(valuesOf('payouts', 'list'), ['complete', 'manual'])
  assert.deepEqual(valuesOf('payout_lines', 'kind').length, 6)
  assert.deepEqual(valuesOf('orders', 'status'), ['confirmed', 'failed', 'pending'])
  assert.ok(connection.get('SELECT 1 FROM receipts WHERE cancels_id IS NOT NULL'))
})
