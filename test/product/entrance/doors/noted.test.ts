import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMMAND_LINE } from '#product/administration/access-log/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { voidTickets } from '#product/guests/registrations/voiding.ts'
import { startWithEverything, withEverything } from '#test/fuzz/server.ts'
import { type SeenAtDoors, watchDoors } from '#test/support/door/door-watch.ts'
import { pathOf, requestsOf } from '#test/support/operations.ts'
import { registration } from '#test/support/organization.ts'
import { anyWalk, openSales } from '#test/support/sales-walk.ts'

const WALKS = 60

/** Asserts that each is noted, and returns the kinds that occurred. */
function kindsOf(seen: SeenAtDoors[]): string[] {
  assert.deepEqual(
    seen.filter(({ isNoted }) => !isNoted),
    [],
  )
  return [...new Set(seen.splice(0).map(({ by }) => by))].sort()
}

test('whatever the API, the dashboard or a file changes of a ticket is noted for the doors in its own transaction', async t => {
  const seen = watchDoors(t)
  const { client, db, ids, applied, apply } = await startWithEverything(t)
  assert.deepEqual(kindsOf(seen), ['sold'])
  const accountId = applied.account_id
  for (const request of requestsOf(ids).filter(({ method }) => method === 'POST')) {
    const headers = { 'idempotency-key': request.operation }
    const { status } = await client.post(pathOf(request), request.body, { headers })
    assert.ok([200, 201].includes(status), `${request.operation} -> ${status}`)
  }
  assert.deepEqual(kindsOf(seen), ['admitted', 'settled', 'sold', 'voided'])

  const sale = { event_id: ids.event, registration_type_id: ids.type }
  const buyer = { name: 'Alan', email: 'alan@example.org' }
  const attendees = ['Maria', 'John', 'Anne'].map(name => ({
    name,
    email: `${name.toLowerCase()}@example.org`,
  }))
  const { body } = await client.post('/registrations', { ...sale, buyer, attendees })
  const [mary, john, anne] = body.attendees.map(({ id }: { id: string }) => id)
  kindsOf(seen)
  for (const [changes, kinds] of [
    [{ buyer: { name: 'Alan Again' } }, ['settled']],
    [{ attendees: [{ id: mary, name: 'Mary' }] }, ['amended']],
    [{ attendees: [{ id: john, seat: '4B' }] }, ['amended']],
    [{ note: 'nothing that a door shows' }, []],
  ] as const) {
    await db.write(accountId, tx => amend(tx, body.id, changes as Parameters<typeof amend>[2]))
    assert.deepEqual(kindsOf(seen), kinds)
  }
  await client.post('/check-ins', { attendee_id: mary })
  await db.write(accountId, tx => checkIns.undo(tx, mary))
  assert.deepEqual(kindsOf(seen), ['admitted', 'undone'])
  const of = { ticketIds: [anne], refunded: 0 }
  await db.write(accountId, tx => voidTickets(tx, body.id, of))
  assert.deepEqual(kindsOf(seen), ['voided'])
  await erasePerson(db, { ...COMMAND_LINE, accountId }, 'maria@example.org')
  await erasePerson(db, { ...COMMAND_LINE, accountId }, 'alan@example.org')
  assert.deepEqual(kindsOf(seen), ['amended', 'settled'])
  const file = withEverything()
  const [event] = file.events as { registrations: object[] }[]
  event?.registrations.push(registration('third'))
  await apply(file)
  assert.deepEqual(kindsOf(seen), ['sold'])
})

test('whatever becomes of orders and payments is noted for the doors in its own transaction', async t => {
  const seen = watchDoors(t)
  const { walk } = await openSales(t)
  await fc.assert(
    fc.asyncProperty(anyWalk, async steps => {
      await walk(steps)
    }),
    { numRuns: WALKS, seed: 1_060_972_903, endOnFailure: true },
  )
  assert.deepEqual(kindsOf(seen), ['settled', 'sold', 'voided'])
})
