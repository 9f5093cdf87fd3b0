import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { orderUrl, ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { orderFree, startTicketMail } from '#test/support/ticket-mail.ts'

async function start(t: TestContext, changes = {}) {
  const dashboard = await startDashboard(t, organization({ event: { contact_email: 'desk@example.org' } }))
  const { accountId, db, eventId, types, visitor, clock } = dashboard
  const change = (some: object) => db.write(accountId, tx => events.update(tx, eventId, some))
  const starts = clock() + 5 * DAY
  await change({ starts_at: starts, ends_at: starts + DAY, give_on: true, ...changes })
  const instance = await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )
  const server = { baseUrl: '', secret: instance?.secret as string }
  const order = await orderFree(db, { accountId, eventId, typeId: types.Free as string }, 'Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
  ])
  const read = () => db.read(accountId, tx => orders.getDetails(tx, order.id))
  const tickets = async () => (await read()).registrations.flatMap(({ attendees }) => attendees)
  const [first, second] = await tickets()
  const pathOf = (id: string) => ticketUrl(server, order, id)
  const ticketPath = pathOf(second?.id as string)
  return {
    ...dashboard,
    change,
    order,
    read,
    tickets,
    first,
    second,
    pathOf,
    ticketPath,
    orderPath: orderUrl(server, order),
    secret: server.secret,
    visitor,
  }
}

const MARY = { 'Name of the new holder': 'Mary', 'E-mail of the new holder': 'mary@example.org' }

test('a holder gives a ticket on: the page says so and has no code, and only the new holder has a link to the new one', async t => {
  const { visitor, ticketPath, pathOf, tickets, db, clock, secret } = await start(t)
  const mail = await startTicketMail(t, db, clock, secret)
  await mail.take()
  const form = await (await visitor().open(ticketPath)).follow('Give it to somebody else')
  assert.match(form.text, /you cannot take it back: look at the address once more/)
  assert.match(form.text, /Spring Meeting\s*26 – 27 Nov 2026/)
  const wrong = await form.fill({ 'Name of the new holder': 'Mary' }).press('Continue')
  assert.equal(wrong.status, 422)
  const mistyped = await wrong
    .fill({ ...MARY, 'E-mail of the new holder': 'mray@example.org' })
    .press('Continue')
  assert.match(mistyped.text, /The ticket goes to:\s*Mary\s*mray@example\.org/)
  assert.deepEqual(
    [(await tickets()).length, (await mail.take()).length],
    [2, 0],
    'nothing is given on before',
  )
  const asked = await mistyped.press('Change something')
  assert.equal(asked.field('Name of the new holder').value, 'Mary')
  const sure = await asked.fill(MARY).press('Continue')
  assert.match(sure.text, /Mary\s*mary@example\.org/)
  const done = await sure.press('Give it on')
  assert.match(done.text, /They get it by mail/)
  assert.match(done.text, /Exchanged: another ticket has taken its place/)
  assert.equal(done.document.querySelector('svg.qr, .qr'), null)
  assert.doesNotMatch(done.text, /Mary|Give it to somebody else/)
  const fresh = (await tickets()).find(({ name }) => name === 'Mary')
  assert.ok(!done.links().some(link => link.includes(pathOf(fresh?.id as string))))
  assert.equal((await visitor().open(`${ticketPath}/ticket.pdf`)).status, 404)
  assert.equal((await visitor().open(`${ticketPath}/give`)).status, 404)
  assert.match((await visitor().open(pathOf(fresh?.id as string))).text, /Mary/)
  const sent = await mail.take()
  assert.deepEqual(
    sent.map(({ to, parsed }) => [to[0], parsed.subject]),
    [
      ['bob@example.org', 'Your ticket for Spring Meeting is somebody else’s now'],
      ['mary@example.org', 'Your ticket for Spring Meeting'],
    ],
  )
  assert.doesNotMatch(sent[0]?.parsed.text ?? '', /Mary|\/tickets\/|\/orders\//)
})

test('a buyer gives a ticket on from the page of the order, which then shows the new holder alone', async t => {
  const { visitor, orderPath, second, read } = await start(t)
  const page = await visitor().open(orderPath)
  const form = await page.follow('Give it to somebody else: Bob')
  const done = await (await form.fill(MARY).press('Continue')).press('Give it on')
  assert.match(done.text, /Mary/)
  assert.doesNotMatch(done.text, /Bob/)
  const names = await done.follow('Change names')
  assert.equal(
    names.document.querySelectorAll('input[type=email]').length,
    2,
    'the exchanged ticket has no name to change',
  )
  assert.equal((await visitor().open(`${orderPath}/give/${second?.id}`)).status, 404)
  assert.equal((await read()).registrations.length, 2)
})

test('nobody sees it where the event does not allow it, once names are locked, or at an event that is cancelled', async t => {
  const { visitor, ticketPath, orderPath, second, change, clock } = await start(t)
  const isShown = async () => {
    const pages = [await visitor().open(ticketPath), await visitor().open(orderPath)]
    const forms = [`${ticketPath}/give`, `${orderPath}/give/${second?.id}`]
    const statuses = await Promise.all(forms.map(async path => (await visitor().open(path)).status))
    return [...pages.map(page => /Give it to somebody else/.test(page.text)), ...statuses]
  }
  assert.deepEqual(await isShown(), [true, true, 200, 200])
  await change({ give_on: false })
  assert.deepEqual(await isShown(), [false, false, 404, 404])
  await change({ give_on: true, names_locked_at: clock() })
  assert.deepEqual(await isShown(), [false, false, 404, 404])
  await change({ names_locked_at: null })
  assert.deepEqual(await isShown(), [true, true, 200, 200])
})

test('a form that was open when names were locked is refused in words, and a ticket of another order is not found', async t => {
  const { visitor, ticketPath, orderPath, db, accountId, eventId, types } = await start(t)
  const other = await orderFree(db, { accountId, eventId, typeId: types.Free as string }, 'Eve')
  const { registrations } = await db.read(accountId, tx => orders.getDetails(tx, other.id))
  const foreign = registrations[0]?.attendees[0]?.id
  assert.equal((await visitor().open(`${orderPath}/give/${foreign}`)).status, 404)
  const [sure, twice, open] = await Promise.all([
    ...[1, 2].map(async () => (await visitor().open(`${ticketPath}/give`)).fill(MARY).press('Continue')),
    visitor().open(`${ticketPath}/give`),
  ])
  assert.equal((await sure?.press('Give it on'))?.status, 200)
  assert.equal((await twice?.press('Give it on'))?.status, 404)
  assert.equal((await open?.fill(MARY).press('Continue'))?.status, 404)
})
