import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { Placement } from '#product/guests/registrations/placement.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { readOutbox } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const grace = { name: 'Grace', email: 'Grace@example.org' }

async function start(t: TestContext, file = organization()) {
  const server = await startWithOrganization(t, file)
  const { applied, db, eventId, types } = server
  const { account_id: accountId } = applied
  await subscribeToAll(db, accountId)
  const place = (changes: Pick<Placement, 'status'> & Partial<Placement>) =>
    db.write(accountId, async tx => {
      const event = await events.get(tx, eventId)
      const type = await registrationTypes.get(tx, eventId, types.Standard as string)
      const common = { source: 'checkout', buyer: grace, amount_total: 0 } as const
      return registrations.place(tx, { ...common, ...changes, event, type })
    })
  const sold = async () => {
    const { data } = (await server.client.get(`/events/${eventId}/registration-types`)).body
    return data.find(({ name }: { name: string }) => name === 'Standard').sold
  }
  return { ...server, place, sold }
}

test('a registration that waits for its payment holds its places, has its tickets, and emits no webhook', async t => {
  const { place, sold, client, db } = await start(t)
  const placed = await place({ status: 'pending', quantity: 3, amount_subtotal: 12_000, amount_total: 9_000 })
  assert.deepEqual(
    [placed.status, placed.source, placed.amount_subtotal, placed.amount_total, placed.confirmed_at],
    ['pending', 'checkout', 12_000, 9_000, null],
  )
  assert.deepEqual(
    placed.attendees.map(({ name, voided, checked_in }) => [name, voided, checked_in]),
    Array(3).fill(['Grace', false, false]),
  )
  assert.equal(await sold(), 3)
  assert.deepEqual((await client.get(`/registrations/${placed.id}`)).body, placed)
  assert.deepEqual(await readOutbox(db), [])
})

test('a placement past the capacity, or with too many answers, leaves nothing behind', async t => {
  const { place, sold, client } = await start(t)
  await assert.rejects(place({ status: 'pending', quantity: 101 }), { code: 'sold_out' })
  const answers = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, '']))
  await assert.rejects(place({ status: 'confirmed', answers }), { param: 'answers' })
  assert.deepEqual([await sold(), (await client.get('/registrations')).body.data], [0, []])
})

test('an import through the API and one from a file make the same row and the same tickets', async t => {
  const input = {
    buyer: grace,
    attendees: [{ name: 'Ann', email: 'ann@example.org', seat: 'A1' }, { name: 'Bob' }],
    answers: { diet: 'vegan' },
    language: 'es',
  }
  const file = organization({ event: { registrations: [registration('r', input)] } })
  const { client, clock, db, eventId, types } = await start(t, file)
  assert.equal((await client.post('/registrations', newRegistration({ eventId, types }, input))).status, 201)
  const ids = ['id', 'reference', 'registration_id', 'qr_code', 'number']
  for (const [table, count] of Object.entries({ registrations: 2, attendees: 4 })) {
    const rows = await db.read(INSTANCE, tx =>
      tx.all<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY id`),
    )
    const same = rows.map(row => ({ ...row, ...Object.fromEntries(ids.map(id => [id, ''])) }))
    assert.equal(rows.length, count)
    assert.deepEqual(same.slice(0, count / 2), same.slice(count / 2))
  }
  const words = await db.read(INSTANCE, tx =>
    tx.all(
      'SELECT word, created_at, registration_number, event_number FROM registration_words ORDER BY 3, 1',
    ),
  )
  const of = (number: number) =>
    ['ann', 'bob', 'grace'].map(word => ({
      ...{ word, created_at: clock(), registration_number: number, event_number: 1 },
    }))
  assert.deepEqual(words, [...of(1), ...of(2)])
})
