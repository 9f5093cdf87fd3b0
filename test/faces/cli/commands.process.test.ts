import assert from 'node:assert/strict'
import { execFile, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import SqliteConnection from 'better-sqlite3'
import { logLevels } from '#base/config.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { bundle } from '#test/support/built.ts'
import { engineEnv, openDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { argumentsFor } from '#test/support/program.ts'
import { eventually } from '#test/support/webhooks.ts'
import { commandLine } from './turnout.ts'

const execute = promisify(execFile)

/** Starts the program in a process of its own. */
function start(t: TestContext, argv: string[], env: Record<string, string> = {}) {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, [...argumentsFor('src/main.ts'), ...argv], {
    stdio,
    env: { ...process.env, ...engineEnv(argv), ...env },
  })
  const output = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', text => {
    output.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    output.err += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const until = async (pattern: RegExp) => {
    while (!pattern.test(output.out)) {
      const next = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended])
      if ('code' in next) throw new Error(`It ended: ${JSON.stringify(next)}`)
    }
    return output.out
  }
  return { child, ended, until }
}

test('a process exits with 0, 1 and 2, and shows a stack to those who debug alone', async t => {
  const missing = ['apply', '/nowhere/organization.json']
  const [version, wrong, failed, debugged] = await Promise.all([
    start(t, ['--version']).ended,
    start(t, ['nonsense']).ended,
    start(t, missing).ended,
    start(t, missing, { TURNOUT_DEBUG: '1' }).ended,
  ])
  assert.deepEqual([version.code, version.err], [0, ''])
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  const sentence = 'error: There is no file /nowhere/organization.json.\n'
  assert.deepEqual(failed, { code: 1, out: '', err: sentence })
  assert.equal(debugged.code, 1)
  assert.match(debugged.err, /\n\s+at /)
})

test('serve prints where it listens on stdout, logs to stderr, and stops when it is told to', async t => {
  const { data, json } = commandLine(t)
  await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const { child, ended, until } = start(t, ['serve', '--data', data, '--port', '0'])
  const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+\/v1)\n$/.exec(await until(/\n/)) ?? []
  assert.equal((await fetch(`${url}/events`)).status, 401)
  child.kill('SIGINT')
  const { code, out, err } = await ended
  assert.deepEqual([code, out], [0, `listening on ${url}\n`])
  const [line] = err
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text))
  assert.deepEqual([line.route, line.status], ['/events', 401])
})

test('serve says how to begin where there is no account yet, in commands that work as pasted', async t => {
  const { folder, write } = commandLine(t)
  write('organization.json', { account: { name: 'Eve', email: 'eve@example.org' } })
  const data = join(folder, "Ada's data")
  const serve = async (...flags: string[]) => {
    const { child, ended, until } = start(t, ['serve', '--data', data, '--port', '0', ...flags])
    const [, url] = /^listening on (.*)\n$/.exec(await until(/\n/)) ?? []
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { url, stop }
  }
  for (const level of logLevels) {
    const quiet = await (await serve('--log-level', level)).stop()
    assert.equal(quiet.code, 0)
    assert.match(quiet.err, /^ {2}http:\S+\/manage\/setup\/[\w-]{43}$/m, level)
  }

  const server = await serve()
  const { code, out, err } = await server.stop()
  assert.deepEqual([code, out], [0, `listening on ${server.url}\n`])
  assert.match(err, /^There is no account yet\. To begin, /)
  const origin = String(server.url).replace(/\/v1$/, '')
  const [setup = ''] = /^ {2}http:\S+$/m.exec(err) ?? []
  assert.match(setup, new RegExp(`^ {2}${origin}/manage/setup/[\\w-]{43}$`))
  const [account, key, apply, ...others] = err.match(/(?<=^ {2})turnout .*$/gm) ?? []
  assert.deepEqual(others, [])
  const program = `'${process.execPath}' '${resolve('bin/turnout.js')}'`
  const paste = async (line = '') =>
    (await execute('sh', ['-c', line.replace(/^turnout/, program)], { cwd: folder })).stdout
  await paste(account)
  const made = await paste(key)
  assert.match(await paste(apply), /^created account eve@example\.org\n/)

  const quiet = await (await serve('--log-level', 'warn')).stop()
  assert.deepEqual([quiet.code, quiet.err], [0, ''])
  const again = await serve()
  const headers = { Authorization: `Bearer ${made.trimEnd().split('\n').at(-1)}` }
  assert.equal((await fetch(`${again.url}/events`, { headers })).status, 200)
  const { err: log } = await again.stop()
  assert.equal(JSON.parse(log).route, '/events')
})

