import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { cleanUp } from '#app/cleaning.ts'
import { meterPayments } from '#app/payments.ts'
import { DAY } from '#base/time.ts'
import { lacksSecret } from '#machinery/db/instance.ts'
import { type Database, INSTANCE, type Value } from '#machinery/db/port.ts'
import { schemaSql } from '#machinery/db/schema.ts'
import { SqliteTransaction } from '#machinery/db/sqlite/transaction.ts'
import { countFailing, countPending } from '#product/administration/webhooks/deliveries.ts'
import * as deliveries from '#product/administration/webhooks/delivery/store.ts'
import { setFailingSince } from '#product/administration/webhooks/endpoint-store.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { isWhole } from '#product/data-care/integrity/file-store.ts'
import { findAhead, putBack } from '#product/data-care/integrity/instants.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { renew } from '#product/data-care/renewal/rules.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { runProduct } from '#test/support/runs/product-run.ts'
import { recordStatements, type Statements } from '#test/support/statements.ts'

/** A PostgreSQL in this process, in memory, with the whole schema. */
let pg: PGlite
before(async () => {
  pg = await PGlite.create()
  await pg.exec(schemaSql)
})
after(() => pg.close())

/**
 * Returns what PostgreSQL refuses of the statements of features. It prepares and plans each with the values that it had, infers
 * their types from the text, and carries out none.
 */
async function faultsOf(statements: Statements): Promise<string[]> {
  const faults: string[] = []
  for (const [sql, { params, places }] of statements) {
    if ([...places].every(isOfEngine)) continue
    await pg
      .query(`EXPLAIN ${sql}`, [...params])
      .catch((error: Error) =>
        faults.push(`${[...places][0]}: ${error.message}: ${sql.replace(/\s+/g, ' ')}`),
      )
  }
  return faults
}

/** The engines have words of their own, in which they are looked at value by value too. Their tests run what these ask. */
function isOfEngine(place: string): boolean {
  return /^src\/machinery\/db\/(?:sqlite\/|postgres\/|values\.ts|walk-table\.ts)/.test(place)
}

/** INTEGER, BIGINT, TEXT, BYTEA, and the sum of BIGINTs: each of them is the same on both engines. A boolean is a number on SQLite. */
const RESULTS = new Set([23, 20, 25, 17, 1700])

/** Returns the columns of results that are of another type. */
async function strangeResultsOf(statements: Statements): Promise<string[]> {
  const strange: string[] = []
  for (const [sql, { places }] of statements) {
    if ([...places].every(isOfEngine)) continue
    const { resultFields } = await pg.describeQuery(sql)
    for (const { name, dataTypeID } of resultFields as { name: string; dataTypeID: number }[])
      if (!RESULTS.has(dataTypeID)) strange.push(`${[...places][0]}: ${name} is of type ${dataTypeID}`)
  }
  return strange
}

/** Returns every place in the sources that asks the port for a statement, as `src/product/catalog/events/store.ts:34`. */
function findPlaces(): string[] {
  // The transaction of an account hands its statements on to the port.
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    path => /\.tsx?$/.test(path) && path !== 'machinery/db/account-transaction.ts',
  )
  return paths.flatMap(path =>
    readFileSync(join('src', path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (/\btx\.(one|all|run)\b/.test(line) ? [`src/${path}:${at + 1}`] : [])),
  )
}

