import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { retry } from '#machinery/mail/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import * as erasing from '#product/selling/orders/erasing.ts'
import type { NewOrder } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { calendarIn, orderFree, startTicketMail, subjectsOf, type Ticket } from '#test/support/ticket-mail.ts'

const CONFIRMED = 'Your tickets for Spring Meeting'

async function start(t: TestContext, event: object = {}) {
  const server = await startWithOrganization(t, organization({ event }))
  const { db, applied, clock, eventId, types } = server
  const of = { accountId: applied.account_id, eventId, typeId: types.Free as string }
  const mail = await startTicketMail(t, db, clock)
  const order = (buyer: string, tickets?: Ticket[], changes?: Partial<NewOrder>) =>
    orderFree(db, of, buyer, tickets, changes)
  const details = (id: string) => db.read(of.accountId, tx => orders.getDetails(tx, id))
  return { ...server, ...of, mail, order, details }
}

test('a buyer who cancels is told, and so is each other holder, of their own tickets and out of the calendar', async t => {
  const { db, accountId, eventId, mail, order } = await start(t)
  const made = await order('Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
    ['Bob too', 'BOB@example.org'],
  ])
  await mail.take()
  await db.write(accountId, tx => orders.cancelByBuyer(tx, made.id, '2099-01-01T00:00:00Z'))
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', 'Your ticket for Spring Meeting is cancelled'],
    ['grace@example.org', 'Cancelled: Spring Meeting'],
  ])
  const [bob, grace] = mails as [(typeof mails)[0], (typeof mails)[0]]
  assert.match(
    grace.parsed.text ?? '',
    new RegExp(`Hello Grace,[\\s\\S]*order ${made.reference}[\\s\\S]*- Grace · Free`),
  )
  assert.match(grace.parsed.text ?? '', /\/orders\/[\w-]{46}/)
  assert.match(bob.parsed.text ?? '', /Hello Bob,[\s\S]*Grace got you[\s\S]*- Bob · Free\n- Bob too · Free/)
  assert.doesNotMatch(`${bob.parsed.text}${bob.parsed.html}`, /\/orders\/|\/tickets\/|Grace · Free/)
  for (const each of mails) {
    assert.equal(each.parsed.headers.get('auto-submitted'), 'auto-generated')
    const { header, organizer, starts, ...calendar } = calendarIn(each) ?? {}
    assert.match(String(header), /CANCEL/)
    assert.equal(organizer, 'mailto:ada@example.org')
    const expected = {
      method: 'CANCEL',
      status: 'CANCELLED',
      uid: eventId,
      sequence: 0,
      place: 'Main Hall, Madrid',
    }
    assert.deepEqual(calendar, expected)
  }
})

test('the organizer cancels one line: its people are told of it, and keep in the calendar what they still go to', async t => {
  const { db, accountId, mail, order, details, typeId, types } = await start(t, {
    registration_types: [
      { name: 'Free', price: 0, capacity: 100 },
      { name: 'Walk', price: 0, capacity: 100 },
    ],
  })
  const made = await order('Grace', undefined, {
    lines: [
      { typeId, tickets: [{ name: 'Bob', email: 'bob@example.org' }] },
      { typeId: types.Walk as string, tickets: [{ name: 'Grace', email: null }] },
    ],
  })
  await mail.take()
  const [line] = (await details(made.id)).registrations
  const cancel = (isNotified: boolean, id = line?.id as string) =>
    db.write(accountId, tx => cancellations.cancel(tx, id, { notified: isNotified ? 'all' : 'nobody' }))
  await cancel(true)
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', 'Your ticket for Spring Meeting is cancelled'],
    ['grace@example.org', 'Cancelled: Spring Meeting'],
  ])
  assert.deepEqual(
    mails.map(each => calendarIn(each)?.method),
    ['CANCEL', undefined],
  )
  assert.match(mails[1]?.parsed.text ?? '', /- Bob · Free/)
  assert.doesNotMatch(mails[1]?.parsed.text ?? '', /Walk/)
  await cancel(false, (await details(made.id)).registrations[1]?.id)
  assert.deepEqual(await mail.take(), [])
})

test('what the API cancels, and what was not ordered here, mails nobody', async t => {
  const { client, db, accountId, mail, order, details, eventId, typeId } = await start(t)
  const made = await order('Grace')
  assert.deepEqual(subjectsOf(await mail.take()), [['grace@example.org', CONFIRMED]])
  const [line] = (await details(made.id)).registrations
  await client.post(`/registrations/${line?.id}/cancel`)
  const body = {
    ...{ event_id: eventId, registration_type_id: typeId, quantity: 1 },
    ...{
      buyer: { name: 'Lin', email: 'lin@example.org' },
      attendees: [{ name: 'Lin', email: 'l@example.org' }],
    },
  }
  const imported = await client.post('/registrations', body)
  await db.write(accountId, tx => cancellations.cancel(tx, imported.body.id, { notified: 'heard' }))
  const { status } = await db.read(accountId, tx => registrations.get(tx, imported.body.id))
  assert.equal(status, 'cancelled')
  assert.deepEqual(await mail.take(), [])
})

test('a buyer who withdraws an order that waits is told; its holders, whom nobody has told of it, are not', async t => {
  const { db, accountId, mail, order } = await start(t, { requires_approval: true })
  const made = await order('Grace', [['Bob', 'bob@example.org']], { language: 'es' })
  await mail.take()
  await db.write(accountId, tx => orders.cancelByBuyer(tx, made.id, null))
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [['grace@example.org', 'Cancelado: Spring Meeting']])
  assert.equal(mails[0] && calendarIn(mails[0]), undefined)
})

test('a buyer who was made anonymous is written to no more; the other holders are', async t => {
  const { db, accountId, mail, order, details } = await start(t)
  const made = await order('Grace', [['Bob', 'bob@example.org']])
  await mail.take()
  const [line] = (await details(made.id)).registrations
  await db.write(accountId, async tx => {
    await erasing.erase(tx, 'grace@example.org')
    await cancellations.cancel(tx, line?.id as string, { notified: 'heard' })
  })
  assert.deepEqual(
    subjectsOf(await mail.take()).map(([to]) => to),
    ['bob@example.org'],
  )
})

test('a mail that a server refused for good tells of the same tickets once it is tried again', async t => {
  const { db, accountId, mail, order } = await start(t)
  const made = await order('Grace')
  await mail.take()
  mail.script.to = () => ({ code: 550, message: 'No such mailbox' })
  await db.write(accountId, tx => orders.cancelByBuyer(tx, made.id, '2099-01-01T00:00:00Z'))
  assert.deepEqual(await mail.take(), [])
  delete mail.script.to
  const [failed] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>("SELECT id FROM emails WHERE kind = 'order_cancelled' AND status = 'failed'"),
  )
  await db.write(accountId, tx => retry(tx, failed?.id as string))
  const [mailAgain] = await mail.take()
  assert.match(mailAgain?.parsed.text ?? '', /- Grace · Free/)
})
