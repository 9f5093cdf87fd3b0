import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { carryOut } from '#test/support/carry-out.ts'
import { damageOf } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { live } from '#test/support/lived/live.ts'
import { openRows } from '#test/support/rows.ts'

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
  assert.deepEqual(await damageOf(copy), [])
})

test('the database has lived: every state of payments, refunds and disputes is in it', async t => {
  const { data } = await live(t)
  const rows = await openRows(t, data)
  const valuesOf = (table: string, column: string) =>
    rows.column(`SELECT ${column} FROM ${table} GROUP BY ${column} ORDER BY coalesce(${column}, '')`)
  assert.deepEqual(await valuesOf('payments', 'method'), ['door', 'stripe', 'test', 'transfer'])
  assert.deepEqual(await valuesOf('payments', 'status'), ['cancelled', 'confirmed', 'created', 'pending'])
  assert.deepEqual(await valuesOf('refunds', 'status'), ['done', 'dropped', 'failed', 'pending', 'requested'])
  assert.deepEqual(await valuesOf('refunds', 'reason'), [
    ...['event_cancelled', 'excess', 'late', 'line_cancelled', 'organizer', 'processor', 'twice'],
  ])
  assert.deepEqual(await valuesOf('disputes', 'status'), ['lost', 'needs_response', 'warning', 'won'])
  assert.deepEqual(await valuesOf('disputes', 'decision'), [null, 'kept', 'voided'])
  assert.deepEqual((await valuesOf('ledger_entries', 'kind')).length, 9)
  assert.deepEqual(await valuesOf('payouts', 'list'), ['complete', 'manual'])
  assert.deepEqual((await valuesOf('payout_lines', 'kind')).length, 6)
  assert.deepEqual(await valuesOf('orders', 'status'), ['confirmed', 'failed', 'pending'])
  assert.ok(await rows.one('SELECT 1 FROM receipts WHERE cancels_id IS NOT NULL'))
})
