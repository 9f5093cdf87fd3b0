import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { FigureCounter } from '#product/reporting/figures/counter.ts'
import { InsideCounts } from '#product/reporting/figures/inside.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { applied, client, clock, db, eventId, types } = server
  const accountId = applied.account_id
  const ticketOf = async (type: string) => {
    const request = newRegistration(server, { registration_type_id: types[type] })
    return (await client.post('/registrations', request)).body.attendees[0].id as string
  }
  const admit = async (ticket: string) => {
    assert.equal((await client.post('/check-ins', { attendee_id: ticket })).status, 201)
  }
  const counts = new InsideCounts()
  /** Returns the counts that page after page of the same server shows. */
  const look = async (of = accountId) => {
    const { count, by_type, recent } = await counts.count(db, of, eventId, clock() - 5 * MINUTE)
    const names = Object.entries(types).map(([name, id]) => [name, by_type[id] ?? 0])
    return [count, recent, Object.fromEntries(names)]
  }
  return { ...server, accountId, ticketOf, admit, look }
}

test('who is inside is counted anew at each look: by type, of the last minutes, and without what was undone', async t => {
  const { accountId, admit, clock, db, look, ticketOf } = await start(t)
  const [one, two, three] = [await ticketOf('Standard'), await ticketOf('Free'), await ticketOf('Free')]
  assert.deepEqual(await look(), [0, 0, { Standard: 0, Free: 0 }])
  await admit(one)
  assert.deepEqual(await look(), [1, 1, { Standard: 1, Free: 0 }])
  clock.advance(6 * MINUTE)
  await admit(two)
  assert.deepEqual(await look(), [2, 1, { Standard: 1, Free: 1 }])
  // There are as many as before, and others.
  await db.write(accountId, tx => checkIns.undo(tx, one))
  await admit(three)
  assert.deepEqual(await look(), [2, 2, { Standard: 0, Free: 2 }])
  await db.write(accountId, tx => checkIns.undo(tx, three))
  assert.deepEqual(await look(), [1, 1, { Standard: 0, Free: 1 }])
})

test('of the last minutes people are counted, and no extras that were handed out', async t => {
  const { admit, db, accountId, look, ticketOf, types } = await start(t)
  const [guest, dinner] = [await ticketOf('Standard'), await ticketOf('Free')]
  await db.write(accountId, tx =>
    tx.run("UPDATE registration_types SET kind = 'extra' WHERE id = $1", [types.Free as string]),
  )
  await admit(guest)
  await admit(dinner)
  assert.deepEqual(await look(), [2, 1, { Standard: 1, Free: 1 }])
})

test('an account is told nothing of the event of another', async t => {
  const { admit, look, ticketOf } = await start(t)
  await admit(await ticketOf('Standard'))
  await look()
  assert.deepEqual(await look('0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'), [0, 0, { Standard: 0, Free: 0 }])
})

test('more than can be counted at once are as they were counted in the background, with the instant', async t => {
  const { accountId, clock, data, db, eventId, types } = await start(t)
  const tickets = await insertCrowd(
    { data, accountId, eventId, typeId: types.Standard as string },
    { count: 20_002 },
  )
  const at = clock() - 10 * MINUTE
  const admitted = tickets
    .slice(0, 20_001)
    .map((ticket, number) => [`chk_${String(number).padStart(32, '0')}`, accountId, eventId, ticket, at])
  await withRows(data, rows =>
    rows.transaction(() =>
      rows.runEach(
        `INSERT INTO check_ins (id, account_id, event_id, attendee_id, source, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'api', $5, $5)`,
        admitted,
      ),
    ),
  )
  const counts = new InsideCounts()
  const look = () => counts.count(db, accountId, eventId, at + 1)
  assert.deepEqual(await look(), { count: null, by_type: {}, by_door: null, counted_at: null, recent: 0 })
  const log = { info: () => {}, warn: () => {}, error: () => {} } as never
  await new FigureCounter({ db, clock, log }).look()
  const { count, by_type, counted_at } = await look()
  assert.deepEqual([count, by_type], [20_001, { [types.Standard as string]: 20_001 }])
  assert.equal(counted_at, new Date(clock()).toISOString())
})
