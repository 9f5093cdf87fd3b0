import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as faults from '#test/support/cluster/faults.ts'
import { assertWhole } from '#test/support/cluster/proof.ts'
import { type Nodes, startPair } from '#test/support/postgres-nodes.ts'
import { findPostgres, ofPostgres } from '#test/support/postgres-server.ts'

// Two servers on one PostgreSQL, 32 clients that send everything again until it is answered, and a fault in between.

const BOUND = { timeout: 120_000, ...ofPostgres }
/** How many imports are answered before a fault and after it. */
const SOME = 100

// All faults come to the same pair, one after the other.
let nodes: Nodes
const endings: (() => unknown)[] = []
before(async () => {
  if (findPostgres() !== undefined)
    nodes = await startPair({ after: end => endings.push(end as () => unknown) })
})
after(async () => {
  for (const end of endings) await end()
})

test('a server that is killed loses nothing that was answered, and the other goes on', BOUND, async () => {
  const load = nodes.load()
  await load.more(SOME)
  await Promise.all([faults.killServer(nodes, 0, 1_000), load.more(SOME)])
  await load.more(SOME)
  await assertWhole(nodes, load)
})

test(
  'a server that stands still while it holds the lock keeps the other waiting for seconds, and doubles nothing',
  BOUND,
  async () => {
    const load = nodes.load()
    for (const at of [0, 1] as const) {
      await load.more(SOME)
      await faults.stopServer(nodes, at, 6_000)
    }
    await load.more(SOME)
    await assertWhole(nodes, load)
  },
)

test(
  'a PostgreSQL that stops at once and starts again loses nothing, and both servers go on by themselves',
  BOUND,
  async () => {
    const load = nodes.load()
    for (let times = 0; times < 3; times++) {
      await load.more(SOME)
      await faults.restartPostgres(nodes, 500)
    }
    await load.more(SOME)
    await assertWhole(nodes, load)
  },
)

test(
  'a server whose network is gone answers 503 until it is back, and the other goes on',
  BOUND,
  async () => {
    const load = nodes.load()
    await load.more(SOME)
    const dropped = faults.dropNetwork(nodes, 0, 20_000)
    // A network that is gone without a word is known to be gone after 15 s.
    const answer = await fetch(`${nodes.servers[0]?.url}/registrations`, {
      headers: { authorization: `Bearer ${nodes.key}` },
    })
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /"message":"[A-Z][^"]*\."/)
    await load.more(SOME)
    await dropped
    await load.more(SOME)
    await assertWhole(nodes, load)
  },
)

test('a commit whose answer is lost is answered as it has ended, once', BOUND, async () => {
  const load = nodes.load()
  await faults.loseCommits(nodes, 30)
  await load.more(SOME)
  await assertWhole(nodes, load)
})

test(
  'a PostgreSQL that takes 2 s for each statement is waited for, or a sentence says that it takes too long',
  BOUND,
  async () => {
    const load = nodes.load()
    await load.more(SOME)
    await faults.slowPostgres(nodes, 2_000, 10_000)
    await load.more(SOME)
    await pause(1_000)
    await assertWhole(nodes, load)
  },
)
