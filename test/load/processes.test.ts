import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Answer, Client } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { brokenConnection, ImportLoad } from '#test/support/load.ts'
import { registration } from '#test/support/organization.ts'
import { openRows } from '#test/support/rows.ts'
import { runCommand, startServerProcess } from '#test/support/server-process.ts'

/** A process that does not end as it should fails the test, and does not hold up the run. */
const limit = { timeout: 60_000 }

/** Starts a server in a process of its own, with a client for it and what an import needs. */
async function startProcess(t: TestContext) {
  const folder = await prepareDataFolder(t)
  const server = await startServerProcess(t, folder.data)
  const newClient = (connections?: number) => {
    const client = new Client(server.url, folder.key, connections)
    t.after(() => client.close())
    return client
  }
  const makeImport = (number: number) => ({
    event_id: folder.eventId,
    registration_type_id: folder.typeId,
    buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
    quantity: 1 + (number % 3),
  })
  return { ...folder, server, newClient, makeImport }
}

/** Takes the lock of the database, as another process that writes. @returns what gives it back */
async function holdLock(t: TestContext, data: string): Promise<() => Promise<void>> {
  return (await openRows(t, data)).hold()
}

/** Sends that many imports at once, each on a connection of its own. */
function sendImports(client: Client, count: number, makeImport: (number: number) => object) {
  const answered: Answer[] = []
  const imports = Array.from({ length: count }, async (_, number) => {
    const headers = { 'Idempotency-Key': `held-${number}` }
    answered.push(await client.post('/registrations', makeImport(number), { headers }))
  })
  return { answered, all: Promise.all(imports) }
}

test(
  'a second server on the same folder says so in one sentence and exits, and the first goes on',
  limit,
  async t => {
    const { data, newClient, makeImport, server } = await startProcess(t)
    const load = new ImportLoad(newClient(), 'first', 4, makeImport)
    await load.reached(10)

    const second = await runCommand(t, 'serve', '--data', data, '--port', '0', '--log-level', 'error')
    assert.equal(second.code, 1)
    assert.equal(second.stdout, '')
    assert.match(
      second.stderr,
      /^error: Another server already runs on this data folder \([^\n]*\)\. [^\n]*\n$/,
    )

    await load.reached(load.answered.size + 10)
    await load.stop()
    assert.deepEqual(load.broken, [])
    assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    assert.deepEqual(await findDamage(data), [])
  },
)

test('commands that write beside a server under load succeed, and so does every request', limit, async t => {
  const { data, accountId, eventId, newClient, makeImport, server } = await startProcess(t)
  const file = join(data, 'more.json')
  const references = Array.from({ length: 3_000 }, (_, number) => `moved-${number}`)
  writeFileSync(file, JSON.stringify(organizationToday(references.map(reference => registration(reference)))))

  const load = new ImportLoad(newClient(), 'beside', 8, makeImport)
  const reader = newClient()
  let reading = true
  const statuses = new Set<number>()
  const reads = Promise.all(
    [`/events/${eventId}`, '/registrations?limit=10', '/check-ins'].map(async route => {
      while (reading) statuses.add((await reader.get(route)).status)
    }),
  )
  await load.reached(50)
  const before = load.answered.size
  const apply = runCommand(t, 'apply', file, '--data', data, '--json')
  const key = ['key', 'create', '--account', accountId, '--name', 'door', '--scopes', 'events:read']
  const created = await runCommand(t, ...key, '--data', data, '--json')
  const applied = await apply
  const during = load.answered.size - before
  await load.stop()
  reading = false
  await reads

  assert.deepEqual({ ...applied, stdout: '' }, { code: 0, signal: null, stdout: '', stderr: '' })
  assert.deepEqual({ ...created, stdout: '' }, { code: 0, signal: null, stdout: '', stderr: '' })
  assert.equal(JSON.parse(applied.stdout).created, references.length)
  const door = new Client(server.url, JSON.parse(created.stdout).key)
  t.after(() => door.close())
  assert.equal((await door.get(`/events/${eventId}`)).status, 200)

  assert.ok(during > 0, 'no import was answered while the commands ran')
  assert.deepEqual(load.broken, [])
  assert.deepEqual(statuses, new Set([200]))
  assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))
  assert.equal(load.answered.size, load.sent.length)
  assert.deepEqual(await findLoss(data, load.answered), [])
  assert.deepEqual(await findDamage(data), [])
  const rows = await openRows(t, data)
  assert.deepEqual(await rows.column('SELECT count(*) FROM registrations'), [
    load.sent.length + references.length,
  ])
})

