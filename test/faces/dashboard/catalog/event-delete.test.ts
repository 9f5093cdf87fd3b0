import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as links from '#product/administration/users/links.ts'
import { setArchived } from '#product/catalog/events/archive.ts'
import * as events from '#product/catalog/events/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { remind } from '#product/mailing/notices/rules.ts'
import * as figures from '#product/reporting/figures/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { startDeletable } from '#test/support/deletable.ts'
import { pairDoor } from '#test/support/door/door.ts'
import { addUnpaid, digest } from '#test/support/every-row.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

const draft = organization({ event: { status: 'draft' } })

const pathOf = ({ accountId, eventId }: { accountId: string; eventId: string }) =>
  `/manage/a/${accountId}/events/${eventId}/delete`

/** A person has to type this to delete the event. */
const NAMED = { 'Name of the event': 'Spring Meeting' }

test('an owner deletes an event by a page that counts what goes, with its name typed, and the log keeps that it was', async t => {
  const server = await startDeletable(t)
  const { member, accountId, eventId, client, db } = server
  const owner = await member('owner')
  const overview = await owner.open(`/manage/e/${eventId}`)
  const last = [...overview.document.querySelectorAll('.head .menu li')].at(-1)
  assert.equal(last?.textContent, 'Delete the event…')
  assert.ok(last?.querySelector('.destructive') !== null)
  const confirmation = await overview.follow('Delete the event…')
  assert.equal(confirmation.heading, 'Delete “Spring Meeting”?')
  for (const sentence of [
    /5 registrations/,
    /2 check-ins/,
    /2 orders: the links/,
    /2 abstracts/,
    /1 entry on the waitlist/,
    /2 doors/,
    /1 line of an imported/,
  ])
    assert.match(confirmation.text, sentence)
  assert.match(confirmation.text, /not sent yet, and then never/)
  const before = await digest(db)
  const wrong = await confirmation.fill({ 'Name of the event': 'spring' }).press('Delete the event')
  assert.match(wrong.messages.join(), /Name of the event: This is not the name of the event/)
  assert.match(
    (await confirmation.fill({ 'Name of the event': '' }).press('Delete the event')).messages.join(),
    /Name/,
  )
  assert.equal(await digest(db), before)
  const form = wrong.fill(NAMED)
  const done = await form.press('Delete the event')
  assert.deepEqual(done.messages, ['“Spring Meeting” is deleted.'])
  assert.equal(done.path, `/manage/a/${accountId}`)
  assert.doesNotMatch(done.document.querySelector('table')?.textContent ?? '', /Spring Meeting/)
  // A form that is sent twice leads to the same place.
  assert.equal((await form.press('Delete the event')).path, `/manage/a/${accountId}`)
  const answer = await client.get(`/events/${eventId}`)
  assert.deepEqual([answer.status, answer.body.error.code], [404, 'not_found'])
  for (const path of [`/manage/e/${eventId}`, pathOf(server)])
    assert.equal((await owner.open(path)).status, 404)
  const [entry] = (await db.read(accountId, tx => accessLog.list(tx, 9))).filter(
    ({ action, details }) => action === 'event.delete' && details.code === undefined,
  )
  assert.deepEqual(
    [entry?.target_id, entry?.details.title, entry?.details.registrations],
    [eventId, 'Spring Meeting', 5],
  )
  assert.match((await owner.open(`/manage/a/${accountId}/log`)).text, /Deleted an event\s*Spring Meeting/)
  const spanish = await member('owner', { language: 'es', email: 'es@example.org' })
  assert.match((await spanish.open(`/manage/a/${accountId}/log`)).text, /Borró un evento\s*Spring Meeting/)
})

