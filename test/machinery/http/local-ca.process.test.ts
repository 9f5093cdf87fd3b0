import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { readConfig } from '#base/config.ts'
import { DAY } from '#base/time.ts'
import { makeCertificates } from '#machinery/http/local-ca/certificates.ts'
import { type LocalCa, openLocalCa } from '#machinery/http/local-ca/kept.ts'
import { type MachineNames, readMachineNames } from '#machinery/http/local-ca/machine-names.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startServer } from '#test/support/server.ts'

const NAMES = ['192.168.8.10', 'door.lan', 'box.local', 'localhost', '127.0.0.1', 'fd00::10']

test('the certificate is what phones accept: of its CA, for servers, of the names, 825 days at most', t => {
  const now = Date.now()
  const made = makeCertificates(NAMES, now)
  const [ca, own] = [new X509Certificate(made.ca), new X509Certificate(made.cert)]
  assert.ok(own.checkIssued(ca) && own.verify(ca.publicKey) && ca.verify(ca.publicKey))
  assert.deepEqual([ca.ca, own.ca], [true, false])
  assert.deepEqual(own.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  for (const name of ['door.lan', 'box.local', 'localhost']) assert.equal(own.checkHost(name), name)
  for (const address of ['192.168.8.10', '127.0.0.1', 'fd00::10']) assert.ok(own.checkIP(address))
  assert.equal(own.checkHost('other.lan'), undefined)
  assert.equal(own.checkIP('192.168.8.11'), undefined)
  for (const certificate of [ca, own]) {
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    assert.ok(now - from >= DAY && now - from < DAY + 2000)
    assert.ok(to - from < 825 * DAY && to - from > 800 * DAY)
  }
  const others = makeCertificates(NAMES, now)
  const serials = [made.ca, made.cert, others.ca, others.cert].map(
    pem => new X509Certificate(pem).serialNumber,
  )
  assert.equal(new Set(serials).size, 4)
  for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{31}$/)
  assert.notEqual(new X509Certificate(others.ca).subject, ca.subject)

  if (spawnSync('openssl', ['version']).status !== 0) return t.diagnostic('there is no openssl to ask')
  const folder = temporaryFolder(t)
  for (const [name, pem] of Object.entries(made)) writeFileSync(join(folder, name), pem)
  const openssl = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca']
  assert.equal(openssl(...verify, '-verify_ip', '192.168.8.10', 'cert').status, 0)
  assert.equal(openssl(...verify, '-verify_hostname', 'door.lan', 'cert').status, 0)
  assert.notEqual(openssl(...verify, '-verify_hostname', 'other.lan', 'cert').status, 0)
  const { output } = openssl('x509', '-in', 'ca', '-noout', '-text')
  assert.match(output, /Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
  assert.match(output, /Key Usage: critical\s+Certificate Sign\n/)
  assert.match(
    output,
    /Name Constraints: critical\s+Permitted:\s+IP:192\.168\.8\.10\/255\.255\.255\.255\s+DNS:door/,
  )
})

const HOME: MachineNames = {
  wanted: undefined,
  addresses: ['192.168.1.5', '172.17.0.1'],
  others: ['localhost'],
}
const VENUE: MachineNames = { ...HOME, addresses: ['192.168.8.10', '172.18.0.1'] }

test('phones reach a machine by its own networks, not by those of its containers and tunnels', () => {
  const at = (address: string, internal = false) => [{ address, internal, family: 'IPv4' }] as never
  const interfaces = {
    ...{
      lo: at('127.0.0.1', true),
      docker0: at('172.17.0.1'),
      eth0: at('10.1.2.3'),
      wlan0: at('192.168.8.10'),
    },
    ...{ wg0: at('10.9.9.9'), usb0: at('169.254.3.4') },
  }
  const machine = { interfaces, name: 'Box_1.example.net' }
  assert.deepEqual(readMachineNames('0.0.0.0', undefined, machine), {
    wanted: undefined,
    addresses: ['192.168.8.10', '10.1.2.3'],
    others: ['localhost', '127.0.0.1', '10.9.9.9', '172.17.0.1'],
  })
  const named = readMachineNames('10.1.2.3', 'https://door.lan:8443', { interfaces, name: 'box' })
  assert.deepEqual([named.wanted, named.addresses], ['door.lan', ['10.1.2.3']])
  assert.deepEqual(named.others, ['box.local', 'box', 'localhost', '127.0.0.1'])
  assert.equal(readMachineNames('::', 'https://[fd00::1]', machine).wanted, 'fd00::1')
})

test('a CA is kept over restarts, and made anew only where it would help no phone: which is told', t => {
  const folder = temporaryFolder(t)
  let now = Date.now()
  const open = (names: MachineNames) => {
    const ca = openLocalCa(folder, names, now)
    ca.keep()
    return ca
  }
  const isSame = (one: LocalCa, other: LocalCa) => one.fingerprint === other.fingerprint

  const first = open(HOME)
  assert.deepEqual([first.main, first.notices], ['192.168.1.5', []])
  assert.equal(statSync(join(folder, 'local-ca.pem')).mode & 0o777, 0o600)
  assert.equal(
    (readFileSync(join(folder, 'local-ca.pem'), 'utf8').match(/PRIVATE KEY-----\n/g) ?? []).length,
    2,
  )
  assert.deepEqual(readdirSync(folder), ['local-ca.pem'])
  assert.ok(isSame(first, open(HOME)))

  // The phones know this certificate, so it stays, and the addresses that it lacks are reported.
  const partly = open({ ...HOME, addresses: ['10.0.0.7', '172.17.0.1'] })
  assert.ok(isSame(first, partly))
  assert.equal(partly.main, '172.17.0.1')
  assert.match(
    partly.notices.join(),
    /^10\.0\.0\.7 is an address of this machine, .* at 172\.17\.0\.1 alone\./,
  )
  // Without any network nothing is known.
  assert.ok(isSame(first, open({ ...HOME, addresses: [] })))

  const venue = open(VENUE)
  assert.ok(!isSame(first, venue))
  assert.match(
    venue.notices.join(),
    /other addresses now \(192\.168\.8\.10, 172\.18\.0\.1\)\. Install it on every phone/,
  )
  assert.deepEqual(
    [venue.main, venue.covers('192.168.8.10'), venue.covers('192.168.1.5')],
    ['192.168.8.10', true, false],
  )

  // A name that phones go by: what is behind it may change.
  const named = open({ ...VENUE, wanted: 'door.lan' })
  assert.match(named.notices.join(), /the former one is not for door\.lan/)
  assert.deepEqual([named.main, named.plain], ['door.lan', '192.168.8.10'])
  assert.ok(isSame(named, open({ ...HOME, wanted: 'door.lan' })))

  now += 794 * DAY
  const near = open({ ...VENUE, wanted: 'door.lan' })
  assert.ok(isSame(named, near))
  assert.match(
    near.notices.join(),
    /The certificate ends on \d{4}-\d\d-\d\d\. To have a new one sooner, delete /,
  )
  now += 30 * DAY
  const late = open({ ...VENUE, wanted: 'door.lan' })
  assert.ok(!isSame(named, late))
  assert.match(late.notices.join(), /the former one ended on \d{4}-\d\d-\d\d/)
  // A clock that was set back makes no certificate, which would be worse than the present one.
  now -= 2000 * DAY
  assert.ok(isSame(late, open({ ...VENUE, wanted: 'door.lan' })))
})

test('nothing is written before it is kept, and half a file is refused with what to do', t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'local-ca.pem')
  const ca = openLocalCa(folder, HOME, Date.now())
  assert.deepEqual(readdirSync(folder), [])
  ca.keep()
  const complete = readFileSync(path, 'utf8')
  for (const broken of [
    '',
    complete.slice(0, -200),
    complete.slice(0, 900),
    complete.replace(/^-.*?END CERT[^\n]*\n/s, ''),
  ]) {
    writeFileSync(path, broken)
    assert.throws(() => openLocalCa(folder, HOME, Date.now()), /local-ca\.pem is damaged\. Delete it to have/)
  }
})

