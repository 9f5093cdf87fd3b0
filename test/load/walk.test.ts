import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Answer } from '#test/support/client.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const ROWS = 10_000
const ARRIVALS = 1_000
const FIRST = Date.parse('2026-10-01T00:00:00Z')

/** Makes 10,000 registrations of the months before. Many share their instant, and the file has them in no order. */
function history() {
  return Array.from({ length: ROWS }, (_, number) => {
    const moment = new Date(FIRST + Math.floor(((number * 7_919) % ROWS) / 7) * 1_000).toISOString()
    return {
      reference: `old-${number}`,
      registration_type: 'Standard',
      buyer: { name: 'Grace', email: number % 2 === 0 ? 'Even@example.org' : 'odd@example.org' },
      created_at: moment,
    }
  })
}

test('a walk over 10,000 registrations gives each of them once, newest first, while 1,000 more arrive', async t => {
  const file = organization({
    event: {
      registration_types: [{ name: 'Standard', price: 0, capacity: 100_000 }],
      registrations: history(),
    },
  })
  const { client, clientOf, applied, db, eventId, types } = await startWithOrganization(t, file)
  const door = await clientOf(applied.account_id)

  const filters = [
    ['', ''],
    [`&event_id=${eventId}&email=even@EXAMPLE.org`, "WHERE buyer_email_key = 'even@example.org'"],
  ] as const
  for (const [query, condition] of filters) {
    const expected = await db.read(INSTANCE, tx =>
      tx.all<{ id: string }>(`SELECT id FROM registrations ${condition} ORDER BY created_at DESC, id DESC`),
    )
    assert.ok(expected.length >= ROWS / 2)

    const arrivals: Promise<Answer>[] = []
    const arrivalsAPage = Math.ceil(ARRIVALS / Math.floor(expected.length / 100))
    const walked = await client.walk(`/registrations?limit=100${query}`, () => {
      // The imports are not awaited: they arrive while the next pages are read.
      for (let at = 0; at < arrivalsAPage && arrivals.length < ARRIVALS; at++) {
        const buyer = { name: 'Late', email: 'even@example.org' }
        const body = { event_id: eventId, registration_type_id: types.Standard, buyer }
        arrivals.push(door.post('/registrations', body))
      }
    })
    const arrived = await Promise.all(arrivals)
    assert.equal(arrived.length, ARRIVALS)
    assert.ok(arrived.every(({ status }) => status === 201))

    // Registrations that arrive are newer than the first page, so the walk may have none of them.
    assert.deepEqual(
      walked.map(({ id }) => id),
      expected.map(({ id }) => id),
    )
    const after = await client.get(`/registrations?limit=100${query}`)
    const newest = new Set(arrived.map(({ body }) => body.id))
    assert.ok(after.body.data.every(({ id }: { id: string }) => newest.has(id)))
  }
})
