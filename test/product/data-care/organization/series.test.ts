import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { markDeleting } from '#product/catalog/events/store.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { examineOrganization } from '#product/data-care/organization/examine.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { open } from './open.ts'

const date = (slug: string, of: string | null = 'tours', changes: object = {}) => ({
  ...{ slug, title: 'Tower Tour', starts_at: '2027-01-09T09:00:00Z', series: of },
  registration_types: [{ name: 'Standard', price: 0, capacity: 5 }],
  ...changes,
})

/** The field is left out. */
const LEFT_OUT = { series: undefined }

const TOURS = { slug: 'tours', name: 'Tower Tours' }

const file = (dates: object[], list: object[] = [TOURS]) => ({
  ...organization({ events: dates }),
  series: list,
})

async function start(t: Parameters<typeof open>[0]) {
  const server = await open(t)
  /** The slugs of the dates of each series, by its slug and name. */
  const found = () =>
    server.db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ of: string; slug: string | null }>(
        `SELECT s.slug || ': ' || s.name AS of, e.slug FROM series s LEFT JOIN events e ON e.series_id = s.id
         ORDER BY s.slug, e.slug`,
        [],
      )
      const grouped = Map.groupBy(rows, row => row.of)
      return Object.fromEntries([...grouped].map(([of, some]) => [of, some.map(({ slug }) => slug)]))
    })
  const refused = async (input: object, ...lines: string[]) => {
    const before = await found()
    await assert.rejects(async () => server.apply(input), {
      code: 'invalid_parameter',
      message: lines.join('\n'),
    })
    assert.deepEqual(await found(), before)
  }
  return { ...server, found, refused }
}

test('a file brings series, twice changes nothing, and an export makes the same on another server', async t => {
  const { db, apply, found } = await start(t)
  const input = file([date('tour-1'), date('tour-2'), date('talk', null), date('walk', null, LEFT_OUT)])
  const first = await apply(input)
  assert.ok(first.changes.includes('created series tours'))
  assert.deepEqual(await found(), { 'tours: Tower Tours': ['tour-1', 'tour-2'] })
  const again = await apply(input)
  assert.deepEqual([again.created, again.updated, again.changes], [0, 0, []])

  const exported = await db.read(first.account_id, collectOrganization)
  assert.deepEqual(exported.series, [{ name: 'Tower Tours', slug: 'tours' }])
  assert.deepEqual(
    exported.events?.map(event => event.series),
    [undefined, 'tours', 'tours', undefined, undefined],
  )
  const other = await start(t)
  await other.apply(exported)
  assert.deepEqual(await other.found(), await found())
  assert.equal(await other.count('series'), 1)
  assert.deepEqual(await findDamage(other.db), [])
  const kept = await apply(exported)
  assert.deepEqual(kept.changes, [])
})

test('a series is renamed, dates come and go, what is left out stays, and a series without dates is gone', async t => {
  const { db, apply, found } = await start(t)
  const { account_id } = await apply(file([date('tour-1'), date('tour-2')]))
  const ids = () => db.read(account_id, async tx => (await series.listAll(tx)).map(({ id }) => id))
  const [id] = await ids()

  const renamed = await apply(file([date('tour-1')], [{ slug: 'tours', name: 'All Tours' }]))
  assert.deepEqual(renamed.changes, ['updated series tours (name)'])
  assert.deepEqual(await found(), { 'tours: All Tours': ['tour-1', 'tour-2'] })
  assert.deepEqual(await ids(), [id])

  assert.deepEqual((await apply(file([date('tour-1', null, LEFT_OUT)], []))).changes, [])
  const without = await apply(file([date('tour-1', null)], []))
  assert.deepEqual(without.changes, ['updated event tour-1 (series)'])
  assert.deepEqual(await found(), { 'tours: All Tours': ['tour-2'] })

  const moved = await apply(
    file([date('tour-1', 'walks'), date('tour-2', 'walks')], [{ slug: 'walks', name: 'Walks' }]),
  )
  assert.deepEqual(moved.changes, [
    'created series walks',
    'updated event tour-1 (series)',
    'updated event tour-2 (series)',
  ])
  assert.deepEqual(await found(), { 'walks: Walks': ['tour-1', 'tour-2'] })
  assert.deepEqual(await findDamage(db), [])
})

test('a file is refused where its series contradict themselves, with the path', async t => {
  const { refused } = await start(t)
  await refused(file([date('walk', null)]), 'series.0.slug is of no event that the file has.')
  await refused(
    file([date('tour-1'), date('tour-2', 'walks')]),
    'events.2.series is of no series that the file has.',
  )
  await refused(file([date('tours')]), 'series.0.slug is that of an event too.')
  await refused(file([date('tour-1')], [TOURS, TOURS]), 'series.1.slug is there twice.')
  await refused(
    file([date('tour-1')], [{ ...TOURS, name: ' ' }]),
    'series.0.name must not be white space alone.',
  )
  await refused(file([date('tour-1')], [{ ...TOURS, dates: 2 }]), 'series.0.dates is not known.')
  await refused({ ...file([date('tour-1')]), series: {} }, 'series must be an array.')
  await refused(
    file([date('tour-1', 'No slug')]),
    'events.1.series must have 1 to 80 characters of a-z, 0-9 and -.',
  )
})