test(
  'while another process holds the lock, reads are answered and writes wait, and then succeed',
  limit,
  async t => {
    const { data, eventId, newClient, makeImport } = await startProcess(t)
    const reader = newClient()
    await reader.get(`/events/${eventId}`)
    const free = await holdLock(t, data)
    const lockedAt = performance.now()
    const { answered, all } = sendImports(newClient(), 20, makeImport)

    // A server that waited inside SQLite would answer none of these before it gave the imports up.
    let reads = 0
    while (reads < 200 || performance.now() - lockedAt < 300) {
      const answer = await reader.get(reads % 2 === 0 ? `/events/${eventId}` : '/registrations')
      assert.equal(answer.status, 200)
      reads++
    }
    assert.equal(answered.length, 0)
    assert.deepEqual((await reader.get('/registrations')).body.data, [])

    await free()
    await all
    assert.deepEqual(new Set(answered.map(({ status }) => status)), new Set([201]))
    assert.equal((await reader.get('/registrations?limit=100')).body.data.length, 20)
    assert.deepEqual(await findDamage(data), [])
  },
)

test(
  'SIGTERM lets every request that is under way be answered, and takes no new connection',
  limit,
  async t => {
    const { data, eventId, newClient, makeImport, server } = await startProcess(t)
    const reader = newClient()
    const free = await holdLock(t, data)
    const { answered, all } = sendImports(newClient(), 20, makeImport)
    for (let reads = 0; reads < 50; reads++) await reader.get(`/events/${eventId}`)

    server.kill('SIGTERM')
    while (await accepts(server.url));
    assert.equal(answered.length, 0)
    await free()
    await all
    const ends = answered.map(({ status, headers }) => `${status} ${headers.connection}`)
    // An answer that kept its connection open would invite another request, and hold the server for its last 10 seconds.
    assert.deepEqual(new Set(ends), new Set(['201 close']))
    const { code, stderr } = await server.ended
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.deepEqual(await findDamage(data), [])
    const acknowledged = answered.map(answer => [`held-${answer.body.buyer.name.slice(6)}`, answer] as const)
    assert.deepEqual(await findLoss(data, new Map(acknowledged)), [])
  },
)

test(
  'SIGTERM in the middle of a load ends with code 0, and what was done is exactly what was acknowledged',
  limit,
  async t => {
    const { data, newClient, makeImport, server } = await startProcess(t)
    const load = new ImportLoad(newClient(), 'term', 16, makeImport)
    const reader = newClient()
    const reads = readUntilBroken(reader)
    await load.reached(200)
    server.kill('SIGTERM')
    await load.ended()
    await reads
    const { code, stderr } = await server.ended
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })

    assert.deepEqual(new Set([...load.answered.values()].map(({ status }) => status)), new Set([201]))
    assert.deepEqual(await findLoss(data, load.answered), [])
    assert.deepEqual(await findDamage(data), [])
    const rows = await openRows(t, data)
    const kept = await rows.column<string>('SELECT idempotency_key FROM idempotent_responses')
    assert.deepEqual(new Set(kept), new Set(load.answered.keys()))
  },
)

async function readUntilBroken(reader: Client): Promise<void> {
  for (;;) {
    try {
      assert.equal((await reader.get('/registrations')).status, 200)
    } catch (error) {
      brokenConnection(error)
      return
    }
  }
}

/** Whether a server takes a new connection. */
async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
