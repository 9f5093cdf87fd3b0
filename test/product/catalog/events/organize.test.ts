import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type Event, eventExample } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { at, newEvent, newType, seller, startWithOrganizer } from '#test/support/people/organizer.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

test('an event that is made is a draft with all that was said, and the API tells what it always told', async t => {
  const { write, read, client } = await startWithOrganizer(t)
  const input = newEvent({ ends_at: at('2026-12-02T17:00:00Z'), venue: 'Hall', description: '# Ünïcode\n' })
  const made = await write(tx => events.create(tx, input))
  assert.deepEqual(made, {
    id: made.id,
    object: 'event',
    slug: 'autumn-meeting',
    title: 'Autumn Meeting',
    starts_at: '2026-12-01T08:00:00.000Z',
    ends_at: '2026-12-02T17:00:00.000Z',
    venue: 'Hall',
    city: null,
    currency: 'EUR',
    status: 'draft',
    visibility: 'public',
    requires_approval: false,
    created_at: '2026-11-21T12:00:00.000Z',
    timezone: 'Europe/Madrid',
    description: '# Ünïcode\n',
    address: null,
    online_url: null,
    contact_email: null,
    terms: null,
    names_locked_at: null,
    cancel_until: null,
    cancel_refund_basis_points: 10_000,
    payment_days: 7,
    payment_ways: 'set_up',
    withdrawal_excluded: true,
    decision_mails: true,
    takes_abstracts: false,
    give_on: false,
    badge_layout: null,
    archived_at: null,
    series_id: null,
    waitlist_mode: 'notify',
    waitlist_hours: 24,
    reminder: 'orders',
    approval_days: 7,
  })
  assert.deepEqual(await read(tx => events.getDetails(tx, made.id)), made)
  const resource = Object.fromEntries(
    Object.keys(eventExample).map(name => [name, made[name as keyof Event]]),
  )
  assert.deepEqual((await client.get(`/events/${made.id}`)).body, resource)
})

test('a slug that nobody chose gets a number where it is taken, and one that was chosen is refused', async t => {
  const { write, read, apply } = await startWithOrganizer(t)
  await apply(organization({ email: 'bob@example.org', event: { slug: 'autumn-meeting' } }))
  const make = (changes: object) => write(tx => events.create(tx, newEvent(changes)))
  const slugs = []
  for (let count = 0; count < 3; count++) slugs.push((await make({})).slug)
  assert.deepEqual(slugs, ['autumn-meeting', 'autumn-meeting-2', 'autumn-meeting-3'])
  const long = 'x'.repeat(80)
  assert.deepEqual(
    [(await make({ title: long })).slug, (await make({ title: long })).slug],
    [long, `${'x'.repeat(78)}-2`],
  )
  for (const slug of ['event', 'event-2'])
    assert.equal((await make({ title: 'مؤتمر'.repeat(40) })).slug, slug)
  await assert.rejects(make({ slug: 'autumn-meeting' }), { code: 'already_taken', param: 'slug' })
  assert.equal((await read(tx => events.listAll(tx))).length, 8)
})

test('a change keeps every field that it does not name', async t => {
  const { write, eventId, clock } = await startWithOrganizer(t)
  const was = await write(tx => events.update(tx, eventId, { description: 'Bring a coat.', slug: 'spring' }))
  clock.advance(1000)
  const changes = { title: 'Later', starts_at: null, requires_approval: true, visibility: null } as const
  const now = await write(tx => events.update(tx, eventId, changes))
  assert.deepEqual(now, { ...was, ...changes })
  assert.deepEqual([now.slug, now.description, now.status], ['spring', 'Bring a coat.', 'published'])
})

test('an event that ends before it starts is refused, whichever of the two was changed', async t => {
  const { write, read, eventId } = await startWithOrganizer(t)
  const was = await read(tx => events.getDetails(tx, eventId))
  for (const changes of [
    { ends_at: at('2026-11-21T08:59:59Z') },
    { starts_at: at('2026-11-22T18:00:01Z') },
    { starts_at: 2, ends_at: 1 },
  ]) {
    await assert.rejects(
      write(tx => events.update(tx, eventId, changes)),
      {
        code: 'invalid_parameter',
        param: 'ends_at',
        message: 'ends_at is before starts_at.',
        details: { fault: { key: 'before', parameters: { field: 'starts_at' } } },
      },
    )
  }
  await assert.rejects(
    write(tx => events.create(tx, newEvent({ ends_at: 0 }))),
    { param: 'ends_at' },
  )
  assert.deepEqual(await read(tx => events.getDetails(tx, eventId)), was)
  const instant = at('2026-11-21T09:00:00Z')
  await write(tx => events.update(tx, eventId, { starts_at: instant, ends_at: instant }))
})

test('another event’s slug is refused, and the own one is none of another', async t => {
  const file = organization({ events: [{ slug: 'other', title: 'Other' }] })
  const { write, eventId } = await startWithOrganizer(t, file)
  const rename = (slug: string) => write(tx => events.update(tx, eventId, { slug, title: 'New' }))
  await assert.rejects(rename('other'), { code: 'already_taken', param: 'slug' })
  assert.equal((await rename('spring-meeting')).title, 'New')
})

