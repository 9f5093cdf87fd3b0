import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPgBouncer, startPgBouncer } from '#test/support/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '#test/support/postgres-server.ts'
import { eventually } from '#test/support/webhooks.ts'

let postgres: PostgresServer
let database: string
before(async () => {
  if (ofPgBouncer.skip !== false) return
  postgres = await startPostgres()
  database = postgres.makeDatabase()
})
after(() => postgres?.remove())

/** Returns the engine of the database behind a PgBouncer with these settings. */
async function behind(t: TestContext, settings: Record<string, string | number>, change = (_: URL) => {}) {
  const url = new URL(database)
  url.port = String(await startPgBouncer(t, postgres, settings))
  url.password = 's3cret'
  change(url)
  return engineOf({ data: temporaryFolder(t), databaseUrl: url.href })
}

type Engine = Awaited<ReturnType<typeof behind>>

async function openBriefly(engine: Engine): Promise<void> {
  const server = await engine.openForServer({ clock: Date.now, onFailure: () => undefined })
  await server.close()
}

/** Returns the sentences with which a server, a command that writes and one that looks refuse the database. */
async function refusalsOf(engine: Engine): Promise<string[]> {
  const works = [
    () => openBriefly(engine),
    () => engine.openForCommand(Date.now).then(db => db.close()),
    () => engine.inspect(async () => []),
  ]
  const sentences: string[] = []
  for (const work of works) {
    await assert.rejects(work(), error => {
      assert.ok(error instanceof Refusal, String(error))
      assert.ok(!error.message.includes('s3cret'), 'the sentence has the password')
      return sentences.push(error.message.replace(/^postgresql:\S+ /, '')) > 0
    })
  }
  return sentences
}

test('behind PgBouncer in session mode a server and commands work', ofPgBouncer, async t => {
  const engine = await behind(t, { pool_mode: 'session' })
  const server = await engine.openForServer({ clock: Date.now, onFailure: () => undefined })
  const wrote = await server.db.write(INSTANCE, tx => tx.now())
  const command = await engine.openForCommand(Date.now)
  assert.ok((await command.write(INSTANCE, tx => tx.now())) >= wrote)
  assert.equal(await engine.isServed(), true)
  assert.deepEqual(await engine.inspect(async () => []), [])
  await command.close()
  await server.close()
  // The lock of a server ends with its session, although PgBouncer keeps the connection for others: it empties that for them once
  // the server has gone.
  await eventually('nobody serves', async () => !(await engine.isServed()))
})

test(
  'a pooler that shares sessions between transactions is refused by servers and commands',
  ofPgBouncer,
  async t => {
    await openBriefly(await behind(t, { pool_mode: 'session' }))
    for (const sentence of await refusalsOf(await behind(t, { pool_mode: 'transaction' }))) {
      assert.match(
        sentence,
        /^is behind a pooler that shares sessions .* Set pool_mode = session in PgBouncer/,
      )
    }
    for (const sentence of await refusalsOf(await behind(t, { pool_mode: 'statement' }))) {
      assert.match(sentence, /^is behind a pooler that does not take what Turnout asks of a session\./)
    }
  },
)

test(
  'a pooler with too few sessions is refused at the start, and not met by the first request',
  ofPgBouncer,
  async t => {
    const four = await behind(t, { pool_mode: 'session', default_pool_size: 4 })
    await assert.rejects(
      openBriefly(four),
      /gives no session for it: a pooler has none left\. Give it 8 for each server/,
    )
    const narrow = await behind(t, { pool_mode: 'session', max_client_conn: 4 })
    await assert.rejects(openBriefly(narrow), /has no connection left: Turnout needs 8/)
  },
)

test('what is wrong behind a pooler is told as without one', ofPgBouncer, async t => {
  const settings = { pool_mode: 'session' }
  const refused = (change: (url: URL) => void, pattern: RegExp, more = {}) =>
    behind(t, { ...settings, ...more }, change).then(engine => assert.rejects(openBriefly(engine), pattern))
  await refused(url => (url.password = 'other'), /does not take the user with its password/)
  await refused(url => (url.pathname = '/nothing'), /is not there: make it by CREATE DATABASE/)
  postgres.stop()
  try {
    await refused(() => undefined, /is a pooler that does not reach PostgreSQL/, { query_wait_timeout: 1 })
  } finally {
    postgres.start()
  }
})
