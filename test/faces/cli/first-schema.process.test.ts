import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { Client } from '#test/support/client.ts'
import { testClock } from '#test/support/clock.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { runCommand, startServerProcess } from '#test/support/server-process.ts'

const released = (name: string) =>
  readFileSync(new URL(`../../machinery/db/sqlite/${name}`, import.meta.url), 'utf8')
const key = 'svc_hEPAhHTRdwyK54VNlzqFGOUR47WJfv3zSHnN'
const admitted =
  'SVC1.AGX74IRXAGRCASIM6NYFRMZ2V7DTH7XHTBB55FOCHRGERUI5GFNQHPHQKKHXHJTJXTX23MTR2EVI5AHKOICYQYLI5HATMRWY5AK6K2ZF7HX4CPFLQQOBWQBL4RTJBG6E3KY6AOAA'
const waiting =
  'SVC1.AGX74IRXAGRCASIM6RYKTOVGFMSWJ34C7AOSMNBLZWLWURRUJ6C4BW7OFVP2EAS75IVDI3PXHMHMF7A46T7OTRKENGTZFN3T4MYCPYTQOIZUMHTGODYYP36PZICKUEQHMRUHMCQP'

test(
  'a database that 0.1 has written is migrated beside a copy, passes the check, and admits whom it had not admitted',
  ofSqlite,
  async t => {
    const data = join(temporaryFolder(t), 'data')
    mkdirSync(data)
    const path = join(data, 'turnout.db')
    await openSqlite(path, {
      clock: testClock(),
      schema: { create: released('schema-1.sql'), migrations: [] },
    }).close()
    const old = new SqliteConnection(path)
    old.exec(`DELETE FROM instance; ${released('data-1.sql')}`)
    const rowsOf = (db: SqliteConnection.Database) =>
      [
        'events',
        'registrations',
        'attendees',
        'check_ins',
        'abstracts',
        'waitlist_entries',
        'webhook_deliveries',
      ].map(table => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
    const rows = rowsOf(old)
    old.close()

    const server = await startServerProcess(t, data)
    assert.deepEqual(
      readdirSync(data).filter(name => name.includes('before')),
      ['turnout.db.before-v2'],
    )
    const client = new Client(server.url, key)
    t.after(() => client.close())
    const checkIn = async (qr_code: string) => (await client.post('/check-ins', { qr_code })).status
    assert.deepEqual(
      [await checkIn(admitted), await checkIn(waiting), await checkIn(waiting)],
      [409, 201, 409],
    )
    const { body } = await client.get('/registrations')
    assert.deepEqual(
      body.data.map(
        ({ buyer, status, answers }: { buyer: { name: string }; status: string; answers: object }) => [
          buyer.name,
          status,
          answers,
        ],
      ),
      [
        ['Alan Turing', 'confirmed', { Diet: 'none' }],
        ['Jörg Müller', 'cancelled', {}],
        ['Grace Hopper', 'confirmed', { Diet: 'vegan' }],
      ],
    )
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    const checked = await runCommand(t, 'check', '--data', data)
    assert.deepEqual([checked.code, checked.stdout], [0, `${path} is whole.\n`], checked.stderr)

    const now = new SqliteConnection(path, { readonly: true })
    t.after(() => now.close())
    assert.deepEqual(
      rowsOf(now),
      rows.map((count, at) => (at === 3 ? Number(count) + 1 : count)),
    )
  },
)
