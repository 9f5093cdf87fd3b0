import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOwn } from '#machinery/mail/own-texts.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { MAX_DATES } from '#product/catalog/events/series-schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { organization } from '#test/support/organization.ts'
import { at, newEvent, newType, startWithOrganizer } from '#test/support/people/organizer.ts'
import { png } from '#test/support/pictures.ts'

/** Starts with an event on a Saturday in winter, from 10:00 to 12:00 in Madrid, and all that a copy has. */
async function startWithTour(t: Parameters<typeof startWithOrganizer>[0]) {
  const server = await startWithOrganizer(t)
  const eventId = await server.write(async tx => {
    const { id } = await events.create(tx, {
      ...newEvent({
        title: 'Tower Tour',
        starts_at: at('2027-01-09T09:00:00Z'),
        ends_at: at('2027-01-09T11:00:00Z'),
      }),
      cancel_until: at('2027-01-08T09:00:00Z'),
    })
    const type = await registrationTypes.create(tx, id, {
      ...newType('Adult', { price: 1200, capacity: 15 }),
      ...{ sales_start: at('2026-12-09T09:00:00Z'), sales_end: at('2027-01-09T08:00:00Z') },
    })
    await registrationTypes.createPool(tx, id, {
      name: 'Lift',
      capacity: 12,
      registration_type_ids: [type.id],
    })
    await codes.create(tx, id, {
      ...{ code: 'FRIENDS', note: null, percent: 50, amount: null, registration_type_ids: [type.id] },
      ...{ valid_from: null, valid_until: null, max_tickets: 9, active: true },
    })
    await questions.create(tx, id, {
      ...{ label: 'Shoes', help: null, kind: 'text', choices: [], required: false },
      ...{ asked_for: 'order', registration_type_ids: null },
    })
    const text = { subject: 'See you at {event}', body: 'Wear shoes.' }
    await setOwn(tx, id, { name: 'order_confirmed', placeholders: ['event'] }, { language: 'en', ...text })
    await looks.setColour(tx, id, '#c0392b')
    return id
  })
  const rows = () =>
    server.read(async tx => ({
      events: await tx.all('SELECT e.id, e.series_id, e.updated_at FROM events e ORDER BY e.id'),
      series: await tx.all('SELECT s.id FROM series s ORDER BY s.id'),
      types: await tx.all('SELECT t.id FROM registration_types t ORDER BY t.id'),
    }))
  return { ...server, eventId, rows }
}

const SUMMER = at('2027-07-10T08:00:00Z')

test('an event is repeated as a whole on each date, and times of sale keep their place on the clock', async t => {
  const { write, read, eventId, db } = await startWithTour(t)
  const starts = [SUMMER, at('2027-01-16T09:00:00Z'), at('2027-01-16T13:30:00Z')]
  const { series: made, made: dates } = await write(tx =>
    repeatEvent(tx, eventId, { name: 'Tower Tours', starts }),
  )
  assert.deepEqual({ name: made.name, slug: made.slug }, { name: 'Tower Tours', slug: 'tower-tours' })
  assert.deepEqual(
    dates.map(({ slug, title, status, starts_at, ends_at, cancel_until }) => [
      ...[slug, title, status, starts_at, ends_at, cancel_until],
    ]),
    [
      ['2027-01-16-1000', '09:00', '11:00', '2027-01-15T09:00:00.000Z'],
      ['2027-01-16-1430', '13:30', '15:30', '2027-01-15T13:30:00.000Z'],
      ['2027-07-10', '08:00', '10:00', '2027-07-09T08:00:00.000Z'],
    ].map(([slug = '', from, until, cancel]) => {
      const day = slug.slice(0, 10)
      const on = (time?: string) => `${day}T${time}:00.000Z`
      return [`tower-tours-${slug}`, 'Tower Tour', 'draft', on(from), on(until), cancel]
    }),
  )
  await read(async tx => {
    assert.equal((await series.findOfEvent(tx, eventId))?.id, made.id)
    const listed = await series.listDates(tx, made.id)
    assert.deepEqual(
      listed.map(({ id }) => id),
      [eventId, ...dates.map(({ id }) => id)],
    )
    for (const { id } of dates) {
      const [type] = await registrationTypes.listDetails(tx, id)
      assert.deepEqual(
        [type?.name, type?.price, type?.capacity, type?.sold, type?.available],
        ['Adult', 1200, 15, 0, 12],
      )
      assert.equal(await codes.count(tx, id), 1)
      assert.equal((await questions.listAll(tx, id)).length, 1)
      assert.equal((await looks.findOwn(tx, id)).colour, '#c0392b')
      const own = await tx.one<{ body: string }>('SELECT t.body FROM email_texts t WHERE t.event_id = $1', [
        id,
      ])
      assert.equal(own?.body, 'Wear shoes.')
    }
    const [summer] = await registrationTypes.listDetails(tx, dates[2]?.id as string)
    // 182 days later, at the same time of a day in summer.
    assert.deepEqual(
      [summer?.sales_start, summer?.sales_end],
      ['2027-06-09T08:00:00.000Z', '2027-07-10T07:00:00.000Z'],
    )
  })
  assert.deepEqual(await findDamage(db), [])
})

