import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { Refusal } from '#base/refusal.ts'
import { DAY } from '#base/time.ts'
import { engineOf } from '#machinery/db/open.ts'
import { ScheduledBackups, type ScheduledBackupsOptions } from '#machinery/ops/scheduled-backups.ts'
import { testClock } from '#test/support/clock.ts'
import { engineSettings, openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startServer } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

async function prepare(t: TestContext, options: Partial<ScheduledBackupsOptions> = {}) {
  const clock = testClock('2026-11-21T03:00:00.000Z')
  const data = temporaryFolder(t)
  await openTestDatabase(t, { data, clock })
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: line => lines.push(JSON.parse(line)) })
  const folder = join(temporaryFolder(t), 'backups')
  const backUp = engineOf(engineSettings(data)).backUp
  const backups = new ScheduledBackups({ backUp, folder, keep: 3, secret: 'one', clock, log, ...options })
  const nights = async (count: number) => {
    for (let night = 0; night < count; night++) {
      await backups.run()
      clock.advance(DAY)
    }
  }
  return { backups, clock, folder, lines, nights, log, backUp }
}

/** Returns the instants of the backups, without the part of the name that says the database. */
function instants(folder: string): string[] {
  return readdirSync(folder)
    .map(name => name.replace(/^turnout-[0-9a-f]{8}-/, ''))
    .sort()
}

test('a backup is named by its instant in UTC, private, and the newest are kept', async t => {
  const { folder, nights, lines } = await prepare(t)
  await nights(5)
  assert.deepEqual(instants(folder), ['20261123T030000Z.db', '20261124T030000Z.db', '20261125T030000Z.db'])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    [...Array(4).fill('backed up'), 'deleted an old backup', 'backed up', 'deleted an old backup'],
  )
})

test('nothing but its own backups is ever deleted, nor those of another server', async t => {
  const { folder, nights, clock, log, backUp } = await prepare(t)
  await nights(1)
  const [own = ''] = readdirSync(folder)
  const prefix = own.slice(0, 'turnout-00000000-'.length)
  const others = [
    'a.db',
    'turnout.db',
    'turnout-20200101T000000Z.db',
    `${prefix}20200101T000000Z.db.old`,
    `${prefix}20200101.db`,
    `x${own}`,
  ]
  for (const name of others) writeFileSync(join(folder, name), 'precious')
  mkdirSync(join(folder, `${prefix}20200101T000000Z.db`))
  symlinkSync(join(folder, 'a.db'), join(folder, `${prefix}20200102T000000Z.db`))
  const second = new ScheduledBackups({ backUp, folder, keep: 1, secret: 'two', clock, log })
  await second.run()
  await nights(6)
  await second.run()
  for (const name of others) assert.equal(readFileSync(join(folder, name), 'utf8'), 'precious', name)
  assert.ok(existsSync(join(folder, `${prefix}20200101T000000Z.db`)))
  assert.ok(existsSync(join(folder, `${prefix}20200102T000000Z.db`)))
  // Three backups are of one database, and one is of the other.
  assert.equal(readdirSync(folder).length, others.length + 2 + 3 + 1)
})

test('a copy to pass on that is under way takes the place of no backup of the schedule', async t => {
  const { backups, folder } = await prepare(t)
  const toPassOn = backups.run('pass_on')
  await Promise.all([backups.run(), backups.run(), toPassOn])
  await backups.ended()
  assert.deepEqual(instants(folder), ['20261121T030000Z-without-secrets.db', '20261121T030000Z.db'])
  assert.equal(backups.underWay(), undefined)
  // A backup of the same quality takes its place.
  const { folder: other, backups: others } = await prepare(t)
  await Promise.all([others.run('hand'), others.run()])
  assert.deepEqual(instants(other), ['20261121T030000Z-by-hand.db'])
})

test('backups by hand take the place of none of the schedule, and as many of them are kept', async t => {
  const { backups, folder, nights, clock } = await prepare(t)
  await nights(3)
  const scheduled = instants(folder)
  for (let time = 0; time < 4; time++) {
    await backups.run('hand')
    clock.advance(60_000)
  }
  const byHand = instants(folder).filter(name => name.endsWith('-by-hand.db'))
  assert.deepEqual(
    instants(folder).filter(name => !byHand.includes(name)),
    scheduled,
  )
  assert.deepEqual(
    byHand,
    ['1', '2', '3'].map(minute => `20261124T030${minute}00Z-by-hand.db`),
  )
  const made = await backups.list()
  assert.deepEqual(
    made.map(({ byHand, at }) => [byHand, new Date(at).toISOString().slice(0, 16)]),
    [
      [true, '2026-11-24T03:03'],
      [true, '2026-11-24T03:02'],
      [true, '2026-11-24T03:01'],
      [false, '2026-11-23T03:00'],
      [false, '2026-11-22T03:00'],
      [false, '2026-11-21T03:00'],
    ],
  )
  for (const { name, size } of made) assert.equal(size, statSync(join(folder, name)).size)
})

