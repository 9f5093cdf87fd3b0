import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '#base/config.ts'
import { DAY, toIso } from '#base/time.ts'
import { readInstance, setHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { examine, type Patient } from '#machinery/ops/doctor/examine.ts'
import type { Finding } from '#machinery/ops/doctor/finding.ts'
import { listBackups } from '#machinery/ops/scheduled-backups.ts'
import { Format } from '#machinery/web/format.ts'
import { testClock } from '#test/support/clock.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { textsIn } from '#texts/catalogue.ts'

const DISK = 0xef53
const TMPFS = 0x01021994
const NFS = 0x6969
const OVERLAY = 0x794c7630

/** A machine where all is well. */
const well: NonNullable<Patient['machine']> = {
  diskSpace: async () => ({ free: 50e9, total: 100e9 }),
  fileSystem: async () => DISK,
  timeSync: async () => 3,
  isSynchronized: async () => true,
  textLookup: async name => [[name.startsWith('_dmarc.') ? 'v=DMARC1; p=none' : 'v=spf1 mx -all']],
}

/** Prepares a whole database in a folder, and returns what examines it. */
async function prepare(t: TestContext) {
  const clock = testClock('2026-11-21T12:00:00.000Z')
  const data = temporaryFolder(t)
  const db = await openTestDatabase(t, { data, clock })
  const look = async (
    settings: Record<string, unknown> = {},
    machine: NonNullable<Patient['machine']> = {},
    rest: Partial<Patient> = {},
  ) =>
    codesOf(
      await examine({
        ...{ config: readConfig({ data, ...settings }), clock, reader: db, engine: 'SQLite' },
        ...{ isServed: true, backups: undefined, more: [], machine: { ...well, ...machine }, ...rest },
      }),
    )
  return { clock, data, db, look }
}

/** Returns the levels by their codes. Each says its sentence in both languages. */
function codesOf(found: readonly Finding[]): Record<string, Finding['level']> {
  for (const { say } of found) {
    for (const language of ['en', 'es'] as const) {
      const sentence = say({ texts: textsIn(language), format: new Format(language, 'UTC') })
      assert.match(sentence, /\S.*[.:…”»)\w]$/s)
      assert.doesNotMatch(sentence, /undefined|NaN|\[object/)
    }
  }
  return Object.fromEntries(found.map(({ code, level }) => [code, level]))
}

test('where all is well, nothing is broken, and what is not set up is said', async t => {
  const { look } = await prepare(t)
  assert.deepEqual(await look(), {
    ...{ versions: 'ok', clock_right: 'ok', disk_free: 'ok', disk_sync: 'ok', rights_right: 'ok' },
    ...{ backups_off: 'warning', base_url_local: 'info', mail_off: 'warning' },
  })
})

test('a clock behind the newest write is broken, and one that nothing keeps right is a warning', async t => {
  const { look, clock, db } = await prepare(t)
  const { latest_write_at: newest } = await db.read(INSTANCE, readInstance)
  assert.equal((await look({}, { isSynchronized: async () => false })).clock_unsynchronized, 'warning')
  assert.equal((await look({}, { isSynchronized: async () => undefined })).clock_right, 'ok')
  clock.set(toIso(newest - DAY))
  assert.equal((await look()).clock_right, 'ok')
  clock.set(toIso(newest - DAY - 1))
  const found = await look()
  assert.deepEqual([found.clock_behind, found.clock_right], ['error', undefined])
})

test('a disk that is nearly full, slow, in memory, on a network or inside a container is told', async t => {
  const { look, data } = await prepare(t)
  const at = (free: number) => look({}, { diskSpace: async () => ({ free, total: 100e9 }) })
  assert.equal((await at(6e9)).disk_free, 'ok')
  assert.equal((await at(4e9)).disk_nearly_full, 'warning')
  assert.equal((await at(99e6)).disk_full, 'error')
  assert.equal((await look({}, { timeSync: async () => 50 })).disk_sync, 'ok')
  assert.equal((await look({}, { timeSync: async () => 51 })).disk_slow, 'warning')
  assert.equal((await look({}, { fileSystem: async () => TMPFS })).data_in_memory, 'error')
  assert.equal((await look({}, { fileSystem: async () => NFS })).data_on_network, 'error')
  assert.equal((await look({}, { fileSystem: async () => OVERLAY })).data_in_container, 'warning')
  const before = readdirSync(data).sort()
  assert.equal((await look({}, { timeSync: undefined })).disk_sync, 'ok', 'measured on the disk of the tests')
  assert.deepEqual(readdirSync(data).sort(), before, 'and nothing is left behind')
})

test('files that others may read, or that belong to another user than their folder, are told', async t => {
  const { look, data } = await prepare(t)
  const key = join(temporaryFolder(t), 'dkim.pem')
  writeFileSync(key, 'no key', { mode: 0o640 })
  const settings = {
    smtpUrl: 'smtp://127.0.0.1:1',
    mailFrom: 'a@example.org',
    dkimKey: key,
    dkimSelector: 'x',
  }
  assert.equal((await look(settings)).rights_right, 'ok', 'a group may be meant to read a key')
  chmodSync(key, 0o644)
  assert.equal((await look(settings)).rights_open, 'warning')
  const stray = join(data, 'stray')
  writeFileSync(stray, '')
  chmodSync(stray, 0o600)
  assert.equal((await look()).rights_right, 'ok')
  if (process.getuid?.() !== 0) return
  chownSync(stray, 12_345, 12_345)
  const found = await look()
  assert.deepEqual([found.rights_mixed, found.rights_right], ['error', undefined])
})

test('backups are told by their age, and one without secrets does not count', async t => {
  const { look, clock, data } = await prepare(t)
  const folder = join(data, 'backups')
  mkdirSync(folder, { mode: 0o700 })
  const { cursor_secret: secret } = { cursor_secret: 'secret' }
  const backups = { folder, every: '0 3 * * *', list: () => listBackups(folder, secret) }
  const now = clock()
  assert.equal((await look({}, {}, { backups })).backup_missing, 'warning')
  const made = (at: number, isToPassOn: boolean) => ({
    name: '',
    at,
    size: 1,
    byHand: isToPassOn,
    isToPassOn,
  })
  const of = async (...ages: [number, boolean][]) =>
    look(
      {},
      {},
      { backups: { ...backups, list: async () => ages.map(([age, isTo]) => made(now - age, isTo)) } },
    )
  assert.equal((await of([DAY, false])).backup_made, 'ok')
  assert.equal((await of([3 * DAY, false])).backup_late, 'error')
  assert.equal((await of([0, true], [3 * DAY, false])).backup_late, 'error')
  assert.equal((await of([DAY, false])).backups_beside, 'info', 'on the disk of the data')
})

/** Starts a server at an address of its own. */
async function listen(t: TestContext, answer: RequestListener, tls?: { key: string; cert: string }) {
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`
}

const saying =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status).end(body)
  }

test('the address that people use is gone to, and who answers there is told', async t => {
  const { look } = await prepare(t)
  const at = async (answer: RequestListener) => look({ baseUrl: await listen(t, answer) })
  assert.equal((await at(saying(200, '{"status":"ok"}'))).base_url_answers, 'ok')
  assert.equal((await at(saying(503, '{"status":"unavailable"}'))).server_unhealthy, 'error')
  assert.equal((await at(saying(200, '<h1>Welcome to nginx!</h1>'))).base_url_other, 'error')
  assert.equal((await at(saying(302, ''))).base_url_other, 'error', 'nothing is followed')
  assert.equal((await at(saying(200, ' '.repeat(1e6)))).base_url_other, 'error')
  assert.equal((await look({ baseUrl: 'http://127.0.0.1:1' })).base_url_unreachable, 'error')
  const unknown = await look({ baseUrl: 'https://tickets.invalid' })
  assert.equal(unknown.base_url_unknown, 'error')
  const off = await look({ baseUrl: 'http://127.0.0.1:1' }, {}, { isServed: false })
  assert.deepEqual([off.server_off, off.base_url_unreachable], ['info', undefined])
  assert.equal((await look({ behindProxy: true })).base_url_missing, 'warning')
  assert.equal(
    (await look({ baseUrl: 'http://10.0.0.1:1' }, {}, { isServed: false })).base_url_plain,
    'warning',
  )
})

test('a certificate that no browser knows is broken, but for one of the own CA', async t => {
  const { look, clock } = await prepare(t)
  const baseUrl = await listen(t, saying(200, '{"status":"ok"}'), selfSigned)
  const found = await look({ baseUrl })
  assert.deepEqual([found.certificate_untrusted, found.base_url_answers], ['error', 'ok'])
  const own = await look({ baseUrl, localCa: true })
  assert.deepEqual([own.certificate_untrusted, own.base_url_answers], [undefined, 'ok'])
  clock.set('2126-10-28T06:08:15.000Z')
  assert.equal((await look({ baseUrl })).certificate_ended, 'error')
})

test('a certificate of the server is told by its end, before anybody connects', async t => {
  const { look, clock } = await prepare(t)
  const folder = temporaryFolder(t)
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, selfSigned.cert)
  writeFileSync(tlsKey, selfSigned.key, { mode: 0o600 })
  const ends = Date.parse('2126-10-28T06:08:14Z')
  const at = async (now: number) => {
    clock.set(toIso(now))
    return look({ tlsCert, tlsKey, host: '0.0.0.0' })
  }
  assert.equal((await at(ends - 15 * DAY)).certificate_valid, 'ok')
  assert.equal((await at(ends - 13 * DAY)).certificate_near, 'warning')
  assert.equal((await at(ends)).certificate_ended, 'error')
})

test('the server for mail is greeted and gets no mail, and what is wrong with it is told', async t => {
  const { look, db } = await prepare(t)
  const { url, received } = await startMailServer(t)
  const from = { mailFrom: 'tickets@example.org' }
  const found = await look({ smtpUrl: url, ...from })
  assert.deepEqual(
    [found.smtp_ready, found.spf_found, found.dmarc_found, found.dkim_off],
    ['ok', 'ok', 'ok', 'info'],
  )
  assert.deepEqual(received, [])
  assert.equal((await look({ smtpUrl: 'smtp://127.0.0.1:1', ...from })).smtp_connection, 'error')
  const none = { textLookup: async () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) }
  const missing = await look({ smtpUrl: url, ...from }, none)
  assert.deepEqual([missing.spf_missing, missing.dmarc_missing], ['warning', 'warning'])
  const silent = { textLookup: async () => Promise.reject(Object.assign(new Error(), { code: 'ETIMEOUT' })) }
  assert.equal((await look({ smtpUrl: url, ...from }, silent)).spf_unknown, 'info')
  const two = { textLookup: async () => [['v=spf1 -all'], ['v=spf1 mx']] }
  assert.equal((await look({ smtpUrl: url, ...from }, two)).spf_several, 'error')
  await db.write(INSTANCE, tx => setHold(tx, 1))
  assert.equal((await look({ smtpUrl: url, ...from })).mail_held, 'warning')
})

test('a look that fails says so, and hinders no other', async t => {
  const { look } = await prepare(t)
  const failing = () => Promise.reject(new Error('No such thing.'))
  const found = await look({}, {}, { more: [failing] })
  assert.deepEqual([found.look_failed, found.disk_free], ['error', 'ok'])
})

test('without a database that can be read, the machine alone is looked at', async t => {
  const { look } = await prepare(t)
  const found = await look({}, {}, { reader: undefined as Database | undefined })
  assert.deepEqual(Object.keys(found), [
    ...['versions', 'disk_free', 'disk_sync', 'rights_right', 'base_url_local', 'mail_off'],
  ])
})
