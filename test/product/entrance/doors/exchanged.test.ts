import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '#product/entrance/check-ins/validity.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { orderFree } from '#test/support/ticket-mail.ts'

test('the old code is refused as exchanged, by the server and by the copy of a phone, and the new one is admitted', async t => {
  const { a, client, db, accountId, eventId, types } = await startWithDoors(t)
  const typeId = types.Free as string
  const { id } = await orderFree(db, { accountId, eventId, typeId }, 'Grace', [
    ['Grace', null],
    ['Ada', null],
  ])
  const read = () => db.read(accountId, tx => orders.getDetails(tx, id))
  const [line] = (await read()).registrations
  const [first, second] = line?.attendees ?? []
  const { cursor } = (await a.copy()).body
  const exchange = (registrationId: string, ticketId: string) =>
    db.write(accountId, tx =>
      exchangeTicket(tx, {
        ...{ registrationId, ticketId, typeId, back: 0 },
        holder: { name: 'Mary', email: null },
      }),
    )
  const { made } = await exchange(line?.id as string, first?.id as string)
  const [fresh] = made.attendees
  const changed = new Map(
    (await a.changes(cursor)).body.tickets.map((row: [string, string, string]) => [row[0], row[2]]),
  )
  assert.deepEqual(
    [first, second, fresh].map(ticket => changed.get(ticket?.id as string)),
    ['exchanged', 'ok', 'ok'],
  )
  const refused = await a.one(a.scan({ code: first?.qr_code as string }))
  assert.deepEqual([refused.outcome, refused.reason], ['refused', 'ticket_exchanged'])
  assert.deepEqual([refused.ticket[2], refused.ticket[3]], ['exchanged', null], 'and names nobody')
  assert.equal(
    judge({ state: 'exchanged', usedAt: null, from: null, until: null }, 0),
    'ticket_exchanged',
    'without a network the phone says the same',
  )
  assert.equal((await a.one(a.scan({ code: fresh?.qr_code as string }))).outcome, 'admitted')

  const ofApi = await client.post('/check-ins', { qr_code: first?.qr_code })
  assert.deepEqual([ofApi.status, ofApi.body.error.code], [409, 'ticket_voided'], 'the API has no new code')
  await exchange(line?.id as string, second?.id as string)
  const ended = await client.post('/check-ins', { qr_code: second?.qr_code })
  assert.equal(ended.body.error.code, 'registration_cancelled')
  const again = await a.one(a.scan({ code: second?.qr_code as string }))
  assert.equal(again.reason, 'ticket_exchanged')
})

test('a guest whom a phone let in before it heard of the exchange is a conflict', async t => {
  const { a, clock, db, accountId, eventId, types } = await startWithDoors(t)
  const typeId = types.Free as string
  const { id } = await orderFree(db, { accountId, eventId, typeId }, 'Grace', [['Grace', null]])
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, id))).registrations
  const [ticket] = line?.attendees ?? []
  await db.write(accountId, tx =>
    exchangeTicket(tx, {
      ...{ registrationId: line?.id as string, ticketId: ticket?.id as string, typeId, back: 0 },
      holder: { name: 'Mary', email: null },
    }),
  )
  clock.advance(1000)
  const scanned = await a.one(a.scan({ code: ticket?.qr_code as string }, { shown: 'admitted' }))
  assert.deepEqual([scanned.outcome, scanned.reason], ['conflict', 'ticket_exchanged'])
})
