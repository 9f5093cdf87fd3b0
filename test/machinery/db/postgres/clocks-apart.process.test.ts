import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY, MINUTE, SECOND } from '#base/time.ts'
import { makeClocks } from '#test/support/cluster/clocks.ts'
import * as faults from '#test/support/cluster/faults.ts'
import { assertWhole } from '#test/support/cluster/proof.ts'
import { startNodes, startPair } from '#test/support/postgres-nodes.ts'
import { ofPostgres } from '#test/support/postgres-server.ts'

const BOUND = { timeout: 120_000, ...ofPostgres }
const SOME = 100

test('servers whose machines have other clocks keep one order, and end nothing too early', BOUND, async t => {
  const clocks = makeClocks(t)
  const nodes = await startPair(t, { sells: true, surroundings: clocks.surroundings })
  const load = nodes.load(4)
  await load.more(SOME)
  for (const by of [3 * SECOND, 2 * MINUTE, DAY, -3 * SECOND, -2 * MINUTE, -DAY]) {
    // Whoever leads has the clock of which more depends.
    const at = nodes.findLeader() ?? 0
    const [, details] = await Promise.all([
      faults.setClock(clocks, at, { by, milliseconds: 1_500 }),
      detailsOf(nodes.servers[at]?.url as string),
    ])
    assert.deepEqual(details, ['clock_apart'], `a clock that is ${by / 1_000} s ahead`)
  }
  await load.more(SOME)
  await assertWhole(nodes, load)
})

/** Asks until the server says what else there is to know of its health. */
async function detailsOf(url: string): Promise<string[]> {
  for (;;) {
    const answer = await fetch(url.replace(/v1$/, 'healthz'))
    const { details } = (await answer.json()) as { details?: { code: string }[] }
    if (details !== undefined) return details.map(({ code }) => code)
    await pause(50)
  }
}

test('a server that starts with a clock that is more than a minute wrong is refused', BOUND, async t => {
  const clocks = makeClocks(t)
  const nodes = await startNodes(t)
  for (const by of [2 * MINUTE, -2 * MINUTE, DAY, -DAY]) {
    clocks.set(1, by)
    await assert.rejects(
      nodes.start(1, clocks.surroundings(1)),
      /more than a minute apart\. Set both by NTP, then start again\./,
    )
  }
  clocks.set(0, 3 * SECOND)
  clocks.set(1, -3 * SECOND)
  for (const at of [0, 1] as const) await nodes.start(at, clocks.surroundings(at))
  const load = nodes.load()
  await load.more(2 * SOME)
  await assertWhole(nodes, load)
})
