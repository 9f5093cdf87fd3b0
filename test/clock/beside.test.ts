import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { commandLine } from '#test/faces/cli/turnout.ts'
import { testClock, writeTenYearsAhead } from '#test/support/clock.ts'
import { ofSqlite, placeOf } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** Starts a server, and beside it a command line with a clock of its own. */
async function startBeside(t: TestContext) {
  const line = commandLine(t)
  const server = await startWithOrganization(
    t,
    organization({ webhooks: [{ url: 'http://127.0.0.1:9/hook', types: ['registration.created'] }] }),
    { data: line.data },
  )
  const accountId = server.applied.account_id
  const file = line.write('organization.json', organization({ email: 'bob@example.org' }))
  const id = server.applied.webhooks['http://127.0.0.1:9/hook']?.id as string
  const command = (argv: string[]) => line.turnout(...argv, '--data', line.data)
  const account = ['account', 'create', '--name', 'Eve', '--email', 'eve@example.org']
  const key = ['key', 'create', '--account', accountId, '--name', 'door', '--scopes', 'events:read']
  return { ...server, line, command, file, id, account, key, accountId }
}

const ROWS = [
  // The server itself raises the number of writes.
  'SELECT cursor_secret, latest_write_at, heartbeat_at, run_mark, held_at, epoch, updated_at FROM instance',
  'SELECT * FROM accounts',
  'SELECT * FROM api_keys',
  'SELECT * FROM webhook_endpoints',
  'SELECT count(*) FROM access_log',
  'SELECT count(*) FROM webhook_deliveries',
]

test('a command whose clock differs from a running server’s by more than 5 minutes writes nothing, and says both times', async t => {
  const { db, line, file, id, account, key } = await startBeside(t)
  const read = () => db.read(INSTANCE, tx => Promise.all(ROWS.map(sql => tx.all(sql))))
  const before = await read()
  const writing = [
    account,
    key,
    ['apply', file, '--new-account'],
    ['webhook', 'rotate', id],
    ['webhook', 'remove', id],
  ]
  const refusals = [10 * 365 * DAY, -6 * MINUTE].flatMap(away => {
    const other = commandLine(t)
    other.clock.advance(away)
    const here = new Date(other.clock()).toISOString()
    return writing.map(async argv => {
      const { code, out, err } = await other.turnout(...argv, '--data', line.data)
      assert.deepEqual([code, out], [1, ''])
      assert.equal(
        err,
        `error: The clock says ${here} here, and 2026-11-21T12:00:00.000Z where the server of ${placeOf(line.data)} runs: more than 5 minutes apart. Set it right, then try again. Nothing was written.\n`,
      )
    })
  })
  await Promise.all(refusals)
  assert.deepEqual(await read(), before)
})

test('a command that only reads is not refused, and neither is a backup', async t => {
  const { line, command, accountId, file } = await startBeside(t)
  line.clock.advance(10 * 365 * DAY)
  const reading = [
    ['account', 'list'],
    ['key', 'list', '--account', accountId],
    ['export', '--account', accountId],
    ['apply', file, '--dry-run', '--new-account'],
    ['log', 'list', '--account', accountId],
    ['delivery', 'list'],
    ...(ofSqlite.skip === false ? [['backup', join(line.folder, 'backup.db')]] : []),
  ]
  const began = performance.now()
  for (const argv of reading) {
    const { code, err } = await command(argv)
    assert.deepEqual([argv[0], code, err], [argv[0], 0, ''])
  }
  assert.ok(performance.now() - began < 1_900, 'None of them waits for another heartbeat.')
})

test('a clock that is less than 5 minutes away is no reason', async t => {
  const { line, command, account, key } = await startBeside(t)
  line.clock.advance(5 * MINUTE)
  assert.equal((await command(account)).code, 0)
  line.clock.advance(-10 * MINUTE)
  assert.equal((await command(key)).code, 0)
})

test('a command compares clocks only with a running server: not after a pause of years, nor after a kill -9', async t => {
  const { app, db, line, command, account, key } = await startBeside(t)
  await app.close()
  line.clock.advance(2 * 365 * DAY)
  assert.equal((await command(account)).code, 0)
  // A server that could not stop leaves such a heartbeat.
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET heartbeat_at = $1', [line.clock() - 300 * DAY]))
  assert.equal((await command(key)).code, 0)
})

test('a command that meets a server which has just woken up waits until that has told its clock', async t => {
  const { app, clock, line, command, account } = await startBeside(t)
  for (const each of [clock, line.clock]) each.advance(8 * HOUR)
  const waiting = command(account)
  // The command takes less time than this to find that the clocks differ.
  await setTimeout(50)
  await app.settled('clock')
  const { code, err } = await waiting
  assert.deepEqual([code, err], [0, ''])
})

test('a clock that jumps under a server, and one behind the newest write, are details of /healthz on both ports until they end', async t => {
  const clock = testClock()
  const monotonic = testClock()
  const server = await startWithOrganization(t, organization(), {
    clock,
    settings: { metricsPort: 0 },
    tuning: { monotonic },
  })
  const ask = async (base: string) => {
    const answer = await fetch(new URL('/healthz', base))
    return { status: answer.status, text: await answer.text() }
  }
  const { app } = server
  const bases = [app.url, app.metricsUrl as string]
  const says = async (text: string) => {
    await app.settled('clock')
    for (const base of bases) assert.deepEqual(await ask(base), { status: 200, text })
  }
  await says('{"status":"ok"}')

  clock.advance(10 * 365 * DAY)
  await says(
    '{"status":"ok","details":[{"code":"clock_jumped","message":"The clock jumped from 2026-11-21T12:00:00.000Z to 2036-11-18T12:00:00.000Z. Set it right, if it is not."}]}',
  )
  clock.advance(-10 * 365 * DAY)
  await says('{"status":"ok"}')

  await writeTenYearsAhead(server)
  await says(
    '{"status":"ok","details":[{"code":"clock_behind","message":"The clock says 2026-11-21T12:00:00.000Z, 3653 days behind the newest write, of 2036-11-21T12:00:00.000Z. Set it right; if it is, run \\"turnout repair clock\\"."}]}',
  )
})
