import assert from 'node:assert/strict'
import fs, { appendFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SteadySync } from '#machinery/files/steady-sync.ts'
import { temporaryFolder } from '#test/support/folder.ts'

const MEBIBYTE = 1024 * 1024

function prepare(t: TestContext) {
  const path = join(temporaryFolder(t), 'growing')
  writeFileSync(path, '')
  /** Ends the sync under way. */
  const syncs: ((error: Error | null) => void)[] = []
  t.mock.method(fs, 'fdatasync', (_: number, callback: (error: Error | null) => void) => {
    syncs.push(callback)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  t.mock.timers.enable({ apis: ['setInterval'] })
  const grow = async (mebibytes: number) => {
    appendFileSync(path, Buffer.alloc(mebibytes * MEBIBYTE))
    t.mock.timers.tick(10)
    await nextTurn()
  }
  return { syncing: new SteadySync(path), syncs, grow }
}

test('a file that grows is synced by pieces, one after another, and the end waits for the last', async t => {
  const { syncing, syncs, grow } = prepare(t)
  await grow(3)
  assert.equal(syncs.length, 0)
  await grow(1)
  assert.equal(syncs.length, 1)
  await grow(8)
  assert.equal(syncs.length, 1)
  syncs[0]?.(null)
  await nextTurn()
  await grow(0)
  assert.equal(syncs.length, 2)
  let stopped = false
  const stop = syncing.stop().finally(() => {
    stopped = true
  })
  await nextTurn()
  assert.equal(stopped, false)
  syncs[1]?.(null)
  assert.equal(await stop, undefined)
  await grow(8)
  assert.equal(syncs.length, 2)
})

test('a sync that failed is told at the end, and no later one hides it', async t => {
  const { syncing, syncs, grow } = prepare(t)
  await grow(4)
  const lost = new Error('lost')
  syncs[0]?.(lost)
  await nextTurn()
  await grow(8)
  assert.equal(syncs.length, 1)
  assert.equal(await syncing.stop(), lost)
})
