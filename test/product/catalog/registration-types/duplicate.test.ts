import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shiftOnCalendar } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { at, seller, startWithOrganizer } from '#test/support/people/organizer.ts'

/** Returns what a copy has of a type: neither its ids, nor what is sold. */
function copiedOf({ id, event_id, sold, available, pools, ...type }: TypeDetails) {
  return { ...type, pools: pools.map(({ name, capacity }) => [name, capacity]) }
}

async function duplicate(
  t: Parameters<typeof startWithOrganizer>[0],
  event: object,
  starts_at: string | null,
  slug?: string,
) {
  const server = await startWithOrganizer(t, organization({ event }))
  const { write, read, eventId } = server
  const copied = { title: 'Again', starts_at: starts_at === null ? null : at(starts_at) }
  const copy = await write(tx =>
    duplicateEvent(tx, eventId, slug === undefined ? copied : { ...copied, slug }),
  )
  const detailsOf = (id: string) => read(tx => registrationTypes.listDetails(tx, id))
  return { ...server, copy, was: await detailsOf(eventId), types: await detailsOf(copy.id) }
}

const ROOM = { name: 'room', capacity: 12, registration_types: ['Standard', 'Student'] }

test('a copy is a draft with the types, their order and their pools, and no registration', async t => {
  const { write, read, copy, was, types, client } = await duplicate(
    t,
    {
      description: 'Bring a coat.',
      registration_types: [
        { name: 'Standard', description: 'With lunch', price: 5000, capacity: 10, position: 2 },
        { name: 'Student', price: 1000, capacity: 10, position: 1, active: false },
        { name: 'Online', price: 0, capacity: 1_000_000, position: 2 },
      ],
      pools: [ROOM, { name: 'lunch', capacity: 9, registration_types: ['Standard'] }],
      registrations: [registration('one', { quantity: 3 })],
      waitlist: [{ reference: 'w', registration_type: 'Online', name: 'W', email: 'w@example.org' }],
    },
    '2027-11-20T10:00:00Z',
    'again',
  )
  assert.deepEqual(
    [copy.title, copy.slug, copy.status, copy.timezone, copy.venue, copy.description],
    ['Again', 'again', 'draft', 'Europe/Madrid', 'Main Hall', 'Bring a coat.'],
  )
  assert.deepEqual(types.map(copiedOf), was.map(copiedOf))
  assert.deepEqual(
    types.map(({ name, sold, available }) => [name, sold, available]),
    [
      ['Student', 0, 10],
      ['Standard', 0, 9],
      ['Online', 0, 1_000_000],
    ],
  )
  const pools = await read(tx => registrationTypes.listPools(tx, copy.id))
  assert.deepEqual(
    pools.map(pool => [pool.name, pool.sold, pool.registration_type_ids.length]),
    [
      ['room', 0, 2],
      ['lunch', 0, 1],
    ],
  )
  assert.deepEqual((await client.get(`/registrations?event_id=${copy.id}`)).body.data, [])
  const taken = write(tx =>
    duplicateEvent(tx, copy.id, {
      title: 'X',
      slug: 'again',
      starts_at: null,
    }),
  )
  await assert.rejects(taken, { code: 'already_taken', param: 'slug' })
})

test('every date keeps its time of the day across a change of the clocks', async t => {
  const { copy, types } = await duplicate(
    t,
    {
      // Madrid is two hours ahead of UTC until 25 October, and one from then on.
      starts_at: '2026-10-20T09:00:00+02:00',
      ends_at: '2026-10-22T18:00:00+02:00',
      registration_types: [
        {
          name: 'Standard',
          price: 0,
          capacity: 1,
          sales_start: '2026-03-01T00:00:00+01:00',
          sales_end: '2026-10-19T23:59:00+02:00',
          valid_from: '2026-10-20T08:00:00+02:00',
          valid_until: '2026-10-26T20:00:00+01:00',
        },
      ],
    },
    '2026-11-03T09:00:00+01:00',
  )
  const [type] = types
  assert.deepEqual(
    [copy.starts_at, copy.ends_at, type?.sales_start, type?.sales_end, type?.valid_from, type?.valid_until],
    [
      '2026-11-03T09:00:00+01:00',
      '2026-11-05T18:00:00+01:00',
      '2026-03-15T00:00:00+01:00',
      '2026-11-02T23:59:00+01:00',
      '2026-11-03T08:00:00+01:00',
      '2026-11-09T20:00:00+01:00',
    ].map(iso => new Date(iso).toISOString()),
  )
})

