import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Load, type Nodes, startNodes } from '#test/support/postgres-nodes.ts'
import { ofPostgres } from '#test/support/postgres-server.ts'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'

// Two servers on one PostgreSQL, 32 clients that send every import again until it is answered, and a fault in between.

const BOUND = {
  timeout: 180_000,
  ...ofPostgres,
}
/** How long the load goes on before and after a fault, in milliseconds. */
const BEFORE = 1_500
const AFTER = 2_500

/** Waits until the load has got this many more answers. */
async function answered(load: Load, more: number): Promise<void> {
  const goal = load.answers.size + more
  while (load.answers.size < goal) await pause(20)
}

/** Whatever was answered is there once, and there is nothing else. */
async function assertWhole(nodes: Nodes, load: Load): Promise<void> {
  await load.stop()
  const { ids, sold, late, damage } = await nodes.look()
  const told = [...load.answers.values()].map(({ id }) => id).sort()
  assert.ok(told.length > 50, `only ${told.length} were answered`)
  assert.deepEqual(ids, told)
  assert.equal(sold, told.length)
  assert.equal(late, 0)
  assert.deepEqual(damage, [])
}

async function startPair(t: TestContext) {
  const nodes = await startNodes(t)
  const servers = [await nodes.start(), await nodes.start()] as const
  return { nodes, servers }
}

test('a server that is killed loses nothing that was answered, and the other goes on', BOUND, async t => {
  const { nodes, servers } = await startPair(t)
  const load = nodes.load(servers)
  await pause(BEFORE)
  servers[0].kill('SIGKILL')
  await answered(load, 100)
  await assertWhole(nodes, load)
})

test(
  'a server that stands still while it holds the lock keeps the other waiting for seconds, and doubles nothing',
  BOUND,
  async t => {
    const { nodes, servers } = await startPair(t)
    const load = nodes.load(servers)
    for (let times = 0; times < 3; times++) {
      await pause(BEFORE)
      servers[0].kill('SIGSTOP')
      await answered(load, 100)
      servers[0].kill('SIGCONT')
    }
    await pause(AFTER)
    await assertWhole(nodes, load)
  },
)

test(
  'a PostgreSQL that stops at once and starts again loses nothing, and both servers go on by themselves',
  BOUND,
  async t => {
    const { nodes, servers } = await startPair(t)
    const load = nodes.load(servers)
    for (let times = 0; times < 2; times++) {
      await pause(BEFORE)
      nodes.postgres.stop('immediate')
      await pause(1_000)
      nodes.postgres.start()
      await answered(load, 100)
    }
    await assertWhole(nodes, load)
  },
)

test('a server whose network is gone answers 503 until it is back, and the other goes on', BOUND, async t => {
  const nodes = await startNodes(t)
  const proxy = await startTcpProxy(t, nodes.postgres.port)
  const behind = nodes.url.replace(/:\d+\//, `:${proxy.port}/`)
  const servers = [await nodes.start({ url: behind }), await nodes.start()] as const
  const load = nodes.load(servers)
  await pause(BEFORE)
  proxy.drop()
  await answered(load, 100)
  await pause(6_000)
  proxy.restore()
  await pause(AFTER)
  const { status } = await fetch(`${servers[0].url.replace(/\/v1$/, '')}/healthz`)
  assert.equal(status, 200)
  await assertWhole(nodes, load)
})

test('a commit whose answer is lost is answered as it has ended, once', BOUND, async t => {
  const nodes = await startNodes(t)
  const proxy = await startTcpProxy(t, nodes.postgres.port)
  const behind = nodes.url.replace(/:\d+\//, `:${proxy.port}/`)
  const servers = [await nodes.start({ url: behind }), await nodes.start()] as const
  const load = nodes.load(servers)
  for (let times = 0; times < 10; times++) {
    await pause(200)
    // A commit is the only statement of its text, and goes out by itself.
    proxy.cutAfter('COMMIT')
  }
  await pause(AFTER)
  await assertWhole(nodes, load)
})

test(
  'these tests fail where writes take no lock, and where they are answered before they are committed',
  BOUND,
  async t => {
    for (const broken of ['unlocked', 'early']) {
      const nodes = await startNodes(t)
      const surroundings = {
        imports: ['test/support/broken-postgres.ts'] as const,
        env: { BROKEN: broken },
      }
      const servers = [await nodes.start(surroundings), await nodes.start(surroundings)] as const
      const load = nodes.load(servers)
      for (let times = 0; times < 5; times++) {
        await pause(BEFORE)
        nodes.postgres.stop('immediate')
        nodes.postgres.start()
      }
      await answered(load, 100).catch(() => undefined)
      await assert.rejects(assertWhole(nodes, load), broken)
    }
  },
)