test('whoever looks at a file with faults is told of those of its series and of the database beside them', async t => {
  const { db, clock, apply } = await start(t)
  await apply(file([date('tour-1'), date('talk', null)]))
  const examined = (input: object) =>
    examineOrganization(input, { clock, read: work => db.read(INSTANCE, work) }).then(
      () => [],
      ({ details }) => details.issues.map(({ message }: { message: string }) => message),
    )
  const talks = [{ slug: 'talk', name: 'Talks' }]
  const wrong = { ...date('walk', 'talk'), title: ' ' }
  assert.deepEqual(await examined(file([wrong, { slug: 'tours', title: 'Tour' }], talks)), [
    'events.1.title must not be white space alone.',
    'events.2.slug is that of a series of the account.',
    'series.0.slug is that of an event of the account.',
  ])
  // What the name says is not concluded from a list with a fault.
  assert.deepEqual(await examined(file([date('walk', 'talk')], [{ slug: 'talk', name: ' ' }])), [
    'series.0.name must not be white space alone.',
  ])
})

test('a file is refused where the account has another series or event of the slug, or too many dates', async t => {
  const { db, apply, refused, found } = await start(t)
  const many = Array.from({ length: 499 }, (_, at) => date(`tour-${at}`))
  const { account_id } = await apply(file([...many, date('talk', null)]))
  await refused(
    file([date('walk', 'talk')], [{ slug: 'talk', name: 'Talks' }]),
    'series.0.slug is that of an event of the account.',
  )
  await refused(
    { ...organization({ events: [{ slug: 'tours', title: 'Tour' }] }) },
    'events.1.slug is that of a series of the account.',
  )
  await refused(
    file([date('more-1'), date('more-2')]),
    'series.0.slug is of more than 500 dates, with those that the account has already.',
  )
  await apply(file([date('more-1'), date('tour-3', null, LEFT_OUT)]))
  // A date that leaves makes room.
  await apply(file([date('more-2'), date('tour-4', null)]))
  const dates = (await found())['tours: Tower Tours']
  assert.equal(dates?.length, 500)
  assert.ok(dates.includes('more-2') && !dates.includes('tour-4'))
  assert.deepEqual(
    await db.read(account_id, tx => events.getDetails(tx, dates[0] ?? '').catch(({ code }) => code)),
    'not_found',
  )
})

test('a file in batches brings its series once, and a change since the plan is seen', async t => {
  const { db, clock, found } = await start(t)
  const registrations = Array.from({ length: 5 }, (_, at) => registration(`r${at}`))
  const input = file([date('tour-1', 'tours', { registrations }), date('tour-2', 'tours', { registrations })])
  const report = await applyInBatches(db, validateOrganization(input), {
    clock,
    size: { rows: 2, characters: 1_000_000 },
  })
  assert.equal(report.changes.filter(line => line.includes('series')).length, 1)
  assert.deepEqual(await found(), { 'tours: Tower Tours': ['tour-1', 'tour-2'] })

  // Another process dissolves the series between the plan and the write.
  let isPending = true
  const racing = wrapDatabase(db, {
    stage: async rows => {
      if (isPending) {
        isPending = false
        await db.write(report.account_id, async tx => {
          for (const slug of ['tour-1', 'tour-2'])
            await series.setSeries(tx, report.events[slug]?.id ?? '', null)
        })
      }
      return db.stage(rows)
    },
  })
  const later = file([date('tour-3')], [{ slug: 'tours', name: 'Later Tours' }])
  const { changes } = await applyOrganization(racing, later, {
    clock,
  })
  assert.ok(changes.includes('created series tours'), changes.join())
  assert.deepEqual(await found(), { 'tours: Later Tours': ['tour-3'] })
})

test('a series whose dates are all being deleted is no part of an export, which makes the rest', async t => {
  const { db, clock, apply } = await start(t)
  const list = [TOURS, { slug: 'walks', name: 'Walks' }]
  const { account_id, events: made } = await apply(file([date('tour-1'), date('walk-1', 'walks')], list))
  await db.write(account_id, tx => markDeleting(tx, made['walk-1']?.id ?? '', 'being-deleted', clock()))
  const exported = await db.read(account_id, collectOrganization)
  assert.deepEqual(exported.series, [{ name: 'Tower Tours', slug: 'tours' }])
  const other = await start(t)
  await other.apply(exported)
  assert.deepEqual(await other.found(), { 'tours: Tower Tours': ['tour-1'] })
})