test('a time that the clocks skip is an hour later, one that comes twice is the first, and no range turns around', async t => {
  const shifted = (iso: string, to: string) =>
    new Date(shiftOnCalendar(at(iso), 'Europe/Madrid', at('2026-03-22T09:00:00+01:00'), at(to))).toISOString()
  const spring = '2026-03-29T09:00:00+02:00'
  assert.equal(shifted('2026-03-22T01:59:00+01:00', spring), '2026-03-29T00:59:00.000Z')
  assert.equal(shifted('2026-03-22T02:30:00+01:00', spring), '2026-03-29T01:30:00.000Z')
  assert.equal(shifted('2026-03-22T03:00:00+01:00', spring), '2026-03-29T01:00:00.000Z')
  const autumn = '2026-10-25T09:00:00+01:00'
  assert.equal(shifted('2026-03-22T02:30:00+01:00', autumn), '2026-10-25T00:30:00.000Z')

  const type = { name: 'Standard', price: 0, capacity: 1 }
  const { copy, types } = await duplicate(
    t,
    {
      starts_at: '2026-03-22T02:30:00+01:00',
      ends_at: '2026-03-22T02:45:00+01:00',
      registration_types: [
        { ...type, sales_start: '2026-03-15T02:30:00+01:00', sales_end: '2026-03-15T03:00:00+01:00' },
      ],
    },
    // The event begins at the second 02:30 of that day; the sales would begin on a day that has none.
    '2026-10-25T02:30:00+01:00',
  )
  assert.deepEqual([copy.starts_at, copy.ends_at], ['2026-10-25T01:30:00.000Z', '2026-10-25T01:30:00.000Z'])
  assert.deepEqual(
    [types[0]?.sales_start, types[0]?.sales_end],
    ['2026-10-18T00:30:00.000Z', '2026-10-18T01:00:00.000Z'],
  )
})

test('a range that a skipped hour would turn around begins and ends at once', async t => {
  const sales = { sales_start: '2026-03-22T02:30:00+01:00', sales_end: '2026-03-22T03:00:00+01:00' }
  const { types } = await duplicate(
    t,
    {
      starts_at: '2026-04-22T09:00:00+02:00',
      ends_at: null,
      registration_types: [{ name: 'Standard', price: 0, capacity: 1, ...sales }],
    },
    '2026-04-29T09:00:00+02:00',
  )
  assert.deepEqual(
    [types[0]?.sales_start, types[0]?.sales_end],
    ['2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  )
})

test('where a start is open, the dates of the copy are open', async t => {
  const { copy, types } = await duplicate(
    t,
    {
      registration_types: [{ name: 'Standard', price: 0, capacity: 1, sales_end: '2026-03-01T00:00:00Z' }],
    },
    null,
  )
  assert.deepEqual([copy.starts_at, copy.ends_at, types[0]?.sales_end], [null, null, null])
})

test('a date that would be past the year 9999 is its end', async t => {
  const { copy } = await duplicate(t, { ends_at: '2027-11-21T09:00:00Z' }, '9999-12-30T10:00:00Z')
  assert.deepEqual([copy.starts_at, copy.ends_at], ['9999-12-30T10:00:00.000Z', '9999-12-31T23:59:59.999Z'])
})

test('an event of 200 types in 20 pools is copied whole, and the copy can be copied', async t => {
  const names = Array.from({ length: 200 }, (_, index) => `Type ${index}`)
  const { write, copy, was, types } = await duplicate(
    t,
    {
      registration_types: names.map(name => ({ name, price: 0, capacity: 5 })),
      pools: Array.from({ length: 20 }, (_, index) => ({
        name: `Pool ${index}`,
        capacity: 50,
        registration_types: names.filter((_, at) => at % 20 === index || index === 0),
      })),
    },
    '2027-11-20T10:00:00Z',
  )
  assert.equal(types.length, 200)
  assert.deepEqual(types.map(copiedOf), was.map(copiedOf))
  const again = await write(tx => duplicateEvent(tx, copy.id, { title: 'Again', starts_at: 0 }))
  assert.equal(again.slug, 'again-2')
})

test('a copy of a published event is published as any other draft', async t => {
  const { write, copy } = await duplicate(t, {}, '2027-11-20T10:00:00Z')
  await write(tx => accounts.update(tx, seller))
  const published = await write(tx => events.setStatus(tx, copy.id, 'published'))
  assert.equal(published.status, 'published')
})
