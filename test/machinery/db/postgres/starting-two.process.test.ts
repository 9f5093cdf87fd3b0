import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#base/config.ts'
import { run } from '#faces/cli/program.ts'
import { engineOf } from '#machinery/db/open.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { startServerProcess } from '#test/support/server-process.ts'

const postgres = postgresOfFile()

test('the set-up links of two servers are both good until one is used', ofPostgres, async t => {
  const env = { TURNOUT_DATABASE_URL: postgres().makeDatabase() }
  const first = await startServerProcess(t, temporaryFolder(t), { env })
  const second = await startServerProcess(t, temporaryFolder(t), { env })
  first.kill('SIGTERM')
  const printed = (await first.ended).stderr
  assert.doesNotMatch(printed, /--data/, 'a command with that would make a file')
  const path = /\/manage\/setup\/[\w-]{43}/.exec(printed)?.[0] as string
  const page = await fetch(new URL(path, second.url))
  assert.equal(page.status, 200)
  assert.match(await page.text(), /name="organization|Organization/)
  second.kill('SIGTERM')
  const other = /\/manage\/setup\/[\w-]{43}/.exec((await second.ended).stderr)?.[0]
  assert.ok(other !== undefined && other !== path)
})

test('what is for one machine is refused beside a database of several, with what to use', async () => {
  const settings = { data: '.', databaseUrl: 'postgresql://turnout@127.0.0.1/turnout' }
  const refused = [
    [
      { localCa: true },
      /^--local-ca makes a certificate for one machine: .* --tls-cert .* --behind-proxy\.$/,
    ],
    [{ doorOnly: true }, /^--door-only admits from a copy in a data folder: .* "turnout copy"\.$/],
    [{ backupDir: 'backups' }, /^--backup-dir copies the database file, .* pg_basebackup or pgBackRest\.$/],
  ] as const
  for (const [flag, message] of refused) {
    assert.throws(() => readConfig({ ...settings, ...flag }), { message })
    readConfig({ data: '.', ...flag })
  }
})

test(
  'commands that are for one machine are refused beside a database of several, by the flag and by the environment',
  ofPostgres,
  async t => {
    const databaseUrl = postgres().makeDatabase()
    const folder = temporaryFolder(t)
    const db = await engineOf({ data: folder, databaseUrl }).openForCommand(Date.now)
    await db.close()
    const file = join(folder, 'backup.db')
    const refused = [
      [
        ['serve', '--local-ca'],
        /^error: --local-ca makes a certificate for one machine: .* --behind-proxy\.\n$/,
      ],
      [
        ['serve', '--door-only'],
        /^error: --door-only admits from a copy in a data folder: .* "turnout copy"\.\n$/,
      ],
      [
        ['serve', '--backup-dir', folder],
        /^error: --backup-dir copies the database file, .* pgBackRest\.\n$/,
      ],
      [
        ['sandbox'],
        /^error: The sandbox has a database file of its own: leave --database-url .* empty database\.\n$/,
      ],
      [
        ['backup', file],
        /^error: A PostgreSQL database is backed up by its own tools, .* to any second\.\n$/,
      ],
      [
        ['restore', file],
        /^error: "turnout restore" makes the database of a data folder, .* "turnout copy"\.\n$/,
      ],
    ] as const
    const before = process.env.TURNOUT_DATABASE_URL
    t.after(() => {
      if (before === undefined) delete process.env.TURNOUT_DATABASE_URL
      else process.env.TURNOUT_DATABASE_URL = before
    })
    for (const [argv, sentence] of refused) {
      for (const isFlag of [true, false]) {
        const data = join(folder, 'data')
        if (isFlag) delete process.env.TURNOUT_DATABASE_URL
        else process.env.TURNOUT_DATABASE_URL = databaseUrl
        const said: string[] = []
        const terminal = {
          ...{ out: () => assert.fail('it runs'), err: (text: string) => void said.push(text) },
          clock: Date.now,
        }
        const more = ['--data', data, ...(isFlag ? ['--database-url', databaseUrl] : [])]
        assert.equal(await run([...argv, ...more], terminal), 1, argv.join(' '))
        assert.match(said.join(''), sentence)
        assert.ok(!existsSync(data) && !existsSync(file), 'it left something behind')
      }
    }
  },
)