/** An operator does these seldom: another file is applied, the rows are checked, old ones go, a clock was ahead. */
async function maintain({ db, clock, file }: Awaited<ReturnType<typeof runProduct>>): Promise<void> {
  const [spring, ...others] = file.events as { registration_types: object[]; registrations: object[] }[]
  const changed = {
    account: { ...file.account, name: 'Ada' },
    events: [
      {
        ...spring,
        title: 'Spring',
        registration_types: spring?.registration_types.map(type => ({ ...type, description: 'Both days' })),
        registrations: spring?.registrations.map(each => ({ ...each, answers: { diet: 'vegan' } })),
      },
      ...others,
    ],
    webhooks: [{ url: 'https://127.0.0.1:1/hook', types: ['checkin.created'] }],
  }
  for (const each of [file, changed]) await applyOrganization(db, each, { clock })
  assert.deepEqual(await findDamage(db), [])
  await isWhole(db, { account_id: 'none', id: 'none' })
  await findAhead(db, clock())
  await putBack(db, () => clock() - 7 * DAY)
  await cleanUp(db, () => clock() + 90 * DAY, 1)
  await db.read(INSTANCE, countPending)
  await db.read(INSTANCE, tx => countFailing(tx, clock()))
  for (const look of Object.values(meterPayments(db, clock))) await look()
  // A copy without secrets has such rows.
  await db.write(INSTANCE, async tx => {
    await tx.run('DELETE FROM ticket_keys')
    await tx.run("UPDATE webhook_endpoints SET secret = ''")
  })
  await db.read(INSTANCE, lacksSecret)
  await renew(db)
}

/** Waits for attempts in flight, which no clock decides. */
async function endAttempts(db: Database, now: number): Promise<void> {
  const claim = { until: now, due: now }
  await db.write(INSTANCE, async tx => {
    await deliveries.claim(tx, 'none', claim, now)
    await deliveries.claimManual(tx, 'none', claim, now)
    await deliveries.release(tx, 'none', now, now)
    await deliveries.releaseManual(tx, 'none', now, now)
    await deliveries.concludeManual(tx, 'none', 200, now)
    await deliveries.failManual(tx, 'none', null, 'timeout', now)
    await setFailingSince(tx.of('none'), 'none', now, now)
  })
}

test('PostgreSQL takes every statement of the features', ofSqlite, async t => {
  const statements = recordStatements(t, SqliteTransaction, ['one', 'all', 'run'])
  const product = await runProduct(t)
  await maintain(product)
  await endAttempts(product.db, product.clock())
  t.diagnostic(`${statements.size} statements`)
  assert.deepEqual(await faultsOf(statements), [])
  assert.deepEqual(await strangeResultsOf(statements), [])

  const reached = new Set([...statements.values()].flatMap(({ places }) => [...places]))
  const missed = findPlaces().filter(place => !isOfEngine(place) && !reached.has(place))
  assert.deepEqual(missed, [], 'each is reached here, or nobody knows')
})

test('a statement that SQLite alone takes is seen, and one of SQLite itself is not held', async () => {
  const ask = (sql: string, params: readonly Value[] = [], place = 'src/product/catalog/events/store.ts:1') =>
    faultsOf(new Map([[sql, { params, places: new Set([place]), stores: new Set() }]]))
  assert.deepEqual(await ask('SELECT id FROM events WHERE id = $1', ['a']), [])
  assert.match(
    (await ask('SELECT rowid FROM events'))[0] ?? '',
    /^src\/product\/catalog\/events\/store\.ts:1: column "rowid"/,
  )
  assert.deepEqual(await ask('SELECT rowid FROM events', [], 'src/machinery/db/sqlite/catalog.ts:1'), [])
  const places = new Set(['src/product/catalog/events/store.ts:1'])
  const compared = 'SELECT starts_at = ends_at AS is_moment FROM events'
  assert.deepEqual(await strangeResultsOf(new Map([[compared, { params: [], places, stores: new Set() }]])), [
    'src/product/catalog/events/store.ts:1: is_moment is of type 16',
  ])
  const isVoided = "SELECT a.id FROM attendees a WHERE a.voided = (a.name = 'Ada')"
  assert.match((await ask(isVoided))[0] ?? '', /operator does not exist: integer = boolean/)
  const isAhead = 'SELECT id FROM events WHERE created_at > $1 + 0'
  assert.match((await ask(isAhead, [1_790_000_000_000]))[0] ?? '', /out of range for type integer/)
  assert.equal((await ask('SELECT count(*) FROM (SELECT id FROM events LIMIT 1) AS some')).length, 1)
})
