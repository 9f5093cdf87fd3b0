import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organizationSchema } from '#product/data-care/organization/schema.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { everything } from './everything.ts'
import { open } from './open.ts'

/** Returns the text that the command prints. It has what a comparison of objects would overlook, such as the order. */
async function exportText({ db }: Awaited<ReturnType<typeof open>>, accountId: string): Promise<string> {
  return JSON.stringify(await db.read(accountId, tx => collectOrganization(tx)), null, 2)
}

test('an export that is applied to an empty folder is exported as the same text', async t => {
  const first = await open(t)
  const { account_id: accountId } = await first.apply(everything())
  const text = await exportText(first, accountId)

  const second = await open(t)
  second.clock.set('2031-05-05T05:05:05.055Z')
  const applied = await second.apply(JSON.parse(text))
  assert.equal(await exportText(second, applied.account_id), text)
})

test('an export that is applied to its own folder creates and updates nothing', async t => {
  const server = await open(t)
  const { account_id: accountId, created } = await server.apply(everything())
  const text = await exportText(server, accountId)
  server.clock.advance(1000)
  const again = await server.apply(JSON.parse(text))
  assert.deepEqual([again.created, again.updated, again.kept, again.changes], [0, 0, created, []])
  assert.equal(await exportText(server, accountId), text)
})

test('an export holds everything that the file brought', async t => {
  const server = await open(t)
  const { account_id: accountId } = await server.apply(everything())
  const exported = await server.db.read(accountId, tx => collectOrganization(tx))
  const [event, empty] = exported.events ?? []
  assert.deepEqual(exported.account, everything().account)
  assert.equal(exported.events?.length, 2)
  assert.deepEqual(
    event?.registration_types?.map(({ name, entries, reentry, kind }) => [name, entries, reentry, kind]),
    [
      ['Standard', 'once', false, 'ticket'],
      ['Dinner', 'once', false, 'extra'],
      ['__proto__', 'each_day', true, 'ticket'],
    ],
  )
  assert.deepEqual([empty?.timezone, empty?.currency, empty?.visibility], ['Europe/Madrid', 'EUR', 'public'])
  assert.deepEqual(
    event?.registrations?.map(({ reference, status }) => [reference, status]),
    [
      ['failed', 'failed'],
      ['__proto__', 'pending'],
      ['confirmed', 'confirmed'],
      ['refunded in part', 'refunded'],
      ['cancelled', 'cancelled'],
      ['given up', 'cancelled'],
    ],
  )
  const confirmed = event?.registrations?.find(({ reference }) => reference === 'confirmed')
  assert.equal(
    JSON.stringify(confirmed?.answers),
    '{"2":"a","10":"b","__proto__":"kept","constructor":"","日本":"ליל 🎈"}',
  )
  assert.equal(confirmed?.amount_subtotal, 9000)
  assert.deepEqual(confirmed?.attendees, [
    {
      name: 'Grace',
      email: 'grace@example.org',
      seat: 'A1',
      answers: JSON.parse('{"__proto__": "kept", "shirt": "M, L"}'),
      code: 'Early-Bird',
      checked_in_at: '2026-11-21T08:00:00.000Z',
    },
    { name: 'Гость', email: null, seat: null, checked_in_at: null },
  ])
  assert.deepEqual(
    event?.registrations?.slice(3).map(row => [row.refunded_amount, row.cancelled_at, row.confirmed_at]),
    [
      [2500, '2026-10-08T10:00:00.000Z', '2026-11-21T12:00:00.000Z'],
      [null, '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z'],
      [null, '2026-10-09T10:00:00.000Z', null],
    ],
  )
  assert.doesNotMatch(JSON.stringify(exported), /whsec_|SVC1/)
})

interface Nested {
  entries?: Record<string, Nested>
  item?: Nested
  wrapped?: Nested
  pipe?: Nested[]
}

/** Returns the fields of what a schema describes, or of what a list has that it describes. */
function fieldsOf(schema: Nested | undefined): Record<string, Nested> | undefined {
  const { entries, item, wrapped, pipe = [] } = schema ?? {}
  for (const inner of [item, wrapped, ...pipe]) {
    const found = inner && fieldsOf(inner)
    if (found !== undefined) return found
  }
  return entries
}

test('the file with everything has each field of an event and of a ticket type, as nobody has it by default', async t => {
  const server = await open(t)
  const { account_id: accountId } = await server.apply(everything())
  const exported = await server.db.read(accountId, tx => collectOrganization(tx))
  const [event, empty] = (exported.events ?? []) as Record<string, unknown>[]
  const ofEvent = fieldsOf(fieldsOf(organizationSchema as unknown as Nested)?.events)
  const fields = Object.keys(ofEvent ?? {})
  assert.ok(fields.length > 40, `${fields.length} fields`)
  // These have tests of their own.
  const elsewhere = ['email_texts', 'pools', 'orders']
  const same = fields.filter(field => JSON.stringify(event?.[field]) === JSON.stringify(empty?.[field]))
  assert.deepEqual(same.toSorted(), elsewhere.toSorted())
  const types = (event?.registration_types ?? []) as Record<string, unknown>[]
  const ofTypes = Object.keys(fieldsOf(ofEvent?.registration_types) ?? {})
  assert.ok(ofTypes.length > 15, `${ofTypes.length} fields`)
  const kept = ofTypes.filter(field => new Set(types.map(type => JSON.stringify(type[field]))).size < 2)
  assert.deepEqual(kept, [])
})

test('registrations that the API imported and cancelled survive the way to another folder', async t => {
  const server = await open(t)
  const pending = registration('checkout', { status: 'pending', amount_total: 5000 })
  const { account_id: accountId, events } = await server.apply(
    organization({ event: { registrations: [pending] } }),
  )
  const event = events['spring-meeting']
  const input = {
    event_id: event?.id as string,
    registration_type_id: event?.registration_types.Standard as string,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  }
  const { resource: made } = await server.db.write(accountId, tx => registrations.create(tx, input))
  await server.db.write(accountId, tx => registrations.cancel(tx, made.id))
  await server.db.write(accountId, tx => registrations.cancel(tx, event?.registrations.checkout as string))
  const text = await exportText(server, accountId)

  const second = await open(t)
  const applied = await second.apply(JSON.parse(text))
  assert.equal(await exportText(second, applied.account_id), text)
  const id = applied.events['spring-meeting']?.registrations[made.id] as string
  const brought = await second.db.read(applied.account_id, tx => registrations.get(tx, id))
  assert.deepEqual([brought.status, brought.amount_subtotal, brought.source], ['cancelled', 5000, 'api'])
  assert.ok(brought.attendees.every(({ voided }) => voided))
})

test('an unknown account is not found', async t => {
  const { db } = await open(t)
  await assert.rejects(
    db.read('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f', tx => collectOrganization(tx)),
    { code: 'not_found' },
  )
})