test('the second signal ends a server in the middle of a backup, of which nothing stays', async t => {
  const data = temporaryFolder(t)
  const backups = temporaryFolder(t)
  await (await openDatabase(data, Date.now)).close()
  // The database is so large that its copy is never done before both signals have come.
  const database = new SqliteConnection(databasePath(data))
  database.pragma('synchronous = OFF')
  database.exec(`CREATE TABLE large (body BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO large SELECT zeroblob(1000000) FROM n`)
  database.close()
  const flags = ['--backup-dir', backups, '--backup-every', '* * * * * *']
  const { child, until } = start(t, ['serve', '--data', data, '--port', '0', ...flags])
  const closed = once(child, 'close')
  await until(/\n/)
  await eventually('the start of a backup', () => readdirSync(backups).length > 0)
  child.kill('SIGTERM')
  child.kill('SIGINT')
  const [, signal] = await closed
  // The system may deliver either of two waiting signals first.
  assert.match(signal, /^SIG(TERM|INT)$/)
  assert.deepEqual(readdirSync(backups), [])
})

test('a port that is taken is said in a sentence', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { turnout, data } = commandLine(t)
  const { code, out, err } = await turnout('serve', '--data', data, '--port', String(port))
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, new RegExp(`^error: 127\\.0\\.0\\.1:${port} is already in use\\. .*\\n$`))
})

/** A stand-in for curl, so that the lines are read by a real shell where there is no curl. */
const CURL = `#!${process.execPath}
const headers = {}
let url, body
const words = process.argv.slice(2)
while (words.length > 0) {
  const word = words.shift()
  if (word === '-H') {
    const [name, value] = words.shift().split(': ')
    headers[name] = value
  } else if (word === '-d') body = words.shift()
  else url = word
}
fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body })
  .then(async answer => console.log(JSON.stringify([answer.status, await answer.json()])))
`

test('sandbox prints three curl lines that work as pasted, and leaves nothing behind', async t => {
  const folder = temporaryFolder(t)
  const { child, ended, until } = start(t, ['sandbox', '--port', '0'], { TMPDIR: folder, TURNOUT_DATA: '' })
  const printed = await until(/Stop with/)
  assert.match(printed, /^listening on http:\/\/127\.0\.0\.1:\d+\/v1\n/)
  const sandboxes = () => readdirSync(folder).filter(name => name.startsWith('turnout-sandbox-'))
  assert.equal(sandboxes().length, 1)
  const curl = join(temporaryFolder(t), 'curl')
  writeFileSync(curl, CURL)
  chmodSync(curl, 0o755)
  const path = `${join(curl, '..')}${delimiter}${process.env.PATH}`
  const lines = printed.split('\n').filter(line => line.startsWith('curl '))
  assert.equal(lines.length, 3)
  const answers: [number, Record<string, unknown>][] = []
  for (const line of lines) {
    const { stdout } = await execute('sh', ['-c', line], { env: { ...process.env, PATH: path } })
    answers.push(JSON.parse(stdout))
  }
  assert.deepEqual(
    answers.map(([status, { object }]) => [status, object]),
    [
      [200, 'list'],
      [201, 'registration'],
      [201, 'check_in'],
    ],
  )
  child.kill('SIGTERM')
  const { code, err } = await ended
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(sandboxes(), [])
})

