import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { explainListening } from '#machinery/http/listening.ts'
import { chained } from '#test/support/chained.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { assertRefused, commandLine } from './turnout.ts'

async function takePort(t: TestContext): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  return String((taken.address() as { port: number }).port)
}

test('a port in use, of the API or of the metrics, is said with its flag, and leaves no database behind', async t => {
  const { turnout, data } = commandLine(t)
  const port = await takePort(t)
  const serve = ['serve', '--data', data]
  assertRefused(
    await turnout(...serve, '--port', port),
    /:\d+ is already in use\. Choose another port with --port;/,
  )
  assertRefused(
    await turnout(...serve, '--port', '0', '--metrics-port', port),
    /:\d+ is already in use\. Choose another port with --metrics-port;/,
  )
  assert.equal(existsSync(data), false)
})

test('an address of another machine, and a name that is none, are said with their flag', async t => {
  const { turnout, data } = commandLine(t)
  const serve = ['serve', '--data', data, '--port', '0']
  assertRefused(
    await turnout(...serve, '--host', '192.0.2.1', '--behind-proxy'),
    /192\.0\.2\.1 is no address of this machine\. Choose another with --host\./,
  )
  assertRefused(
    await turnout(...serve, '--metrics-port', '0', '--metrics-host', '192.0.2.1'),
    /192\.0\.2\.1 is no address of this machine\. Choose another with --metrics-host\./,
  )
  assert.equal(existsSync(data), false)
})

test('every way in which an address is refused has its sentence, and another error stays what it is', () => {
  const place = { host: '::1', port: 443, hostFlag: '--host', portFlag: '--port' }
  const explain = (code: string) => explainListening(Object.assign(new Error('raw'), { code }), place)
  for (const [code, sentence] of [
    ['EACCES', /^\[::1\]:443 may not be used by this user\. Choose a port from 1024 on with --port, or/],
    ['EADDRINUSE', /^\[::1\]:443 is already in use\./],
    ['EADDRNOTAVAIL', /^::1 is no address of this machine\./],
    ['ENOTFOUND', /^--host ::1 is no name that resolves/],
  ] as const) {
    assert.ok(explain(code) instanceof Refusal)
    assert.match(explain(code).message, sentence)
  }
  assert.equal(explain('EMFILE').message, 'raw')
})

test('the flags of TLS and of the metrics that do not go together are refused', async t => {
  const { turnout, data, write } = commandLine(t)
  const cert = write('cert.pem', selfSigned.cert)
  const serve = ['serve', '--data', data]
  assertRefused(await turnout(...serve, '--tls-cert', cert), /--tls-cert needs --tls-key as well\./)
  assertRefused(await turnout(...serve, '--tls-key', cert), /--tls-key needs --tls-cert as well\./)
  assertRefused(
    await turnout(...serve, '--port', '9000', '--metrics-port', '9000'),
    /--metrics-port must differ from --port\./,
  )
  assertRefused(
    await turnout(...serve, '--metrics-host', '0.0.0.0'),
    /--metrics-host needs --metrics-port, the port/,
  )
  assertRefused(await turnout(...serve, '--metrics-port', 'x'), /--metrics-port must be a port number/)
  assertRefused(await turnout(...serve, '--host', '0.0.0.0'), /unencrypted .* --tls-cert and --tls-key/)
  assert.equal(existsSync(data), false)
})

test('a certificate or key that cannot be used is said in a sentence without the key, before anything is made', async t => {
  const { turnout, data, folder, write } = commandLine(t)
  const cert = write('cert.pem', selfSigned.cert)
  const key = write('key.pem', selfSigned.key)
  const pairs: [string, string, RegExp][] = [
    [join(folder, 'none.pem'), key, /--tls-cert \S+none\.pem cannot be read: there is no such file\./],
    [folder, key, /--tls-cert \S+ cannot be read: it is a folder\./],
    ['/dev/null', key, /--tls-cert \/dev\/null cannot be read: it is no PEM file\./],
    [cert, write('large.pem', Buffer.alloc(2_000_000)), /--tls-key \S+ cannot be read: it is no PEM file\./],
    [write('text', 'hello'), key, /--tls-cert \S+ holds no certificate in PEM form\./],
    [key, key, /--tls-cert \S+ holds no certificate in PEM form\./],
    [cert, cert, /--tls-key \S+ holds no private key in PEM form\./],
    [
      cert,
      write('other.pem', chained.key),
      /--tls-key \S+ does not match the first certificate in \S+cert\.pem\./,
    ],
    [
      write('reversed.pem', chained.intermediate + chained.cert),
      write('leaf.pem', chained.key),
      /does not match the first certificate/,
    ],
    [cert, write('encrypted.pem', chained.encryptedKey), /--tls-key \S+ is encrypted\. .*openssl pkey/],
    [cert, write('old.pem', chained.oldEncryptedKey), /--tls-key \S+ is encrypted\. .*openssl pkey/],
  ]
  for (const [tlsCert, tlsKey, sentence] of pairs) {
    const outcome = await turnout(
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--tls-cert',
      tlsCert,
      '--tls-key',
      tlsKey,
    )
    assertRefused(outcome, sentence)
    assert.ok(!outcome.err.includes('PRIVATE KEY'))
  }
  assert.equal(existsSync(data), false)
})

test("sandbox refuses somebody's data before it listens", ofSqlite, async t => {
  const { turnout, data } = commandLine(t)
  await turnout('account', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--data', data)
  // A port in use would be the refusal, if it had come so far.
  assertRefused(
    await turnout('sandbox', '--data', data, '--port', await takePort(t)),
    /holds data that is not a sandbox's/,
  )
  assert.equal(existsSync(join(data, 'server.lock')), false)
})
