import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import * as faults from '#test/support/cluster/faults.ts'
import { assertWhole, waitUntilWell } from '#test/support/cluster/proof.ts'
import { mountSmallDisk } from '#test/support/cluster/small-disk.ts'
import { type Nodes, startPair } from '#test/support/postgres-nodes.ts'
import { ofPostgres } from '#test/support/postgres-server.ts'

const BOUND = { timeout: 120_000, ...ofPostgres }
const SOME = 100
const BUYERS = 4

async function epochOf({ db }: Nodes) {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ epoch: string; held_at: number | null }>('SELECT epoch, held_at FROM instance'),
  )
  return { ...row }
}

test(
  'a synchronous standby that takes over has all that was answered; doors copy again, and nothing is held',
  BOUND,
  async t => {
    const nodes = await startPair(t, { sells: true })
    const before = await epochOf(nodes)
    const load = nodes.load(BUYERS)
    await load.more(SOME)
    await faults.failOver(nodes)
    await load.more(SOME)
    const after = await epochOf(nodes)
    assert.notEqual(after.epoch, before.epoch, 'doors go on with the numbers of the primary that is lost')
    assert.equal(after.held_at, null)
    const mails = nodes.mails.length
    while (nodes.mails.length === mails) await pause(100)
    await assertWhole(nodes, load)
  },
)

test(
  'while the disk of PostgreSQL is full, a sentence says so, and all goes on once there is room',
  BOUND,
  async t => {
    const disk = mountSmallDisk(t)
    if (disk === undefined) return t.skip('this user may not mount a disk of its own')
    const nodes = await startPair(t, {
      place: disk.place,
      // Segments are small and few, so that the log soon needs a new one.
      settings: { fsync: 'off', max_wal_size: '32MB', min_wal_size: '32MB' },
    })
    const load = nodes.load()
    await load.more(SOME)
    await faults.fillDisk(nodes, disk, async () => {
      const refusals = load.refusals
      // A part of the disk that was reserved before is filled first.
      while (load.refusals === refusals) await pause(100)
      await pause(3_000)
    })
    await load.more(SOME)
    await waitUntilWell(nodes)
    await assertWhole(nodes, load)
  },
)