test('a series grows from any of its dates, and none of its dates is made twice', async t => {
  const { write, read, eventId, rows } = await startWithTour(t)
  const one = await write(tx => repeatEvent(tx, eventId, { name: 'Tours', slug: 'tours', starts: [SUMMER] }))
  const later = SUMMER + 3_600_000
  const other = await write(tx =>
    repeatEvent(tx, one.made[0]?.id as string, { name: 'Nobody reads this', starts: [later] }),
  )
  assert.equal(other.series.id, one.series.id)
  assert.equal((await read(tx => series.listDates(tx, one.series.id))).length, 3)
  const before = await rows()
  for (const starts of [
    [SUMMER],
    [at('2027-01-09T09:00:00Z')],
    [],
    [later + 1, later + 1],
    [at('2026-01-01T00:00:00Z')],
  ])
    await assert.rejects(
      write(tx => repeatEvent(tx, eventId, { name: 'Tours', starts })),
      { code: 'seen_changed' },
    )
  assert.deepEqual(await rows(), before)
})

test('a copy of a date that somebody duplicates belongs to no series', async t => {
  const { write, eventId } = await startWithTour(t)
  await write(tx => repeatEvent(tx, eventId, { name: 'Tours', starts: [SUMMER] }))
  const copy = await write(tx => duplicateEvent(tx, eventId, { title: 'Other', starts_at: null }))
  assert.equal(copy.series_id, null)
})

test('no event and no series of an account have the same link name', async t => {
  const { write, eventId, apply } = await startWithTour(t)
  await apply(organization({ email: 'bob@example.org', event: { slug: 'tours' } }))
  const { series: made } = await write(tx => repeatEvent(tx, eventId, { name: 'Tours', starts: [SUMMER] }))
  assert.equal(made.slug, 'tours')
  await assert.rejects(
    write(tx => events.create(tx, newEvent({ slug: 'tours' }))),
    { code: 'already_taken', param: 'slug' },
  )
  await assert.rejects(
    write(tx => events.update(tx, eventId, { slug: 'tours' })),
    { code: 'already_taken', param: 'slug' },
  )
  assert.equal((await write(tx => events.create(tx, newEvent({ title: 'Tours' })))).slug, 'tours-2')
  for (const slug of ['tower-tour', 'tours-2027-07-10'])
    await assert.rejects(
      write(tx => series.update(tx, made.id, { slug })),
      { code: 'already_taken', param: 'slug' },
    )
  assert.equal((await write(tx => series.update(tx, made.id, { slug: 'visits' }))).slug, 'visits')
  assert.equal((await write(tx => events.update(tx, eventId, { slug: 'tours' }))).slug, 'tours')
  const other = await write(tx => events.create(tx, newEvent({ title: 'Walk' })))
  await assert.rejects(
    write(tx => repeatEvent(tx, other.id, { name: 'Visits', slug: 'visits', starts: [SUMMER] })),
    { code: 'already_taken', param: 'slug' },
  )
})

test('200 dates are made in one write, and a series takes no more than it can have', async t => {
  const { write, read, eventId, rows } = await startWithTour(t)
  const make = (from: number, count: number) => {
    const starts = Array.from(
      { length: count },
      (_, day) => at('2027-02-01T09:00:00Z') + (from + day) * 86_400_000,
    )
    return write(tx => repeatEvent(tx, eventId, { name: 'Tours', starts }))
  }
  const { series: made } = await make(0, 200)
  await make(200, 200)
  const before = await rows()
  await assert.rejects(make(400, 100), { code: 'series_full' })
  await assert.rejects(make(400, 201), { code: 'seen_changed' })
  assert.deepEqual(await rows(), before)
  await make(400, MAX_DATES - 401)
  assert.equal((await read(tx => series.listDates(tx, made.id))).length, MAX_DATES)
})

test('dates have the picture of the event, unless all of their copies would make a write of more than 64 MB', async t => {
  const { write, read, eventId } = await startWithTour(t)
  await write(async tx => {
    await pictures.put(tx, eventId, pictures.examine(png()))
    await tx.run('UPDATE event_pictures SET content = $2 WHERE event_id = $1', [eventId, 'A'.repeat(2 ** 21)])
  })
  const repeat = async (month: number, count: number) => {
    const starts = Array.from(
      { length: count },
      (_, day) => at(`2027-0${month}-01T09:00:00Z`) + day * 86_400_000,
    )
    const { made } = await write(tx => repeatEvent(tx, eventId, { name: 'Tours', starts }))
    return read(async tx =>
      (await Promise.all(made.map(({ id }) => pictures.find(tx, id)))).filter(found => found !== undefined),
    )
  }
  assert.equal((await repeat(2, 2)).length, 2)
  assert.equal((await repeat(3, 33)).length, 0)
})

test('an event without a date is not repeated', async t => {
  const { write, rows } = await startWithTour(t)
  const { id } = await write(tx => events.create(tx, newEvent({ starts_at: null })))
  const before = await rows()
  await assert.rejects(
    write(tx => repeatEvent(tx, id, { name: 'Tours', starts: [SUMMER] })),
    { code: 'no_start' },
  )
  assert.deepEqual(await rows(), before)
})
