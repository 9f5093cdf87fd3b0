import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { familySync } from 'detect-libc'
import { version } from '#base/version.ts'
import { bundle, canMakeExecutables, executable, packaged } from '#test/support/built.ts'
import { Client } from '#test/support/client.ts'
import { organizationToday } from '#test/support/data-folder.ts'
import { diskFolder } from '#test/support/folder.ts'
import { newRegistration } from '#test/support/requests.ts'
import { runCommandIn, type Surroundings, startListening } from '#test/support/server-process.ts'
import { eventually } from '#test/support/webhooks.ts'
import { thisTarget } from '../../build/bundle.mjs'

/** One write takes this many bytes, more than the log may have before a checkpoint begins. */
const MUCH = 20 * 1024 * 1024

for (const { name, file, first, skip, carries } of [
  { name: 'the bundle', file: bundle, first: [process.execPath], skip: false, carries: true },
  {
    name: 'the executable',
    file: executable,
    first: [],
    skip: canMakeExecutables ? false : 'the Node at hand cannot make executables',
    carries: true,
  },
  { name: 'the package', file: packaged, first: [process.execPath], skip: false, carries: false },
]) {
  /** Puts the program alone into a folder, and runs it there with nothing in its environment. */
  const carry = (t: TestContext) => {
    const cwd = diskFolder(t)
    const copy = join(cwd, 'program.cjs')
    copyFileSync(file, copy)
    if (!carries) installSqlite(cwd)
    const surroundings: Surroundings = { command: [...first, copy], cwd, bare: true }
    const cached = { ...surroundings, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
    return { cwd, surroundings, cached, run: (...args: string[]) => runCommandIn(t, cached, ...args) }
  }

  test(`${name} alone runs a sandbox, without anything in its environment`, { skip }, async t => {
    const { cwd, surroundings } = carry(t)
    const server = await startListening(t, surroundings, 'sandbox', '--port', '0')
    assert.equal((await fetch(`${server.url}/events`)).status, 401)
    server.kill('SIGINT')
    const { code, stderr } = await server.ended
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.deepEqual(readdirSync(cwd), carries ? ['program.cjs'] : ['node_modules', 'program.cjs'])
  })

  test(`${name} alone goes the way of an organizer, and empties its log in a thread`, {
    skip,
    timeout: 60_000,
  }, async t => {
    const { cwd, cached, run } = carry(t)
    writeFileSync(join(cwd, 'organization.json'), JSON.stringify(organizationToday()))
    const applied = await run('apply', 'organization.json', '--json')
    assert.deepEqual([applied.code, applied.stderr], [0, ''])
    const { account_id: accountId, events } = JSON.parse(applied.stdout)
    const { id: eventId, registration_types: types } = events['spring-meeting']
    const scopes = 'events:read,registrations:read,registrations:write,checkins:write'
    const flags = ['--account', accountId, '--name', 'door', '--scopes', scopes]
    const { key } = JSON.parse((await run('key', 'create', ...flags, '--json')).stdout)

    const server = await startListening(t, cached, 'serve', '--port', '0', '--log-level', 'error')
    const client = new Client(server.url, key)
    t.after(() => client.close())
    const imported = await client.post('/registrations', newRegistration({ eventId, types }))
    assert.equal(imported.status, 201)
    const [ticket] = imported.body.attendees
    const checkIn = () => client.post('/check-ins', { qr_code: ticket.qr_code })
    assert.deepEqual([(await checkIn()).status, (await checkIn()).status], [201, 409])

    // A cache may be emptied and a package replaced at any time, and the thread of the checkpoints has not begun. Only
    // musl opens the file again.
    if (process.platform === 'linux' && familySync() !== 'musl') {
      rmSync(join(cwd, carries ? 'cache' : 'node_modules'), { recursive: true })
    }
    const path = join(cwd, 'data', 'turnout.db')
    fillLog(t, path, accountId)
    assert.ok(statSync(`${path}-wal`).size > MUCH)
    await eventually('an empty log', () => statSync(`${path}-wal`).size === 0, 30_000)
    assert.ok(statSync(path).size > MUCH)
    assert.equal((await fetch(`${server.url}/reference`)).status, 200)
    assert.equal(countAddons(server.pid), 1)
    assert.equal((await client.get('/events')).status, 200)
    server.kill('SIGTERM')
    const { code, stderr } = await server.ended
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })

  test(`${name} alone says what is wrong, and exits with 1 and 2`, { skip }, async t => {
    const { run } = carry(t)
    const [versionRun, wrong, failed] = await Promise.all([
      run('--version'),
      run('nonsense'),
      run('apply', '/nowhere/organization.json'),
    ])
    assert.deepEqual([versionRun.code, versionRun.stderr], [0, ''])
    assert.match(
      versionRun.stdout,
      new RegExp(`^turnout ${version} \\(Node ${process.versions.node}, SQLite `),
    )
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(
      wrong.stderr,
      /^error: unknown command 'nonsense': the commands of turnout are serve, .*, version\n$/,
    )
    assert.deepEqual(
      [failed.code, failed.stdout, failed.stderr],
      [1, '', 'error: There is no file /nowhere/organization.json.\n'],
    )
  })

  if (!carries) continue

  test(`${name} started several times at once for the first time is unpacked once`, { skip }, async t => {
    const { cwd, run } = carry(t)
    const ended = await Promise.all(Array.from({ length: 3 }, () => run('--version')))
    assert.deepEqual(
      ended.map(({ code, stderr }) => [code, stderr]),
      [
        [0, ''],
        [0, ''],
        [0, ''],
      ],
    )
    const folder = join(cwd, 'cache', 'turnout')
    const [addon, ...others] = readdirSync(folder).filter(name => name !== 'code')
    assert.deepEqual(others, [])
    const { mode } = statSync(folder)
    assert.equal(mode & 0o777, 0o700)
    // A tampered one is made anew before it is loaded: this would not load.
    writeFileSync(join(folder, addon as string), 'tampered')
    const again = await run('--version')
    assert.deepEqual([again.code, again.stderr], [0, ''])
    assert.ok(statSync(join(folder, addon as string)).size > 100_000)
  })

  test(`${name} whose cache cannot be written says so`, { skip }, async t => {
    const { cwd, surroundings } = carry(t)
    writeFileSync(join(cwd, 'file'), '')
    const env = { XDG_CACHE_HOME: join(cwd, 'file') }
    const { code, stdout, stderr } = await runCommandIn(t, { ...surroundings, env }, '--version')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^error: SQLite cannot be unpacked: .*\. Name a folder .* in XDG_CACHE_HOME\.\n$/)
  })

  test(`${name} unpacks beside temporary files where there is no home`, { skip }, async t => {
    const { cwd, surroundings } = carry(t)
    const env = { HOME: join(cwd, 'missing'), TMPDIR: join(cwd, 'tmp') }
    mkdirSync(env.TMPDIR)
    const { code, stderr } = await runCommandIn(t, { ...surroundings, env }, '--version')
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(readdirSync(env.TMPDIR), [`turnout-${process.getuid?.() ?? 'cache'}`])
    assert.ok(!readdirSync(cwd).includes('missing'))
  })
}

/** Installs the one package that the program needs; its JavaScript is inside the program. */
function installSqlite(cwd: string): void {
  const [from, to] = ['node_modules', join(cwd, 'node_modules')].map(path => join(path, 'better-sqlite3'))
  for (const file of ['package.json', `prebuilds/${thisTarget()}.node`]) {
    cpSync(join(from as string, file), join(to as string, file))
  }
}

/** Counts the copies of SQLite in a process. Two would take each other's locks away. */
function countAddons(pid: number): number {
  if (process.platform !== 'linux') return 1
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')
  const loaded = lines.filter(line => /better_sqlite3|prebuilds/.test(line))
  return new Set(loaded.map(line => line.split(/ +/)[4])).size
}

/** Fills the log from another process, so that the server has done nothing for it yet. */
function fillLog(t: TestContext, path: string, accountId: string): void {
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.pragma('wal_autocheckpoint = 0')
  other
    .prepare(
      `INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
       VALUES ('much', ?, 'cli', 'test', 'test', ?, 0, 0)`,
    )
    .run(accountId, 'x'.repeat(MUCH))
}
