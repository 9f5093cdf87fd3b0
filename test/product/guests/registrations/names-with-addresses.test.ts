import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { startWithImports } from '#test/support/imports.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { startSale } from '#test/support/people/order-forms.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const BAD = 'You won! evil.com/win'
const READ = 'must not have a web address in it, as "evil.com/" is read.'

test('the API takes no name with a web address in it, of a buyer or of a ticket', async t => {
  const server = await startWithOrganization(t)
  const { client, db } = server
  const body = newRegistration(server)
  const buyer = await client.post('/registrations', { ...body, buyer: { ...body.buyer, name: BAD } })
  assert.deepEqual([buyer.status, buyer.body.error.param], [400, 'buyer.name'])
  assert.equal(buyer.body.error.message, `buyer.name ${READ}`)
  const attendees = [{ name: 'Grace' }, { name: BAD }]
  const ticket = await client.post('/registrations', { ...body, quantity: 2, attendees })
  assert.deepEqual([ticket.status, ticket.body.error.param], [400, 'attendees.1.name'])
  assert.equal(await db.read(INSTANCE, tx => tx.one('SELECT 1 FROM registrations')), undefined)
})

test('a form of an order takes no such name, and says why beside the field, in the language of the page', async t => {
  const { review, order, types, taken } = await startSale(t, {
    registration_types: [{ name: 'Guest', price: 0, capacity: 50 }],
  })
  const sent = await review(`q.${types.Guest}=2`)
  const before = await taken()
  for (const field of ['buyer.name', `ticket.${types.Guest}.1.name`]) {
    sent.set('buyer.name', 'Grace')
    sent.set(`ticket.${types.Guest}.1.name`, 'Ada')
    sent.set(field, BAD)
    const answer = await order(sent)
    assert.equal(answer.status, 422, field)
    assert.match(
      answer.text,
      /A name has no web address in it, as “evil\.com\/” is read: leave that out\./,
      field,
    )
  }
  assert.deepEqual(await taken(), before)
})

test('an import tells each line with such a name, and takes the others', async t => {
  const { check, lines } = await startWithImports(t)
  const job = await check(
    ['Name;E-mail;Ticket type', 'Ada;ada@example.org;Free', `${BAD};eve@example.org;Free`].join('\n'),
  )
  const found = await lines(job.id)
  assert.deepEqual(
    found.map(({ line, fate }) => [line, fate]),
    [
      [2, 'new'],
      [3, 'wrong'],
    ],
  )
  assert.deepEqual(found[1]?.details.faults, [
    { field: 'name', fault: { key: 'addressInName', parameters: { found: 'evil.com/' } } },
  ])
})

test('the dashboard takes no such name of a guest, and says which line has it', async t => {
  const { db, eventId, member } = await startDashboard(t)
  const browser = await member('manager')
  const form = await browser.open(`/manage/e/${eventId}/guests/new`)
  const typed = { 'Name of the buyer': 'Grace', 'E-mail of the buyer': 'grace@example.org' }
  const page = await form.fill({ ...typed, Names: `Ada\n${BAD}`, Tickets: '2' }).press('Add the guest')
  assert.match(
    page.text,
    /Line 2: A name has no web address in it, as “evil\.com\/” is read: leave that out\./,
  )
  assert.equal(await db.read(INSTANCE, tx => tx.one('SELECT 1 FROM registrations')), undefined)
})

test('a registration that has such a name already is read, and changed but for the name', async t => {
  const server = await startWithOrganization(t)
  const { client, db, applied } = server
  const made = await client.post('/registrations', newRegistration(server))
  const accountId = applied.account_id
  await db.write(accountId, async tx => {
    await tx.run('UPDATE registrations SET buyer_name = $1', [BAD])
    await tx.run('UPDATE attendees SET name = $1', [BAD])
  })
  const read = await client.get(`/registrations/${made.body.id}`)
  assert.deepEqual([read.status, read.body.buyer.name, read.body.attendees[0].name], [200, BAD, BAD])
  const cancelled = await client.post(`/registrations/${made.body.id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.buyer.name], [200, BAD])
})