test('the currency stays once there is a registration, even one that was cancelled', async t => {
  const cancelled = registration('gone', { status: 'cancelled' })
  const file = organization({ event: { registrations: [cancelled] }, events: [{ slug: 'b', title: 'B' }] })
  const { write, applied, eventId } = await startWithOrganizer(t, file)
  const update = (id: string, currency: string) =>
    write(tx => events.update(tx, id, { currency, title: 'New' }))
  await assert.rejects(update(eventId, 'USD'), {
    code: 'in_use',
    param: 'currency',
    details: { currency: 'EUR' },
  })
  assert.equal((await update(eventId, 'EUR')).title, 'New')
  assert.equal((await update(applied.events.b?.id as string, 'USD')).currency, 'USD')
})

test('a draft is published once it has a start and an active type, and is told what it lacks', async t => {
  const { write } = await startWithOrganizer(t)
  const { id } = await write(tx => events.create(tx, newEvent({ starts_at: null })))
  const publish = () => write(tx => events.setStatus(tx, id, 'published'))
  const lacks = (...missing: string[]) =>
    assert.rejects(publish(), { code: 'event_incomplete', details: { missing } })
  await lacks('starts_at', 'registration_types', 'slug')
  const type = await write(tx => registrationTypes.create(tx, id, newType('Guest', { active: false })))
  await lacks('starts_at', 'registration_types', 'slug')
  await write(tx => registrationTypes.update(tx, id, type.id, { active: true }))
  await lacks('starts_at', 'slug')
  const { slug, ...legal } = seller
  await write(tx => accounts.update(tx, { slug }))
  await lacks('starts_at')
  const change = (changes: object) => write(tx => registrationTypes.update(tx, id, type.id, changes))
  // A seller has to say who they are; an organizer who sells nothing need not. Not every seller has a tax number.
  await change({ price: 100 })
  await lacks('starts_at', 'seller')
  for (const name of ['legal_name', 'address', 'imprint_url', 'privacy_url'] as const) {
    await write(tx => accounts.update(tx, { ...legal, [name]: null }))
    await lacks('starts_at', 'seller')
  }
  await write(tx => accounts.update(tx, { ...legal, tax_id: null }))
  await lacks('starts_at')
  const texts = { imprint_text: 'We are Ada.', privacy_text: 'We keep names.' }
  await write(tx => accounts.update(tx, { ...texts, terms_url: 'https://ada.example/terms' }))
  await lacks('starts_at')
  await write(tx => accounts.update(tx, { privacy_text: null }))
  await lacks('starts_at', 'seller')
  await write(tx => accounts.update(tx, texts))
  await write(tx => events.update(tx, id, { starts_at: 0 }))
  assert.equal((await publish()).status, 'published')
  assert.equal((await publish()).status, 'published')
})

test('an event goes from its status to some, and to no others', async t => {
  const { write, eventId } = await startWithOrganizer(t)
  await write(tx => accounts.update(tx, seller))
  const statuses = ['draft', 'published', 'cancelled', 'completed'] as const
  const allowed = [
    ...['draft-published', 'published-draft', 'published-cancelled', 'published-completed'],
    ...['cancelled-published', 'completed-published'],
  ]
  for (const from of statuses) {
    for (const to of statuses) {
      await write(tx => tx.run('UPDATE events SET status = $1 WHERE id = $2', [from, eventId]))
      const going = write(tx => events.setStatus(tx, eventId, to))
      if (from === to || allowed.includes(`${from}-${to}`)) assert.equal((await going).status, to)
      else await assert.rejects(going, { code: 'invalid_transition', details: { from, to } })
    }
  }
})

test('what has registrations is no draft again', async t => {
  const file = organization({ event: { registrations: [registration('one')] } })
  const { write, eventId } = await startWithOrganizer(t, file)
  await assert.rejects(
    write(tx => events.setStatus(tx, eventId, 'draft')),
    { code: 'in_use' },
  )
})

test('another account’s event is not found by any of the rules, and stays as it is', async t => {
  const { write, apply, db } = await startWithOrganizer(t)
  const other = await apply(organization({ email: 'bob@example.org' }))
  const foreign = other.events['spring-meeting']?.id as string
  const rows = () => db.read(INSTANCE, tx => tx.all('SELECT * FROM events ORDER BY id'))
  const before = await rows()
  for (const id of [foreign, UNKNOWN_ID, '', "'"]) {
    const refused = { code: 'not_found' }
    await assert.rejects(
      write(tx => events.getDetails(tx, id)),
      refused,
    )
    await assert.rejects(
      write(tx => events.update(tx, id, { title: 'X' })),
      refused,
    )
    await assert.rejects(
      write(tx => events.setStatus(tx, id, 'cancelled')),
      refused,
    )
    const copy = { title: 'X', starts_at: 0 }
    await assert.rejects(
      write(tx => duplicateEvent(tx, id, copy)),
      refused,
    )
  }
  assert.deepEqual(await rows(), before)
})
