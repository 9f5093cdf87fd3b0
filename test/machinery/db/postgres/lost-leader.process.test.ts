import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as faults from '#test/support/cluster/faults.ts'
import { assertWhole } from '#test/support/cluster/proof.ts'
import { assertAskedOnce, awaitRefundUnderWay, findLeader } from '#test/support/cluster/refund-under-way.ts'
import { type Nodes, startPair } from '#test/support/postgres-nodes.ts'
import { findPostgres, ofPostgres } from '#test/support/postgres-server.ts'

const BOUND = { timeout: 120_000, ...ofPostgres }
const SOME = 100
const BUYERS = 6

let nodes: Nodes
const endings: (() => unknown)[] = []
before(async () => {
  if (findPostgres() === undefined) return
  nodes = await startPair({ after: end => endings.push(end as () => unknown) }, { sells: true })
})
after(async () => {
  for (const end of endings) await end()
})

test('two servers without a fault ask Stripe once for each refund', BOUND, async () => {
  const load = nodes.load(BUYERS)
  while (load.refunded < BUYERS) await load.more(10)
  await assertWhole(nodes, load)
  await assertAskedOnce(nodes, load, 0)
})

test(
  'when the server that leads stands still while a refund is under way, the other leads, and it is paid back once',
  BOUND,
  async () => {
    const load = nodes.load(BUYERS)
    await load.more(SOME)
    const leader = await awaitRefundUnderWay(nodes)
    // The session of a node is given up after 10 s.
    const stopped = faults.stopServer(nodes, leader, 13_000)
    while ((await findLeader(nodes)) === leader) await load.more(1)
    await stopped
    await load.more(SOME)
    assert.notEqual(await findLeader(nodes), leader)
    await assertWhole(nodes, load)
    await assertAskedOnce(nodes, load, BUYERS)
  },
)

test(
  'when the server that leads is killed while a refund is under way, the other pays it back, once',
  BOUND,
  async () => {
    const load = nodes.load(BUYERS)
    await load.more(SOME)
    const leader = await awaitRefundUnderWay(nodes)
    await faults.killServer(nodes, leader)
    assert.notEqual(await findLeader(nodes), leader)
    await load.more(SOME)
    await assertWhole(nodes, load)
    await assertAskedOnce(nodes, load, 2 * BUYERS)
  },
)
