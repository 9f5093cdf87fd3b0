import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Answer } from '#test/support/client.ts'
import { findDamage, findLoss } from '#test/support/damage.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

/** Counts how often each value of `of` occurs. */
function tally(answers: readonly Answer[], of: (answer: Answer) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[of(answer)] = (counts[of(answer)] ?? 0) + 1
  return counts
}

const outcome = ({ status, body }: Answer) => `${status} ${body.error?.code ?? body.status ?? body.object}`

test('2,000 imports at once into a type of capacity 100 make exactly 100 registrations, and 1,900 are sold out', async t => {
  const { client, data, db, eventId, types } = await startSubscribed(t)
  const sent = await Promise.all(
    Array.from({ length: 2_000 }, async (_, number) => {
      const body = {
        event_id: eventId,
        registration_type_id: types.Standard,
        buyer: { name: `Guest ${number}`, email: `guest-${number}@example.org` },
      }
      const headers = { 'Idempotency-Key': `import-${number}` }
      return [`import-${number}`, await client.post('/registrations', body, { headers })] as const
    }),
  )
  const answers = sent.map(([, answer]) => answer)
  assert.deepEqual(tally(answers, outcome), { '201 confirmed': 100, '409 sold_out': 1_900 })

  const list = await client.get(`/events/${eventId}/registration-types`)
  const sums = list.body.data.map(({ name, sold, available }: never) => ({ name, sold, available }))
  assert.deepEqual(
    new Set(sums),
    new Set([
      { name: 'Standard', sold: 100, available: 0 },
      { name: 'Free', sold: 0, available: 100 },
    ]),
  )
  await db.read(INSTANCE, async tx => {
    const count = async (table: string) =>
      (await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n
    assert.equal(await count('registrations'), 100)
    assert.equal(await count('attendees'), 100)
    assert.equal(await count('webhook_events'), 100)
    assert.equal(await count('idempotent_responses'), 2_000)
  })
  assert.deepEqual(await findDamage(data), [])
  const acknowledged = new Map(sent.filter(([, { status }]) => status === 201))
  assert.deepEqual(await findLoss(data, acknowledged), [])
})

test('500 scans of one ticket at once admit it once, and the other 499 are told when it was', async t => {
  const { applied, client, clientOf, data, db, eventId, types } = await startSubscribed(t)
  const registration = await client.post(
    '/registrations',
    {
      event_id: eventId,
      registration_type_id: types.Standard,
      buyer: { name: 'Grace', email: 'g@example.org' },
    },
    { headers: { 'Idempotency-Key': 'the-ticket' } },
  )
  const [ticket] = registration.body.attendees
  const doors = await Promise.all(Array.from({ length: 5 }, () => clientOf(applied.account_id)))
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, number) => {
      const scan = number % 2 === 0 ? { qr_code: ticket.qr_code } : { attendee_id: ticket.id }
      const headers = { 'Idempotency-Key': `scan-${number}` }
      return (doors[number % doors.length] as typeof client).post('/check-ins', scan, { headers })
    }),
  )
  assert.deepEqual(tally(answers, outcome), { '201 check_in': 1, '409 already_checked_in': 499 })
  const admitted = answers.find(({ status }) => status === 201)?.body
  const instants = answers
    .filter(({ status }) => status === 409)
    .map(({ body }) => body.error.details.checked_in_at)
  assert.deepEqual([...new Set(instants)], [admitted.checked_in_at])

  await db.read(INSTANCE, async tx => {
    assert.deepEqual(await tx.all('SELECT id, attendee_id FROM check_ins'), [
      { id: admitted.id, attendee_id: ticket.id },
    ])
    const events = await tx.all<{ body: string }>(
      "SELECT body FROM webhook_events WHERE type = 'checkin.created'",
    )
    assert.deepEqual(
      events.map(({ body }) => JSON.parse(body).data.object),
      [admitted],
    )
    const scans = await tx.all<{ actor: string; target_id: string; details: string }>(
      "SELECT actor, target_id, details FROM access_log WHERE action = 'check_in.create'",
    )
    assert.equal(scans.length, 500)
    assert.deepEqual([...new Set(scans.map(({ target_id }) => target_id))], [ticket.id])
    assert.equal(new Set(scans.map(({ actor }) => actor)).size, doors.length)
    const codes = scans.map(({ details }) => JSON.parse(details).code ?? 'admitted')
    assert.equal(codes.filter(code => code === 'already_checked_in').length, 499)
    assert.equal(codes.filter(code => code === 'admitted').length, 1)
  })
  assert.deepEqual(await findDamage(data), [])
})

test('100 requests at once with one Idempotency-Key make one registration, and 99 are its replay', async t => {
  const { applied, client, clientOf, data, db, eventId, types } = await startSubscribed(t)
  const sameAccount = await clientOf(applied.account_id)
  const body = {
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: 2,
  }
  const headers = { 'Idempotency-Key': 'only-once' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      (number % 2 === 0 ? client : sameAccount).post('/registrations', body, { headers }),
    ),
  )
  const kind = ({ status, headers }: Answer) => `${status} ${headers['idempotent-replayed'] ?? 'first'}`
  assert.deepEqual(tally(answers, kind), { '201 first': 1, '201 true': 99 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, 100)

  await db.read(INSTANCE, async tx => {
    const count = async (table: string) =>
      (await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n
    assert.equal(await count('registrations'), 1)
    assert.equal(await count('attendees'), 2)
    assert.equal(await count('webhook_events'), 1)
    assert.equal(await count('idempotent_responses'), 1)
    const creations = await tx.all("SELECT id FROM access_log WHERE action = 'registration.create'")
    assert.equal(creations.length, 1)
  })
  assert.deepEqual(await findDamage(data), [])
})
