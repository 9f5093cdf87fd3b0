import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { listAll } from '#product/catalog/events/series.ts'
import { deleteEvent, forecastDeletion } from '#product/data-care/deletion/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { open } from '#test/product/data-care/organization/open.ts'
import { type Rows, readRows, startDeletable } from '#test/support/deletable.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { readSchema } from '#test/support/schema-tables.ts'

/** These rows record what was done, or belong to the organization, and stay when an event goes. */
const KEPT = new Set([
  'access_log',
  'webhook_events',
  'webhook_deliveries',
  'idempotent_responses',
  'form_receipts',
])
/** Tables of money: an event with rows there is not deleted. */
const MONEY = new Set(['receipts', 'ledger_entries', 'refunds', 'disputes'])

test('an event is deleted with every row that it has, and of others no row changes', async t => {
  const server = await startDeletable(t)
  const { db, accountId, eventId, client } = server
  const before = await readRows(server)
  const named = readSchema().filter(({ columns }) => columns.some(({ name }) => name === 'event_id'))
  const ofEvents = named.map(({ name }) => name).filter(name => !KEPT.has(name) && !MONEY.has(name))
  for (const name of ofEvents)
    assert.ok(
      before.get(name)?.some(row => row.event_id === eventId),
      `the event has a row in ${name}`,
    )
  await db.write(accountId, tx => deleteEvent(tx, eventId, { typed: 'Spring  Meeting ', by: 'cli' }))
  const after = await readRows(server)
  const gone = idsGone(before, after)
  assert.ok(gone.has(eventId) && gone.size > 20, `${gone.size} ids`)
  for (const [name, rows] of after) {
    const text = JSON.stringify(rows)
    if (!KEPT.has(name)) for (const id of gone) assert.ok(!text.includes(id), `${name} still names ${id}`)
    if (name === 'instance' || name === 'one_time_links') continue
    const were = new Set(before.get(name)?.map(row => JSON.stringify(row)))
    for (const row of rows) assert.ok(were.has(JSON.stringify(row)), `a row of ${name} has changed`)
  }
  for (const name of KEPT) assert.equal(after.get(name)?.length, before.get(name)?.length, name)
  // The words of the people of the other event are still there, and none of this one's.
  const words = (rows: Rows) => rows.get('registration_words')?.map(({ word }) => word) ?? []
  assert.ok(words(before).includes('olga') && !words(after).includes('olga'))
  assert.ok(words(after).includes('grace'))
  assert.deepEqual(await findDamage(db), [])
  assert.equal((await client.get(`/events/${eventId}`)).status, 404)
})

/** Returns the ids of rows that are no longer there. */
function idsGone(before: Rows, after: Rows): Set<string> {
  const gone = new Set<string>()
  for (const [name, rows] of before) {
    const left = new Set(after.get(name)?.map(({ id }) => id))
    for (const { id } of rows) if (typeof id === 'string' && !left.has(id)) gone.add(id)
  }
  return gone
}

test('a date that is deleted leaves its series to the others, and the last one takes it along', async t => {
  const { db, clock } = await open(t)
  const date = (slug: string, series: string) => ({ slug, title: 'Tour', status: 'draft', series })
  const dates = [date('one', 'tours'), date('two', 'tours'), date('walk', 'walks')]
  const list = [
    { slug: 'tours', name: 'Tours' },
    { slug: 'walks', name: 'Walks' },
  ]
  const file = { ...organization({ events: dates }), series: list }
  const { account_id, events } = await applyOrganization(db, file, { clock })
  const remove = (slug: string) =>
    db.write(account_id, tx => deleteEvent(tx, events[slug]?.id ?? '', { typed: 'Tour', by: 'cli' }))
  const slugs = () => db.read(account_id, async tx => (await listAll(tx)).map(({ slug }) => slug))
  await remove('one')
  assert.deepEqual(await slugs(), ['tours', 'walks'])
  await remove('two')
  assert.deepEqual(await slugs(), ['walks'])
  assert.deepEqual(await findDamage(db), [])
})

test('what refers to a row that goes with an event is found by an index', ofSqlite, async t => {
  const { db } = await startDeletable(t)
  const parents = new Set([
    'events',
    'registrations',
    'attendees',
    'registration_types',
    'capacity_pools',
    'codes',
    'orders',
    'jobs',
    'series',
  ])
  const scanned: string[] = []
  await db.read(INSTANCE, async tx => {
    const keys = await tx.all<{ child: string; id: number; parent: string; column: string }>(
      `SELECT m.name AS child, f.id, f."table" AS parent, f."from" AS column FROM sqlite_master m
       JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' ORDER BY 1, 2`,
    )
    const byKey = new Map<string, typeof keys>()
    for (const key of keys.filter(({ parent }) => parents.has(parent))) {
      const name = `${key.child} ${key.id}`
      byKey.set(name, [...(byKey.get(name) ?? []), key])
    }
    assert.ok(byKey.size > 25)
    for (const some of byKey.values()) {
      const [{ child, parent }] = some as [(typeof some)[number]]
      const where = some.map(({ column }, at) => `${column} = $${at + 1}`).join(' AND ')
      const steps = await tx.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT 1 FROM ${child} WHERE ${where}`,
        some.map(() => 'x'),
      )
      const isFound = steps.some(
        ({ detail }) => /^SEARCH/.test(detail) && /\b(?!account_id)\w+_id=\?/.test(detail),
      )
      if (!isFound) scanned.push(`${child} -> ${parent}: ${steps.map(({ detail }) => detail).join('; ')}`)
    }
  })
  assert.deepEqual(scanned, [])
})

test('a forecast counts what the deletion then takes', async t => {
  const server = await startDeletable(t)
  const { db, accountId, eventId } = server
  const forecast = await db.read(accountId, tx => forecastDeletion(tx, eventId))
  assert.deepEqual(forecast.refusals, [])
  const rows = await readRows(server)
  const count = (table: string) => rows.get(table)?.filter(row => row.event_id === eventId).length
  const { gone } = await db.write(accountId, tx =>
    deleteEvent(tx, eventId, { typed: 'Spring Meeting', by: 'cli' }),
  )
  assert.deepEqual(gone, forecast.gone)
  assert.deepEqual(
    [
      gone.registrations,
      gone.check_ins,
      gone.scans,
      gone.orders,
      gone.waitlist,
      gone.abstracts,
      gone.mails,
      gone.doors,
    ],
    [
      'registrations',
      'check_ins',
      'scans',
      'orders',
      'waitlist_entries',
      'abstracts',
      'emails',
      'devices',
    ].map(count),
  )
  assert.equal(gone.import_lines, 1)
})
