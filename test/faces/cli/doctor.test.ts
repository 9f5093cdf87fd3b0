import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { ofSqlite } from '#test/support/engine.ts'
import { assertRefused, commandLine } from './turnout.ts'

const ACCOUNT = ['account', 'create', '--name', 'Ada', '--email', 'ada@example.org']

interface Printed {
  ok: boolean
  findings: { level: string; code: string; message: string }[]
}

test('doctor says a line with a code for each look, and ends with 1 where something is broken', async t => {
  const { turnout, data, json } = commandLine(t)
  await json(...ACCOUNT)
  const before = existsSync(data) && readdirSync(data)
  const { out, err, code } = await turnout('doctor', '--data', data, '--base-url', 'https://tickets.invalid')
  assert.match(out, /^ok {7}versions: Turnout \S+, Node\.js \S+, /)
  assert.match(out, /^broken {3}base_url_unknown: No name server knows tickets\.invalid\./m)
  assert.match(out, /^warning {2}mail_off: /m)
  for (const line of out.trimEnd().split('\n')) assert.match(line, /^(ok|note|warning|broken) +[a-z_]+: \S/)
  assert.equal(code, 1)
  assert.match(err, /^error: (One thing is|\d things are) broken\.\n$/)
  assert.deepEqual(existsSync(data) && readdirSync(data), before, 'it writes nothing')

  const printed: Printed = JSON.parse(
    (await turnout('doctor', '--data', data, '--json', '--base-url', 'https://tickets.invalid')).out,
  )
  assert.equal(printed.ok, false)
  const unknown = printed.findings.find(({ code }) => code === 'base_url_unknown')
  assert.deepEqual(Object.keys(unknown ?? {}), ['level', 'code', 'message'])
  assert.equal(unknown?.level, 'error')
})

test('doctor refuses wrong settings as the server does, and a folder without a database', async t => {
  const { turnout, data, json } = commandLine(t)
  assertRefused(await turnout('doctor', '--data', data), /There is no database in/)
  await json(...ACCOUNT)
  assertRefused(
    await turnout('doctor', '--data', data, '--mail-from', 'a@example.org'),
    /--mail-from needs --smtp-url as well/,
  )
})

test(
  'a database of another version is broken, and the machine is looked at all the same',
  ofSqlite,
  async t => {
    const { turnout, data, json } = commandLine(t)
    await json(...ACCOUNT)
    const file = new SqliteConnection(`${data}/turnout.db`)
    file.pragma('user_version = 99')
    file.close()
    const { out, code } = await turnout('doctor', '--data', data)
    assert.equal(code, 1)
    assert.match(out, /^broken {3}database_unreadable: .*version/)
    assert.match(out, /^ok {7}disk_free: /m)
    assert.doesNotMatch(out, /clock_right|backups_/)
  },
)