interface Answer {
  status: number
  type: string | undefined
  body: string
}

async function get(url: string, { language = 'en', ca = '' } = {}): Promise<Answer> {
  const headers = { 'Accept-Language': language, Accept: 'text/html' }
  const request = url.startsWith('https:')
    ? requestSecure(url, { headers, ca, agent: false })
    : requestPlain(url, { headers, agent: false })
  request.end()
  const [response] = await once(request, 'response')
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    body: await text(response.setEncoding('latin1')),
  }
}

test('phones get the CA without TLS and then trust the server; without TLS there is nothing else', async t => {
  const clock = testClock(new Date().toISOString())
  const data = temporaryFolder(t)
  const settings = { localCa: true, host: '127.0.0.1', trustPort: 0 }
  const { app } = await startServer(t, { data, clock, settings })
  assert.ok(app.trust)
  const { url, fingerprint } = app.trust
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/trust$/)

  const { body: der, type } = await get(`${url}/turnout.crt`)
  assert.equal(type, 'application/x-x509-ca-cert')
  const bytes = Buffer.from(der, 'latin1')
  assert.equal(
    createHash('sha256').update(bytes).digest('hex').toUpperCase(),
    fingerprint.replaceAll(':', ''),
  )
  const ca = new X509Certificate(bytes).toString()

  const profile = await get(`${url}/turnout.mobileconfig`)
  assert.equal(profile.type, 'application/x-apple-aspen-config')
  assert.ok(profile.body.includes(`<key>PayloadContent</key><data>${bytes.toString('base64')}</data>`))
  assert.ok(profile.body.includes('<string>com.apple.security.root</string>'))

  const secure = app.siteUrl
  assert.match(secure, /^https:/)
  assert.equal((await get(`${secure}/healthz`, { ca })).status, 200)
  assert.equal((await get(`${secure.replace('127.0.0.1', 'localhost')}/healthz`, { ca })).status, 200)
  await assert.rejects(get(`${secure}/healthz`), /unable to (verify|get)|self.signed/)

  const page = await get(url)
  for (const words of [fingerprint, 'Certificate Trust Settings', 'CA certificate', `${secure}/door/`]) {
    assert.ok(page.body.includes(words), words)
  }
  assert.match((await get(url, { language: 'es' })).body, /Ajustes de confianza de los certificados/)
  assert.ok((await get(`${secure}/trust`, { ca })).body.includes(fingerprint))
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(page.body)?.[1]
  assert.equal((await get(new URL(style as string, url).href)).status, 200)

  const root = new URL('/', url).href
  assert.equal((await get(root)).status, 302)
  for (const path of [
    'v1/events',
    'manage',
    'healthz',
    'v1/openapi.json',
    'trust/local-ca.pem',
    'orders/x',
  ]) {
    assert.equal((await get(root + path)).status, 404, path)
  }
  await app.close()
  const { app: again } = await startServer(t, { data, clock, settings })
  assert.equal(again.trust?.fingerprint, fingerprint)
})

test('flags that go against --local-ca are refused, and it listens where phones come', async t => {
  const data = join(temporaryFolder(t), 'none')
  const { host, port, trustPort } = readConfig({ data, localCa: true })
  assert.deepEqual([host, port, trustPort], ['0.0.0.0', 8443, 8080])
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ trustPort: 1 }, /--trust-port needs --local-ca/],
    [
      { localCa: true, tlsCert: 'a', tlsKey: 'b' },
      /--local-ca makes a certificate, and --tls-cert names one/,
    ],
    [{ localCa: true, port: 9, trustPort: 9 }, /--trust-port must differ from --port/],
    [{ localCa: true, metricsPort: 8080 }, /--trust-port must differ from --metrics-port/],
    [{ localCa: true, baseUrl: 'http://door.lan' }, /--base-url must begin with https/],
  ]
  for (const [settings, sentence] of wrong) assert.throws(() => readConfig({ data, ...settings }), sentence)
  assert.equal(existsSync(data), false)
})