test('a copy without secrets takes the place of no backup, and is counted as none', async t => {
  const { backups, folder, nights, clock } = await prepare(t)
  await nights(3)
  const scheduled = instants(folder)
  for (let time = 0; time < 4; time++) {
    await backups.run('pass_on')
    clock.advance(60_000)
  }
  const made = await backups.list()
  assert.deepEqual(
    made.map(({ isToPassOn, byHand }) => [isToPassOn, byHand]),
    [[true, true], [true, true], [true, true], ...scheduled.map(() => [false, false])],
  )
  clock.advance(2 * DAY)
  await backups.run('pass_on')
  assert.equal((await backups.findLate())?.newest, made.find(each => !each.isToPassOn)?.at)
})

test('one backup is made at a time, and it is known how far it is', async t => {
  const { backups, folder, clock } = await prepare(t)
  assert.equal(backups.underWay(), undefined)
  const running = backups.run('hand')
  assert.equal(backups.run(), running)
  assert.equal(backups.underWay()?.since, clock())
  await running
  assert.equal(backups.underWay(), undefined)
  assert.equal(readdirSync(folder).length, 1)
  const [made] = await backups.list()
  assert.deepEqual(backups.last, { at: clock(), size: made?.size })
})

test('none but its own backups are opened', async t => {
  const { backups, folder, nights } = await prepare(t)
  await nights(1)
  const [own = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'other.db'), 'precious')
  symlinkSync(join(folder, 'other.db'), join(folder, own.replace('20261121', '20261122')))
  for (const name of ['other.db', `../${own}`, own.replace('20261121', '20261122'), '', '.']) {
    assert.equal(await backups.open(name), undefined, name)
  }
  const file = await backups.open(own)
  assert.equal((await file?.stat())?.size, statSync(join(folder, own)).size)
  await file?.close()
})

test('a backup that fails is logged as an error and deletes nothing; the next succeeds', async t => {
  const { folder, nights, lines, backups, clock } = await prepare(t)
  await nights(3)
  const before = readdirSync(folder)
  clock.advance(-DAY)
  await backups.run()
  assert.deepEqual(readdirSync(folder), before)
  const last = lines.at(-1) as { level: number; msg: string; err: { message: string } }
  assert.deepEqual([last.level, last.msg], [50, 'the backup failed'])
  assert.match(last.err.message, /already exists/)
  clock.advance(DAY)
  await backups.run()
  assert.equal(instants(folder).at(-1), '20261124T030000Z.db')
})

test('the newest backup stays even if the clock was set back', async t => {
  const { folder, nights, clock } = await prepare(t)
  await nights(3)
  clock.set('2026-01-01T00:00:00.000Z')
  await nights(1)
  assert.deepEqual(instants(folder), ['20260101T000000Z.db', '20261122T030000Z.db', '20261123T030000Z.db'])
})

test('there are never two at once, and stopping waits for the one under way', async t => {
  const { folder, backups, lines } = await prepare(t)
  const both = [backups.run(), backups.run()]
  backups.stop()
  await backups.ended()
  assert.equal(readdirSync(folder).length, 1)
  await Promise.all(both)
  assert.equal(lines.length, 1)
})

test('a folder that cannot be used is refused at the start', async t => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  await assert.rejects(prepare(t, { folder: join(file, 'backups') }), (error: Error) => {
    assert.ok(error instanceof Refusal)
    assert.match(
      error.message,
      /^The backup folder .* cannot be used: a part of its path is a file\. Choose another with --backup-dir/,
    )
    return true
  })
})

test('a server backs itself up by the cron line, and ends cleanly in the middle of it', async t => {
  const backupDir = join(temporaryFolder(t), 'backups')
  const settings = { backupDir, backupEvery: '* * * * * *', backupKeep: 2 }
  const { app, clock, log } = await startServer(t, { settings })
  await eventually('three backups', () => {
    clock.advance(60_000)
    return log.filter(({ msg }) => msg === 'backed up').length >= 3
  })
  await app.close()
  const names = readdirSync(backupDir)
  assert.ok(names.length <= 2, names.join(', '))
  for (const name of names) assert.match(name, /^turnout-[0-9a-f]{8}-\d{8}T\d{6}Z\.db$/)
  assert.deepEqual(
    log.filter(({ level }) => Number(level) >= 50),
    [],
  )
})

test('a backup is late a day after it should have been made, by the schedule, whoever has restarted the server', async t => {
  const { backups, clock, nights } = await prepare(t)
  clock.advance(DAY)
  assert.equal(await backups.findLate(), undefined, 'the first is due by the night after the start')
  clock.advance(DAY + 1000)
  assert.deepEqual(await backups.findLate(), { newest: null })
  const made = Math.floor(clock() / 1000) * 1000
  await nights(1)
  assert.equal(await backups.findLate(), undefined)
  clock.advance(2 * DAY)
  assert.deepEqual(await backups.findLate(), { newest: made })

  const weekly = await prepare(t, { every: '0 3 * * 6' })
  await weekly.nights(1)
  weekly.clock.advance(6 * DAY)
  assert.equal(await weekly.backups.findLate(), undefined, 'a week is no delay where there is one a week')
})
