import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findUrlFault } from '#product/administration/webhooks/delivery/address-guard.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { answering, type Receiver, startReceiver } from '#test/support/receiver.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const NOT_ALLOWED = 'The address of the endpoint is not allowed.'
const UNVERIFIED = 'The certificate of the endpoint could not be verified.'

/** Starts a server that connects only to the public internet, with a name that leads wherever the test says. */
async function startGuarded(t: TestContext) {
  let addresses: string[] = []
  const lookups: string[] = []
  const lookup: LookupFunction = (hostname, _, callback) => {
    lookups.push(hostname)
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => callback(null, found))
  }
  const server = await startWithWebhooks(t, {
    settings: { allowInsecureWebhooks: false },
    tuning: { webhookLookup: lookup },
  })
  return {
    ...server,
    lookups,
    lookup,
    leadTo: (...to: string[]) => {
      addresses = to
    },
    /** Adds an endpoint as it stands in the database already, and gives its ping once that was attempted. */
    async attempt(url: string) {
      const { id } = await server.addEndpointTo(url, 'registration.created')
      return onceSettled(server, 'webhooks', 'an attempt', async () => {
        const [ping] = await readDeliveries(server.db, id)
        return ping?.status !== 'pending' && ping
      })
    },
  }
}

function portOf(receiver: Receiver): string {
  return new URL(receiver.url).port
}

test('a name that leads outside at registration and to this machine at delivery is refused before a connection', async t => {
  const receiver = await startReceiver(t, undefined, selfSigned)
  const { leadTo, lookup, lookups, attempt } = await startGuarded(t)
  const url = `https://hook.example.org:${portOf(receiver)}/hook`
  leadTo('93.184.215.14')
  assert.equal(await findUrlFault(url, false, lookup), undefined)
  for (const privateAddresses of [
    ['127.0.0.1'],
    ['93.184.215.14', '127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
  ]) {
    leadTo(...privateAddresses)
    const before = lookups.length
    const delivery = await attempt(`${url}?${privateAddresses}`)
    assert.equal(lookups.length, before + 1)
    assert.equal(delivery.status, 'failed')
    const [attempted] = delivery.attempt_log
    assert.deepEqual(
      [attempted?.error, attempted?.status_code, attempted?.response],
      [NOT_ALLOWED, null, null],
    )
  }
  assert.equal(receiver.connections, 0)
})

test('a server without the flag for sandboxes sends nothing to an endpoint that the flag let in', async t => {
  const secure = await startReceiver(t, undefined, selfSigned)
  const plain = await startReceiver(t)
  const { leadTo, lookups, attempt } = await startGuarded(t)
  leadTo('93.184.215.14')
  const urls = [
    secure.url,
    plain.url,
    `https://[::ffff:127.0.0.1]:${portOf(secure)}/`,
    `https://2130706433:${portOf(secure)}/`,
    `http://hook.example.org:${portOf(plain)}/hook`,
  ]
  for (const url of urls) {
    const delivery = await attempt(url)
    assert.deepEqual([delivery.status, delivery.last_error], ['failed', NOT_ALLOWED], url)
  }
  assert.equal(secure.connections + plain.connections, 0)
  assert.deepEqual(lookups, [])
})

test('the record of a failed attempt names no address, host or port', async t => {
  const { leadTo, attempt, db } = await startGuarded(t)
  leadTo('10.1.2.3')
  await attempt('https://secret-host.example.org:8443/hook')
  const sandbox = await startWithWebhooks(t)
  const gone = await startReceiver(t)
  await gone.close()
  const self = await startReceiver(t, undefined, selfSigned)
  for (const url of [gone.url, self.url, 'http://secret-host.invalid:8443/hook']) {
    const { id } = await sandbox.addEndpointTo(url, 'ping')
    await onceSettled(
      sandbox,
      'webhooks',
      'an attempt',
      async () => (await readDeliveries(sandbox.db, id))[0]?.status === 'failed',
    )
  }
  for (const database of [db, sandbox.db]) {
    const rows = await database.read(INSTANCE, tx =>
      tx.all<{ error: string; response: string | null; last_error: string }>(
        'SELECT a.error, a.response, d.last_error FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id',
      ),
    )
    assert.ok(rows.length > 0)
    for (const { error, response, last_error: last } of rows) {
      assert.match(error, /^The [a-z ]+\.$/)
      assert.equal(last, error)
      assert.equal(response, null)
    }
  }
})

test('a redirect is a failure and is not followed, whatever its kind', async t => {
  const server = await startWithWebhooks(t)
  const target = await startReceiver(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await startReceiver(t, answering(status, { location: target.url }))
    const { id } = await server.addEndpointTo(receiver.url, 'ping')
    const ping = await onceSettled(server, 'webhooks', 'an attempt', async () => {
      const [found] = await readDeliveries(server.db, id)
      return found?.status === 'failed' && found
    })
    assert.deepEqual([ping.last_status_code, ping.last_error], [status, null])
    assert.equal(receiver.received.length, 1)
  }
  assert.equal(target.connections, 0)
})

test('a certificate that cannot be verified is a failure, in a sandbox and against the environment too', async t => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t, undefined, selfSigned)
  const { id } = await server.addEndpointTo(receiver.url, 'registration.created')
  const ping = await onceSettled(server, 'webhooks', 'an attempt', async () => {
    const [found] = await readDeliveries(server.db, id)
    return found?.status === 'failed' && found
  })
  assert.deepEqual([ping.last_status_code, ping.last_error], [null, UNVERIFIED])
  assert.ok(receiver.connections > 0)
  assert.equal(receiver.received.length, 0)
})

test('https arrives where the machine trusts the certificate and it names the host, and only there', {
  timeout: 60_000,
}, async t => {
  const { data, accountId } = await prepareDataFolder(t)
  const receiver = await startReceiver(t, undefined, selfSigned)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const add = (url: string) => db.write(accountId, tx => webhooks.addEndpoint(tx, { url, types: ['ping'] }))
  const named = await add(receiver.url)
  const otherwise = await add(receiver.url.replace('127.0.0.1', 'localhost'))
  process.env.NODE_EXTRA_CA_CERTS = join(data, 'authority.pem')
  t.after(() => {
    delete process.env.NODE_EXTRA_CA_CERTS
  })
  writeFileSync(process.env.NODE_EXTRA_CA_CERTS, selfSigned.cert)
  const server = await startServerProcess(t, data, { flags: ['--allow-insecure-webhooks'] })
  const [first] = await eventually('both pings', async () => {
    const found = [...(await readDeliveries(db, named.id)), ...(await readDeliveries(db, otherwise.id))]
    return found.every(({ status }) => status !== 'pending') && found
  })
  assert.equal(first?.status, 'succeeded')
  const [second] = await readDeliveries(db, otherwise.id)
  assert.deepEqual([second?.status, second?.last_error], ['failed', UNVERIFIED])
  assert.equal(receiver.received.length, 1)
  server.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
})
