import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '#machinery/db/port.ts'
import { applyFile } from '#product/data-care/organization/apply.ts'
import { readOrganization } from '#product/data-care/organization/read.ts'
import { Client } from '#test/support/client.ts'
import { findDamage } from '#test/support/damage.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { openDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { ImportLoad } from '#test/support/load.ts'
import { collectOrganization, registration } from '#test/support/organization.ts'
import { openRows, type Rows } from '#test/support/rows.ts'
import { runCommand, startCommand, startServerProcess } from '#test/support/server-process.ts'

/** A process that does not end as it should fails the test, and does not hold up the run. */
const limit = { timeout: 120_000 }

const START = Date.parse('2026-01-01T00:00:00Z')

/** Writes an organization file with so many registrations, each dated and with a ticket. */
function writeFile(folder: string, count: number): string {
  const file = join(folder, 'moved.json')
  const registrations = Array.from({ length: count }, (_, number) =>
    registration(`moved-${number}`, {
      created_at: new Date(START + ((number * 7919) % count) * 1000).toISOString(),
    }),
  )
  writeFileSync(file, JSON.stringify(organizationToday(registrations)))
  return file
}

const applied = "SELECT count(*) FROM access_log WHERE action = 'organization.apply'"

/** Follows what other processes commit. */
async function follow(t: TestContext, data: string): Promise<Rows['column']> {
  return (await openRows(t, data)).column
}

/** Opens the database in this process, as a command would. */
async function withDatabase<T>(data: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(data, Date.now)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

function exportText(db: Database, accountId: string): Promise<string> {
  return db.read(accountId, async tx => JSON.stringify(await collectOrganization(tx)))
}

test(
  'batches that kill -9 cuts off at any point are whole, and the same command ends as one write does',
  limit,
  async t => {
    const { data, accountId } = await prepareDataFolder(t)
    const unbroken = await prepareDataFolder(t)
    const file = writeFile(data, 8_000)
    const query = await follow(t, data)
    let kills = 0
    for (const polls of [5, 60]) {
      const before = (await query<number>(applied))[0] as number
      const command = startCommand(t, 'apply', file, '--data', data, '--in-batches')
      let running = true
      command.ended.then(() => {
        running = false
      })
      while (running && (await query<number>(applied))[0] === before) await nextTurn()
      for (let poll = 0; running && poll < polls; poll++) await nextTurn()
      command.kill('SIGKILL')
      if ((await command.ended).signal === 'SIGKILL') kills++
      assert.deepEqual(await findDamage(data), [])
    }
    const [cut = 0] = await query<number>("SELECT count(*) FROM registrations WHERE reference LIKE 'moved-%'")
    assert.ok(kills > 0 && cut > 0 && cut < 8_000, `${kills} kills left ${cut}`)

    const again = await runCommand(t, 'apply', file, '--data', data, '--in-batches', '--json')
    assert.deepEqual([again.code, again.stderr], [0, ''])
    assert.equal(JSON.parse(again.stdout).created, 8_000 - cut)
    const text = await withDatabase(data, db => exportText(db, accountId))
    const expected = await withDatabase(unbroken.data, async db => {
      await applyFile(db, readOrganization(readFileSync(file)), { clock: Date.now })
      return exportText(db, unbroken.accountId)
    })
    assert.equal(text, expected)
    assert.equal(text.split('"moved-').length, 8_001)
    assert.deepEqual(await findDamage(data), [])
  },
)

test(
  'past 20,000 registrations a running server is asked to be stopped, or goes on between the batches',
  limit,
  async t => {
    const folder = await prepareDataFolder(t)
    const { data, key, eventId, typeId } = folder
    const server = await startServerProcess(t, data)
    const file = writeFile(diskFolder(t), 20_001)
    const query = await follow(t, data)

    const refused = await runCommand(t, 'apply', file, '--data', data, '--json')
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.equal(
      refused.stderr,
      `error: A server runs on ${data}, and its writes would wait while 20,001 registrations are imported. Stop it first, or add --in-batches.\n`,
    )
    assert.deepEqual(await query('SELECT count(*) FROM registrations'), [0])
    const client = new Client(server.url, key)
    t.after(() => client.close())
    const buyer = { name: 'Guest', email: 'guest@example.org' }
    const load = new ImportLoad(client, 'beside', 4, () => ({
      event_id: eventId,
      registration_type_id: typeId,
      buyer,
    }))
    await load.reached(10)
    const done = await runCommand(t, 'apply', file, '--data', data, '--in-batches', '--json')
    await load.stop()
    assert.equal(done.code, 0)
    assert.match(
      done.stderr,
      /^Importing 20,001 registrations takes about \d+ (second|minute)s?, and longer on a slow disk\.\n$/,
    )
    assert.equal(JSON.parse(done.stdout).created, 20_001)
    assert.deepEqual(load.broken, [])
    assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))

    const written = await query<number>(
      'SELECT CASE WHEN reference = id THEN 1 ELSE 0 END FROM registrations ORDER BY number',
    )
    assert.equal(written.length, 20_001 + load.sent.length)
    const runs =
      written
        .join('')
        .match(/0+/g)
        ?.map(({ length }) => length) ?? []
    // A thousand registrations with a ticket each make a batch; the server may have been too slow for some gap.
    assert.ok(runs.length > 3, `the server wrote nothing between the batches: ${runs}`)
    assert.deepEqual(await findDamage(data), [])
  },
)
