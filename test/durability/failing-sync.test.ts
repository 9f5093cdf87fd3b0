import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { diskFolder } from '#test/support/folder.ts'
import { ImportLoad } from '#test/support/load.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { buildRecorder, noRecorder } from './recorder.ts'

const limit = { timeout: 60_000, ...(noRecorder === undefined ? {} : { skip: noRecorder }) }

test(
  'a server whose disk fails a sync ends with a sentence, and has answered nothing that the sync covered',
  limit,
  async t => {
    const { data, eventId, typeId, key } = await prepareDataFolder(t)
    const env = { LD_PRELOAD: buildRecorder(diskFolder(t)), SYNCS: '20' }
    const server = await startServerProcess(t, data, { env })
    const client = new Client(server.url, key)
    const load = new ImportLoad(client, 'failing', 8, number => ({
      event_id: eventId,
      registration_type_id: typeId,
      buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    }))
    await load.ended()
    await client.close()
    const { code, stderr } = await server.ended
    assert.equal(code, 1)
    assert.match(stderr, /^error: The disk has failed, .*$/m)
    assert.match(stderr, /EIO/)
    assert.ok(load.answered.size > 0 && load.answered.size < load.sent.length)
    assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))
    assert.deepEqual(await findLoss(data, load.answered), [])
    assert.deepEqual(await findDamage(data), [])
  },
)