test('sandbox keeps the data of a named folder, and renews its key', async t => {
  const { data, json } = commandLine(t)
  const run = async () => {
    const { child, ended, until } = start(t, ['sandbox', '--port', '0', '--data', data, '--json'])
    const sandbox = JSON.parse(await until(/\n/))
    assert.match(sandbox.manage_url, /^http:\/\/127\.0\.0\.1:\d+\/manage\/sign-in\/[\w-]{43}$/)
    const answer = await fetch(`${sandbox.base_url}/registrations?limit=100`, {
      headers: { 'X-API-Key': sandbox.key },
    })
    const list = (await answer.json()) as { data: { id: string }[] }
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
    return { ...sandbox, ids: list.data.map(({ id }) => id) }
  }
  const first = await run()
  const second = await run()
  assert.equal(second.data, data)
  assert.equal(second.account_id, first.account_id)
  assert.ok(first.ids.length >= 20)
  assert.deepEqual(second.ids, first.ids)
  assert.notEqual(second.key, first.key)
  const { data: members } = await json('user', 'list', '--account', first.account_id)
  assert.deepEqual(
    members.map(({ user, role }: { user: { email: string }; role: string }) => [user.email, role]),
    [['ada@example.org', 'owner']],
  )
  const { data: keys } = await json('key', 'list', '--account', first.account_id)
  assert.deepEqual(
    keys.map(({ name, revoked_at }: Record<string, string | null>) => [name, revoked_at === null]),
    [
      ['sandbox', false],
      ['sandbox', true],
    ],
  )
})

test('sandbox leaves the data of an organizer alone', async t => {
  const { turnout, data, json } = commandLine(t)
  await json('account', 'create', '--name', 'Ada', '--email', 'ada@example.org')
  const { code, out, err } = await turnout('sandbox', '--data', data, '--port', '0')
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^error: .* holds data that is not a sandbox's\. .*\n$/)
  assert.equal((await json('account', 'list')).data.length, 1)
})

test('the built program says the same as its sources', async t => {
  assert.ok(existsSync(bundle))
  const { turnout, folder } = commandLine(t)
  for (const argv of [['--version'], ['openapi']]) {
    const { stdout } = await execute(process.execPath, ['bin/turnout.js', ...argv], { maxBuffer: 10_000_000 })
    assert.equal(stdout, (await turnout(...argv)).out)
  }
  const data = join(folder, 'built')
  await execute(process.execPath, [
    'bin/turnout.js',
    'account',
    'create',
    '--name',
    'A',
    '--email',
    'a@b.c',
    '--data',
    data,
  ])
  assert.ok(existsSync(join(data, 'turnout.db')))
})

test('the program that is not built says how to build it', async t => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "engines": {"node": ">=22.14"}}')
  for (const file of ['turnout.js', 'hand-over.js']) copyFileSync(`bin/${file}`, join(folder, 'bin', file))
  await assert.rejects(execute(process.execPath, [join(folder, 'bin', 'turnout.js')]), {
    code: 1,
    stderr: 'error: Turnout is not built yet: run "npm run build" first.\n',
  })
})

test('a backup that is cut short while it is restored ends that in a sentence, and nothing stays', {
  timeout: 30_000,
}, async t => {
  const folder = temporaryFolder(t)
  const backup = join(folder, 'backup.db')
  writeFileSync(backup, 'SQLite format 3\0')
  // The hole is so large that its copy is never done before it is cut.
  truncateSync(backup, 8 * 1024 ** 3)
  const data = join(folder, 'data')
  const { ended } = start(t, ['restore', backup, '--data', data])
  await eventually('the copy', () => {
    const [staging = ''] = existsSync(data) ? readdirSync(data).filter(name => /^\.turnout-/.test(name)) : []
    const copy = statSync(join(data, staging, 'turnout.db'), { throwIfNoEntry: false })
    return copy !== undefined && copy.size > 0
  })
  truncateSync(backup, 4096)
  assert.deepEqual(await ended, {
    code: 1,
    out: '',
    err: `error: ${backup} got shorter while it was copied. Name a file that nobody writes to.\n`,
  })
  assert.deepEqual(readdirSync(folder), ['backup.db'])
})
