import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'

const postgres = postgresOfFile()

/** Returns the sentence with which a server refuses to open a database. */
async function refusalOf(t: Parameters<typeof temporaryFolder>[0], databaseUrl: string): Promise<string> {
  try {
    const engine = engineOf({ data: temporaryFolder(t), databaseUrl })
    const opened = await engine.openForServer({ clock: Date.now, onFailure: () => undefined })
    await opened.close()
  } catch (error) {
    assert.ok(error instanceof Refusal, String((error as Error).stack))
    assert.ok(!error.message.includes('s3cret'), 'the sentence has the password')
    return error.message
  }
  return 'opened'
}

test('an address that is none is refused, and not quoted', async t => {
  for (const value of [
    'postgres://',
    'postgresql://user:s3cret@host',
    'postgresql://u:s3cret%@host/db',
    '/nowhere/file',
  ]) {
    assert.match(await refusalOf(t, value), /^--database-url /)
  }
})

test(
  'a wrong host, port, database, user and password are each refused in a sentence that says what to look at',
  ofPostgres,
  async t => {
    const url = new URL(postgres().makeDatabase())
    postgres().psql("CREATE ROLE guest LOGIN PASSWORD 'other'")
    const changed = (change: (url: URL) => void) => {
      const copy = new URL(url)
      copy.password = 's3cret'
      change(copy)
      return refusalOf(t, copy.href)
    }
    assert.match(
      await changed(copy => (copy.hostname = 'nowhere.invalid')),
      /cannot be found: check the name/,
    )
    assert.match(await changed(copy => (copy.port = '1')), /does not answer: check the machine and the port/)
    assert.match(
      await changed(copy => (copy.pathname = '/nothing')),
      /is not there: make it by CREATE DATABASE/,
    )
    assert.match(
      await changed(copy => (copy.username = 'nobody')),
      /does not let this user in|does not take the user/,
    )
  },
)

test('an encoding or a collation that compares otherwise is refused', ofPostgres, async t => {
  const latin = postgres().makeDatabase("TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
  assert.match(await refusalOf(t, latin), /the encoding LATIN1 .* Make it anew: CREATE DATABASE/)
  const [other] = postgres()
    .psql("SELECT collname FROM pg_collation WHERE collprovider = 'c' AND collname LIKE 'C.%' LIMIT 1")
    .split('\n')
  if (other === undefined || other === '') return
  const collated = postgres().makeDatabase(
    `TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '${other}' LC_CTYPE '${other}'`,
  )
  assert.match(await refusalOf(t, collated), /the collation C\..* Turnout needs UTF8 and C/)
})

test(
  'a database with tables of others is refused and left alone, and so is that of a newer program',
  ofPostgres,
  async t => {
    const url = postgres().makeDatabase()
    const name = new URL(url).pathname.slice(1)
    postgres().psql('CREATE TABLE theirs (id INTEGER)', name)
    assert.match(await refusalOf(t, url), /has tables that are not of Turnout/)
    assert.equal(
      postgres().psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name).trim(),
      '1',
    )
    const newer = postgres().makeDatabase()
    assert.equal(await refusalOf(t, newer), 'opened')
    postgres().psql('UPDATE turnout_engine SET schema_version = 99', new URL(newer).pathname.slice(1))
    assert.match(await refusalOf(t, newer), /has version 99, .* Run a newer Turnout/)
  },
)

test('a user who may make no tables is refused', ofPostgres, async t => {
  const url = new URL(postgres().makeDatabase())
  postgres().psql("CREATE ROLE plain LOGIN PASSWORD 'plain'")
  url.username = 'plain'
  assert.match(await refusalOf(t, url.href), /lets this user make no tables/)
  postgres().psql(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO plain`)
  assert.equal(
    await refusalOf(t, url.href),
    'opened',
    'an owner who is no superuser has all rights that it needs',
  )
})

test(
  'a user needs to own no database: to connect, make tables and make temporary tables is enough, and nothing less',
  ofPostgres,
  async t => {
    const url = new URL(postgres().makeDatabase())
    const name = url.pathname.slice(1)
    postgres().psql(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
    postgres().psql('CREATE ROLE least LOGIN')
    url.username = 'least'
    assert.match(await refusalOf(t, url.href), /lets this user not do what Turnout needs/)
    postgres().psql(`GRANT CONNECT ON DATABASE ${name} TO least`)
    assert.match(await refusalOf(t, url.href), /lets this user make no tables/)
    postgres().psql('GRANT USAGE, CREATE ON SCHEMA public TO least', name)
    assert.match(await refusalOf(t, url.href), /lets this user make no temporary tables: GRANT TEMPORARY/)
    postgres().psql(`GRANT TEMPORARY ON DATABASE ${name} TO least`)
    assert.equal(await refusalOf(t, url.href), 'opened')
  },
)

test('without room for all its connections a server is refused', ofPostgres, async t => {
  const url = new URL(postgres().makeDatabase())
  postgres().psql('CREATE ROLE narrow LOGIN CONNECTION LIMIT 4')
  postgres().psql(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO narrow`)
  url.username = 'narrow'
  assert.match(await refusalOf(t, url.href), /has no connection left/)
  postgres().psql('ALTER ROLE narrow CONNECTION LIMIT 5')
  assert.equal(await refusalOf(t, url.href), 'opened')
})

test('several programs may open a new database at once, and one of them makes it', ofPostgres, async t => {
  const databaseUrl = postgres().makeDatabase()
  const engine = engineOf({ data: temporaryFolder(t), databaseUrl })
  assert.deepEqual([await engine.exists(), await engine.isServed()], [false, false])
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => engine.openForServer({ clock: Date.now, onFailure: () => undefined })),
  )
  const secrets = await Promise.all(
    opened.map(({ db }) =>
      db.read(INSTANCE, tx => tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance')),
    ),
  )
  assert.equal(new Set(secrets.map(row => row?.secret)).size, 1)
  assert.deepEqual([await engine.exists(), await engine.isServed()], [true, true])
  for (const each of opened) {
    assert.equal(await engine.isServed(), true)
    await each.close()
  }
  assert.equal(await engine.isServed(), false)
})

test(
  'a copy of the database is held and begins a new epoch; the same database begins again as it was',
  ofPostgres,
  async t => {
    const databaseUrl = postgres().makeDatabase()
    const open = async (url: string) => {
      const opened = await engineOf({ data: temporaryFolder(t), databaseUrl: url }).openForServer({
        ...{ clock: () => 1_000, onFailure: () => undefined },
      })
      const row = await opened.db.read(INSTANCE, tx =>
        tx.one<{ epoch: string; epoch_at: number | null; held_at: number | null }>(
          'SELECT epoch, epoch_at, held_at FROM instance',
        ),
      )
      await opened.close()
      return { ...(row as NonNullable<typeof row>) }
    }
    const first = await open(databaseUrl)
    assert.deepEqual([first.epoch_at, first.held_at], [null, null])
    assert.notEqual(first.epoch, '')
    assert.deepEqual(await open(databaseUrl), first)
    const copy = postgres().makeDatabase(`TEMPLATE ${new URL(databaseUrl).pathname.slice(1)}`)
    const copied = await open(copy)
    assert.notEqual(copied.epoch, first.epoch)
    assert.deepEqual([copied.epoch_at, copied.held_at], [1_000, 1_000])
    assert.deepEqual(await open(databaseUrl), first)
  },
)
