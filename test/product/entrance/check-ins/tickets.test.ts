import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Position } from '#machinery/db/keyset.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import {
  type DoorTicket,
  getTicket,
  listTickets,
  type TicketFilters,
} from '#product/entrance/check-ins/tickets.ts'
import { organization, registration } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const NAMES = ['Zoë', 'ada', 'Bob', 'Élodie', 'émile', 'Cyd', 'Ada', 'Øystein', '李雷']

async function start(t: TestContext) {
  const elsewhere = {
    slug: 'other',
    title: 'Other',
    registration_types: [{ name: 'One', price: 0, capacity: 9 }],
  }
  const void_ = registration('void', {
    buyer: { name: 'Void', email: 'void@example.org' },
    status: 'cancelled',
  })
  const server = await startWithOrganization(
    t,
    organization({
      event: { registrations: [void_] },
      events: [{ ...elsewhere, registrations: [registration('x', { registration_type: 'One' })] }],
    }),
  )
  const { applied, client, clock, db, eventId } = server
  const accountId = applied.account_id
  const attendees = NAMES.map((name, at) => ({ name, email: `guest${at}@example.org` }))
  const made: { id: string; attendees: { id: string; qr_code: string }[] }[] = []
  for (const some of [attendees.slice(0, 4), attendees.slice(4, 8), attendees.slice(8)]) {
    clock.advance(1_000)
    const buyer = { name: 'Grace', email: 'grace@example.org' }
    made.push((await client.post('/registrations', newRegistration(server, { buyer, attendees: some }))).body)
  }
  /** Every page, by the names. */
  const walk = async (filters: TicketFilters, limit = 100) => {
    const names: (string | null)[][] = []
    let after: Position | undefined
    do {
      const { tickets, next } = await listTickets(db, accountId, eventId, filters, { limit, after })
      names.push(tickets.map(({ name }) => name))
      after = next
    } while (after !== undefined)
    return names
  }
  return { ...server, accountId, made, walk }
}

test('the tickets of an event come by the newest registration first, each once, whatever the size of the page', async t => {
  const { walk } = await start(t)
  const all = [...NAMES.slice(8), ...NAMES.slice(4, 8), ...NAMES.slice(0, 4), 'Void']
  assert.deepEqual(await walk({}), [all])
  assert.deepEqual(await walk({}, 1), [all.slice(0, 1), all.slice(1, 5), all.slice(5, 9), ['Void']])
})

test('a ticket is found by name, e-mail, reference, id and code, and without the others of its registration', async t => {
  const { made, walk } = await start(t)
  const [first] = made
  const ticket = first?.attendees[2]
  assert.deepEqual(await walk({ q: 'elodie' }), [['Élodie']])
  assert.deepEqual(await walk({ q: 'guest5@example.org' }), [['Cyd']])
  assert.deepEqual(await walk({ q: 'void' }), [['Void']])
  assert.deepEqual(await walk({ q: ticket?.id }), [['Bob']])
  assert.deepEqual(await walk({ q: ticket?.qr_code }), [['Bob']])
  // A registration that is found by its buyer or its own id comes with all its tickets.
  assert.deepEqual(await walk({ q: first?.id }), [NAMES.slice(0, 4)])
  assert.equal((await walk({ q: 'grace' })).flat().length, NAMES.length)
  assert.deepEqual(await walk({ q: 'nobody' }), [[]])
})

test('tickets are listed by whether they are checked in, these by the latest check-in first', async t => {
  const { client, clock, made, walk } = await start(t)
  const ids = [made[1]?.attendees[0]?.id, made[0]?.attendees[3]?.id]
  for (const attendee_id of ids) {
    clock.advance(1_000)
    assert.equal((await client.post('/check-ins', { attendee_id })).status, 201)
  }
  assert.deepEqual(await walk({ checked_in: true }), [['Élodie', 'émile']])
  assert.deepEqual(await walk({ checked_in: true }, 1), [['Élodie'], ['émile']])
  const rest = ['李雷', 'Cyd', 'Ada', 'Øystein', 'Zoë', 'ada', 'Bob', 'Void']
  assert.deepEqual(await walk({ checked_in: false }), [rest])
  assert.deepEqual(await walk({ checked_in: true, q: 'emile' }), [['émile']])
  assert.deepEqual(await walk({ checked_in: false, q: 'emile' }), [[]])
})

test('tickets of another account are not there', async t => {
  const { apply, db, eventId } = await start(t)
  const { account_id } = await apply(organization({ email: 'bob@example.org' }))
  const page = { limit: 10 }
  await assert.rejects(listTickets(db, account_id, eventId, {}, page), { code: 'not_found' })
  await assert.rejects(listByName(db, account_id, eventId).next(), { code: 'not_found' })
})

test('the printed list has the tickets that are not void by name, also where few names are kept at a time', async t => {
  const { db, data, accountId, eventId, types } = await start(t)
  const print = async (kept?: number) => {
    const tickets: DoorTicket[] = []
    for await (const some of listByName(db, accountId, eventId, kept)) tickets.push(...some)
    return tickets.map(({ name }) => name)
  }
  const sorted = ['ada', 'Ada', 'Bob', 'Cyd', 'Élodie', 'émile', 'Øystein', 'Zoë', '李雷']
  const isSame = (names: (string | null)[]) =>
    assert.deepEqual(
      names.map(name => name?.toLowerCase()),
      sorted.map(name => name.toLowerCase()),
    )
  isSame(await print())
  for (const kept of [1, 2, 4, 9]) isSame(await print(kept))
  const crowd = { data, accountId, eventId, typeId: types.Standard as string }
  await insertCrowd(crowd, { count: 300, tickets: 30 })
  const all = await print(1_000)
  assert.equal(all.length, 9_009)
  assert.equal(new Set(all).size, 9_009)
})

test('a ticket is got by its event and account alone', async t => {
  const { accountId, apply, applied, db, eventId, made } = await start(t)
  const id = made[0]?.attendees[2]?.id as string
  const { name, registration_type_name } = await db.read(accountId, tx => getTicket(tx, eventId, id))
  assert.deepEqual([name, registration_type_name], ['Bob', 'Standard'])
  const { account_id: stranger } = await apply(organization({ email: 'bob@example.org' }))
  const elsewhere = applied.events.other?.id as string
  for (const [account, event] of [
    [accountId, elsewhere],
    [stranger, eventId],
  ] as const) {
    await assert.rejects(
      db.read(account, tx => getTicket(tx, event, id)),
      { code: 'not_found' },
    )
  }
})
