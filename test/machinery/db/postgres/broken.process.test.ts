import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as faults from '#test/support/cluster/faults.ts'
import { assertWhole } from '#test/support/cluster/proof.ts'
import { assertAskedOnce, awaitRefundUnderWay } from '#test/support/cluster/refund-under-way.ts'
import { type Nodes, startPair } from '#test/support/postgres-nodes.ts'
import { ofPostgres } from '#test/support/postgres-server.ts'

// The tests of faults would see each of these.

const BOUND = { timeout: 120_000, ...ofPostgres }
const SOME = 100
const BUYERS = 6

function startBroken(t: Parameters<typeof startPair>[0], how: string, sells = false): Promise<Nodes> {
  const surroundings = () => ({
    imports: ['test/support/broken-postgres.ts'] as const,
    env: { BROKEN: how },
  })
  return startPair(t, { sells, surroundings })
}

test('imports by both servers at once show writes that take no lock', BOUND, async t => {
  const nodes = await startBroken(t, 'unlocked')
  const load = nodes.load(0, 0)
  const meet = async () => {
    await load.more(3 * SOME)
    await assertWhole(nodes, load)
  }
  await assert.rejects(meet, assert.AssertionError)
})

test('a PostgreSQL that stops and starts shows answers before the commit', BOUND, async t => {
  const nodes = await startBroken(t, 'early')
  const load = nodes.load(0, 0)
  const suffer = async () => {
    for (let times = 0; times < 10; times++) {
      await load.more(SOME)
      await faults.restartPostgres(nodes, 0)
    }
    await assertWhole(nodes, load)
  }
  await assert.rejects(suffer, assert.AssertionError)
})

test('refunds show two servers that both lead', BOUND, async t => {
  const nodes = await startBroken(t, 'leaders', true)
  const load = nodes.load(BUYERS)
  while (load.refunded < BUYERS) await load.more(10)
  await load.stop()
  await assert.rejects(assertAskedOnce(nodes, load, 0), /were asked for again/)
})

test('a leader that is killed shows a new key for each call', BOUND, async t => {
  const nodes = await startBroken(t, 'keys', true)
  const load = nodes.load(BUYERS)
  await load.more(SOME)
  await faults.killServer(nodes, await awaitRefundUnderWay(nodes))
  await load.more(SOME)
  await assert.rejects(assertWhole(nodes, load), assert.AssertionError)
})