test('nobody but an owner deletes an event, and nobody that of another organization', async t => {
  const server = await startDashboard(t, draft)
  const { member, accountId, eventId, apply, db } = server
  for (const role of ['manager', 'finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.doesNotMatch((await reader.open(`/manage/e/${eventId}`)).text, /Delete the event/, role)
    assert.equal((await reader.open(pathOf(server))).status, 403, role)
    assert.equal((await reader.post(pathOf(server), { title: 'Spring Meeting' })).status, 403, role)
  }
  const bob = await apply(organization({ email: 'bob@example.org' }))
  const other = await member('owner', { accountId: bob.account_id })
  assert.equal((await other.open(pathOf(server))).status, 404)
  const foreign = { accountId: bob.account_id, eventId }
  assert.equal((await other.open(pathOf(foreign))).status, 404)
  assert.equal((await other.post(pathOf(foreign), { title: 'Spring Meeting' })).status, 404)
  assert.equal((await other.open(pathOf({ ...foreign, eventId: 'nonsense' }))).status, 404)
  assert.ok((await db.read(accountId, tx => events.findId(tx, eventId))) !== undefined)
})

type Server = Awaited<ReturnType<typeof startDashboard>>

/** Each entry makes a row that prevents the deletion, by the rules where they can make it, or by SQL. */
const hindering: Record<string, { why: RegExp; add: (server: Server) => Promise<unknown> }> = {
  published: {
    why: /Only a draft or a cancelled event can be deleted/,
    add: ({ db, accountId, eventId }) =>
      db.write(accountId, tx => events.setStatus(tx, eventId, 'published')),
  },
  receipt: {
    why: /Receipts were issued/,
    add: server =>
      orderAnd(server, (tx, orderId) =>
        receipts.issue(tx, { orderId, paymentId: 'p', amount: 500, at: 0, method: 'cash' }),
      ),
  },
  money: {
    why: /Money has moved/,
    add: server =>
      orderAnd(server, (tx, orderId) =>
        tx.run(
          `INSERT INTO ledger_entries (account_id, event_id, kind, entry_id, order_id, method, amount, currency, moved_at, created_at, updated_at)
       VALUES ($1, $2, 'payment', 'x', $3, 'transfer', 500, 'EUR', 1, 1, 1)`,
          [server.accountId, server.eventId, orderId],
        ),
      ),
  },
  refund: {
    why: /Refunds belong to it/,
    add: server =>
      orderAnd(server, (tx, orderId) =>
        tx.run(
          `INSERT INTO refunds (id, account_id, event_id, order_id, method, status, currency, amount, reason, looks, ended_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 'door', 'done', 'EUR', 100, 'organizer', 0, 1, 1, 1)`,
          [randomUUID(), server.accountId, server.eventId, orderId],
        ),
      ),
  },
  payment: { why: /Payments were begun/, add: server => orderAnd(server, async () => undefined) },
  job: {
    why: /still under way/,
    add: ({ db, accountId, eventId }) =>
      db.write(accountId, tx =>
        jobs.prepare(tx, { kind: 'guests.cancel', eventId, input: {}, total: null, by: 'cli' }),
      ),
  },
  scans: {
    why: /has not sent yet/,
    add: async server => {
      const { door } = await pairDoor(server, server.accountId, { event_id: server.eventId })
      assert.equal((await door.copy()).status, 200)
      await server.db.write(server.accountId, tx =>
        tx.run('UPDATE devices SET waiting = 2 WHERE account_id = $1', [server.accountId]),
      )
    },
  },
}

/** Adds an order that is to be paid at the door, and what a test adds to it. */
async function orderAnd(
  { db, accountId, eventId, types }: Server,
  add: (tx: WriteTx, orderId: string) => Promise<unknown>,
) {
  await addUnpaid(db, accountId, eventId, types.Standard as string)
  await db.write(accountId, async tx => {
    const order = await tx.one<{ id: string }>('SELECT id FROM orders WHERE account_id = $1', [accountId])
    await add(tx, order?.id as string)
    await events.setStatus(tx, eventId, 'cancelled')
  })
}

/** These need an event that is on sale. */
const LIVE = new Set(['published', 'receipt', 'money', 'refund', 'payment'])

for (const [name, { why, add }] of Object.entries(hindering)) {
  test(`an event that something needs is not deleted, and the page says what and offers to archive it: ${name}`, async t => {
    const isLive = LIVE.has(name)
    const server = await startDashboard(
      t,
      organization({ event: { status: isLive ? 'published' : 'draft' } }),
    )
    const { member, eventId, accountId, db } = server
    const owner = await member('owner')
    const form = isLive ? undefined : await owner.open(pathOf(server))
    await add(server)
    const before = await digest(db)
    const page = await owner.open(pathOf(server))
    assert.equal(page.heading, '“Spring Meeting” cannot be deleted')
    assert.match(page.text, why)
    assert.match(page.text, /Archive it instead/)
    assert.ok(!page.html.includes('name="title"'))
    // Whoever has the page open from before is refused too, and sees why.
    const late = await form?.fill(NAMED).press('Delete the event')
    if (late !== undefined) assert.match(late.text, why)
    const sent = await owner.post(pathOf(server), { title: 'Spring Meeting', preview: '' })
    assert.equal(sent.status, 409)
    assert.equal(await digest(db), before)
    const archived = await page.press('Archive')
    assert.match(archived.messages.join(), /is archived/)
    assert.match((await owner.open(pathOf(server))).text, /stands in your list only under Archived/)
    assert.ok((await db.read(accountId, tx => events.getDetails(tx, eventId))).archived_at !== null)
  })
}

test('a guest who comes in between is counted anew before anything goes, and one who comes at the same time is in or refused', async t => {
  const server = await startDashboard(t, draft)
  const { member, client, eventId, types, db } = server
  const owner = await member('owner')
  const confirmation = (await owner.open(pathOf(server))).fill(NAMED)
  assert.equal((await client.post('/registrations', newRegistration({ eventId, types }))).status, 201)
  const again = await confirmation.press('Delete the event')
  assert.equal(again.status, 409)
  assert.match(again.text, /1 registration/)
  assert.ok((await client.get(`/events/${eventId}`)).status === 200)
  const [done, ...answers] = await Promise.all([
    again.press('Delete the event'),
    ...Array.from({ length: 5 }, () => client.post('/registrations', newRegistration({ eventId, types }))),
  ])
  const isGone = (await client.get(`/events/${eventId}`)).status === 404
  assert.equal(done.status, isGone ? 200 : 409)
  for (const { status } of answers) assert.ok(status === 201 || isGone, `${status}`)
  for (const { status } of answers) assert.ok([201, 400, 404, 422].includes(status), `${status}`)
  assert.deepEqual(await findDamage(db), [])
})

test('two owners who delete an event at once delete it once, and whoever writes about it meanwhile is told that it is gone', async t => {
  const server = await startDashboard(t, draft)
  const { member, accountId, eventId, db } = server
  const owner = await member('owner')
  const other = await member('owner', { email: 'other@example.org' })
  const manager = await member('manager')
  const forms = await Promise.all([owner, other].map(each => each.open(pathOf(server))))
  const type = await manager.open(`/manage/e/${eventId}/tickets/new`)
  type.fill({ Name: 'Late', Price: '0', Available: '5' })
  const [one, two, late] = await Promise.all([
    ...forms.map(form => form.fill(NAMED).press('Delete the event')),
    type.press('Add the type'),
  ])
  const statuses = [one?.status, two?.status]
  const deleted = statuses.filter(status => status === 200).length
  assert.ok(deleted > 0 || statuses.every(status => status === 409), statuses.join())
  assert.ok([200, 404].includes(late?.status as number), `${late?.status}`)
  // If the type came first, the owners have seen another event than there is.
  const archived = await manager.post(`/manage/e/${eventId}/archive`, {})
  assert.equal(archived.status, deleted > 0 ? 404 : 200)
  const logged = (await db.read(accountId, tx => accessLog.list(tx, 50))).filter(
    ({ action, details }) => action === 'event.delete' && details.code === undefined,
  )
  assert.equal(logged.length, Math.min(deleted, 1))
  assert.deepEqual(await findDamage(db), [])
})

test('what had looked before the event was deleted does nothing after it: reminders, orders, counts, doors and invitations', async t => {
  const server = await startDeletable(t)
  const { member, accountId, eventId, db, app } = server
  const { door } = await pairDoor(server, accountId, { event_id: eventId })
  assert.equal((await door.copy()).status, 200)
  const [order] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
  const counted = await db.read(accountId, tx => figures.listStates(tx, eventId))
  assert.equal(counted.length, 1)
  const both = { email: 'both@example.org', role: 'door', event_ids: [eventId, server.other.id] } as const
  const { invitation } = await db.write(accountId, tx =>
    links.invite(tx, { ...both, event_ids: [...both.event_ids] }),
  )
  const owner = await member('owner')
  await (await owner.open(pathOf(server))).fill(NAMED).press('Delete the event')
  await db.write(accountId, async tx => {
    assert.equal(await remind(tx, eventId), undefined)
    await orders.expire(tx, order?.id as string)
    await figures.keep(tx, eventId, { state: '', counted: {} as never, countedAt: 1 })
    await assert.rejects(setArchived(tx, eventId, true), { code: 'not_found' })
  })
  assert.equal((await door.copy()).status, 401)
  assert.equal((await door.ask('POST', '/scans', { scans: [], waiting: 0 })).status, 401)
  assert.deepEqual(await db.read(accountId, doors.listAll), [])
  const open = await db.read(accountId, tx => links.listInvitations(tx, server.clock()))
  assert.deepEqual(open.find(({ id }) => id === invitation.id)?.event_ids, [server.other.id])
  for (const loop of ['jobs', 'mail'] as const)
    await (app as never as Record<string, { settled?: () => Promise<void> }>)[loop]?.settled?.()
  assert.deepEqual(await findDamage(db), [])
})

test('the page speaks Spanish', async t => {
  const server = await startDashboard(t, draft)
  const owner = await server.member('owner', { language: 'es' })
  const page = await (await owner.open(`/manage/e/${server.eventId}`)).follow('Borrar el evento…')
  assert.equal(page.heading, '¿Borrar «Spring Meeting»?')
  assert.match(page.text, /2 tipos de entrada/)
  const done = await page.fill({ 'Nombre del evento': 'Spring Meeting' }).press('Borrar el evento')
  assert.deepEqual(done.messages, ['«Spring Meeting» está borrado.'])
})
