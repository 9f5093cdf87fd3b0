import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#base/config.ts'
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
