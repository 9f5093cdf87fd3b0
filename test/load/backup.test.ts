import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { diskFolder } from '#test/support/folder.ts'
import { ImportLoad } from '#test/support/load.ts'
import { withRows } from '#test/support/rows.ts'
import { runCommand, startCommand, startServerProcess } from '#test/support/server-process.ts'
import { eventually } from '#test/support/webhooks.ts'

const limit = { timeout: 120_000 }
const MEBIBYTE = 1024 * 1024

async function startUnderLoad(t: TestContext, surroundings = {}) {
  const folder = await prepareDataFolder(t)
  const server = await startServerProcess(t, folder.data, surroundings)
  const client = new Client(server.url, folder.key)
  t.after(() => client.close())
  const load = new ImportLoad(client, 'load', 8, number => ({
    event_id: folder.eventId,
    registration_type_id: folder.typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    quantity: 1 + (number % 3),
  }))
  return { ...folder, server, client, load }
}

/** Makes the database large, so that a backup takes its time. */
function enlarge(data: string, accountId: string, mebibytes: number): Promise<void> {
  const details = JSON.stringify({ text: 'x'.repeat(MEBIBYTE) })
  return withRows(data, rows =>
    rows.transaction(() =>
      rows.runEach(
        `INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
         VALUES ($1, $2, 'cli', 'test', 'test', $3, 0, 0)`,
        Array.from({ length: mebibytes }, (_, number) => [`large-${number}`, accountId, details]),
      ),
    ),
  )
}

/** Makes a data folder of a backup as it is, without a restore. */
function folderOf(t: TestContext, backup: string): string {
  const data = diskFolder(t)
  copyFileSync(backup, join(data, 'turnout.db'))
  return data
}

test(
  'a backup under load ends, is whole, and has all that was acknowledged before it began',
  limit,
  async t => {
    const { data, accountId, load, server } = await startUnderLoad(t)
    await enlarge(data, accountId, 60)
    await load.reached(50)
    const folder = diskFolder(t)
    const backup = join(folder, 'backup.db')
    const before = new Map(load.answered)
    const { code, stderr } = await runCommand(t, 'backup', backup, '--data', data)
    const sent = load.sent.length
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(load.answered.size > before.size, 'writes went on')
    // The log is emptied again once the backup has ended.
    await load.reached(load.answered.size + 50)
    await load.stop()
    assert.deepEqual(load.broken, [])

    const restored = join(folder, 'restored')
    assert.equal((await runCommand(t, 'restore', backup, '--data', restored)).code, 0)
    assert.deepEqual(await findDamage(restored), [])
    assert.deepEqual(await findLoss(restored, before), [])
    const [count = 0] = await withRows(restored, rows =>
      rows.column<number>('SELECT count(*) FROM registrations'),
    )
    assert.ok(count >= before.size && count <= sent, `${before.size} <= ${count} <= ${sent}`)
    const checked = await runCommand(t, 'check', '--data', data, '--json')
    assert.deepEqual(JSON.parse(checked.stdout), { ok: true, errors: [] })

    // Nothing is written any more: a backup of now exports the same.
    const last = join(folder, 'last.db')
    await runCommand(t, 'backup', last, '--data', data)
    await runCommand(t, 'restore', last, '--data', join(folder, 'last'))
    const [source, again] = await Promise.all(
      [data, join(folder, 'last')].map(at => runCommand(t, 'export', '--account', accountId, '--data', at)),
    )
    assert.equal(source?.code, 0)
    assert.equal(again?.stdout, source?.stdout)
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
  },
)

test('a restored database is served, and a retry gets the answer that it got before', limit, async t => {
  const { data, load, server, key } = await startUnderLoad(t)
  await load.reached(20)
  await load.stop()
  const folder = diskFolder(t)
  const restored = join(folder, 'restored')
  await runCommand(t, 'backup', join(folder, 'backup.db'), '--data', data)
  server.kill('SIGKILL')
  await server.ended
  await runCommand(t, 'restore', join(folder, 'backup.db'), '--data', restored)
  const second = await startServerProcess(t, restored)
  const client = new Client(second.url, key)
  t.after(() => client.close())
  for (const { idempotencyKey, body } of load.sent) {
    const answer = await client.post('/registrations', body, {
      headers: { 'Idempotency-Key': idempotencyKey },
    })
    assert.equal(answer.text, load.answered.get(idempotencyKey)?.text)
    assert.equal(answer.headers['idempotent-replayed'], 'true')
  }
  assert.deepEqual(await findDamage(restored), [])
})

for (const [signal, leaves] of [
  ['SIGKILL', 1],
  ['SIGINT', 0],
] as const) {
  test(`a backup that gets ${signal} halfway gives no file, and the next one succeeds`, limit, async t => {
    const { data, accountId } = await prepareDataFolder(t)
    await enlarge(data, accountId, 200)
    const folder = diskFolder(t)
    const backup = join(folder, 'backup.db')
    const command = startCommand(t, 'backup', backup, '--data', data)
    const half = () =>
      readdirSync(folder).some(name => {
        const file = join(folder, name, 'backup.db')
        return existsSync(file) && statSync(file).size > MEBIBYTE
      })
    await eventually('half a backup', half, 60_000)
    command.kill(signal)
    const { code, signal: endedBy } = await command.ended
    assert.deepEqual([code, endedBy], [null, signal])
    assert.equal(readdirSync(folder).length, leaves)
    assert.equal(existsSync(backup), false)
    assert.equal((await runCommand(t, 'backup', backup, '--data', data)).code, 0)
    assert.deepEqual(readdirSync(folder), ['backup.db'])
    assert.deepEqual(await findDamage(folderOf(t, backup)), [])
  })
}

test('the built program backs up by cron, and by hand while it serves', limit, async t => {
  assert.equal(spawnSync(process.execPath, ['build.mjs']).status, 0)
  const folder = diskFolder(t)
  const scheduled = join(folder, 'scheduled')
  const program = 'dist/turnout.cjs'
  const env = { TURNOUT_BACKUP_DIR: scheduled, TURNOUT_BACKUP_EVERY: '* * * * * *', TURNOUT_BACKUP_KEEP: '2' }
  const { load, server } = await startUnderLoad(t, { program, env })
  const complete = () => readdirSync(scheduled).filter(name => name.endsWith('.db'))
  const seen = new Set<string>()
  await eventually(
    'three backups',
    () => {
      for (const name of complete()) seen.add(name)
      return seen.size >= 3
    },
    60_000,
  )
  await load.stop()
  server.kill('SIGTERM')
  const { code, stderr } = await server.ended
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const kept = complete()
  assert.ok(kept.length <= 2)
  assert.deepEqual(readdirSync(scheduled), kept)
  for (const name of kept) assert.deepEqual(await findDamage(folderOf(t, join(scheduled, name))), [])
})
