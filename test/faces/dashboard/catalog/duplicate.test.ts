import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

test('a copy is a draft with the types, dates moved as far as its start and none of the guests; sent twice it is one', async t => {
  const file = organization({ event: { registrations: [registration('a')] } })
  const { member, eventId, db, accountId } = await startDashboard(t, file)
  await db.write(accountId, async tx => {
    const [type] = await registrationTypes.listDetails(tx, eventId)
    const sales_end = Date.parse('2026-11-20T23:00:00Z')
    await registrationTypes.update(tx, eventId, type?.id as string, { sales_end })
    const pool = { name: 'Hall', capacity: 50, registration_type_ids: [type?.id as string] }
    await registrationTypes.createPool(tx, eventId, pool)
  })
  const page = await (await (await member('manager')).open(`/manage/e/${eventId}`)).follow('Duplicate')
  assert.match(page.text, /2 ticket types, with price, capacity and dates/)
  assert.match(page.text, /1 shared capacity/)
  assert.match(page.text, /without guests, check-ins, waitlist and abstracts/)
  assert.equal(page.field('Name').value, 'Spring Meeting')
  const taken = await page
    .fill({ Name: 'Next year', 'Link name': 'spring-meeting', Starts: '2027-07-03T09:00' })
    .press('Make the copy')
  assert.match(taken.messages.join(), /Link name: Another one has this already/)
  assert.equal(taken.field('Starts').value, '2027-07-03T09:00')
  taken.fill({ 'Link name': '' })
  const [made] = [await taken.press('Make the copy'), await taken.press('Make the copy')]
  assert.match(made.messages.join(), /“Next year” is there as a draft/)
  const all = await db.read(accountId, tx => events.listAll(tx))
  assert.equal(all.length, 2)
  const copy = all.find(({ id }) => id !== eventId)
  assert.deepEqual(
    [copy?.slug, copy?.status, copy?.starts_at, copy?.ends_at],
    ['next-year', 'draft', '2027-07-03T07:00:00.000Z', '2027-07-04T16:00:00.000Z'],
  )
  const types = await db.read(accountId, tx => registrationTypes.listDetails(tx, copy?.id as string))
  assert.deepEqual(
    types.map(({ name, sold, pools, sales_end }) => [name, sold, pools.length, sales_end]),
    [
      ['Standard', 0, 1, '2027-07-02T21:00:00.000Z'],
      ['Free', 0, 0, null],
    ],
  )
  const logged = await db.read(INSTANCE, tx =>
    tx.all<{ target_id: string; details: string }>(
      "SELECT target_id, details FROM access_log WHERE action = 'event.duplicate' ORDER BY created_at, id",
      [],
    ),
  )
  // The rows are the refusal and the copy.
  assert.deepEqual(
    logged.map(({ details }) => JSON.parse(details).code ?? 'made'),
    ['already_taken', 'made'],
  )
  assert.equal(logged[1]?.target_id, copy?.id)
})

test('a member of some events alone makes no event, which would be out of sight: neither a copy nor a new one', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const manager = await member('manager', { eventIds: [eventId] })
  const overview = await manager.open(`/manage/e/${eventId}`)
  assert.ok(!overview.links().includes('Duplicate'))
  assert.ok(!(await manager.open(`/manage/a/${accountId}`)).links().includes('New event'))
  for (const path of [`/manage/e/${eventId}/duplicate`, `/manage/a/${accountId}/new-event`]) {
    assert.equal((await manager.open(path)).status, 403, path)
    const fields = { title: 'X', timezone: 'UTC', currency: 'EUR' }
    assert.equal((await manager.post(path, fields)).status, 403, path)
  }
  assert.equal((await db.read(accountId, tx => events.listAll(tx))).length, 1)
})

test('the copy of an event without a date says that its dates stay open, in Spanish too', async t => {
  const { member, eventId } = await startDashboard(
    t,
    organization({ event: { starts_at: null, ends_at: null } }),
  )
  const page = await (await member('owner')).open(`/manage/e/${eventId}/duplicate`)
  assert.match(page.text, /its other dates stay open in the copy/)
  const spanish = await member('manager', { language: 'es' })
  const form = await spanish.open(`/manage/e/${eventId}/duplicate`)
  assert.equal(form.heading, 'Duplicar el evento')
  assert.match(form.text, /las demás quedan abiertas en la copia/)
  const name = form.document.querySelector<HTMLInputElement>('#title')
  assert.ok(name !== null)
  name.value = 'Otra vez'
  const made = await form.press('Hacer la copia')
  assert.match(made.messages.join(), /«Otra vez» está creado como borrador/)
})

test('a copy has the call for abstracts of its event, with dates moved as far as its start, and nothing that was sent', async t => {
  const { member, eventId, db, accountId, clock } = await startDashboard(t)
  const call = {
    ...calls.defaultsAt(clock(), 'Europe/Madrid'),
    ...{ opens_at: Date.parse('2026-09-01T07:00:00Z'), closes_at: Date.parse('2026-11-10T22:59:00Z') },
    ...{ topics: ['Rooms', 'Doors'], max_words: 250 },
  }
  await db.write(accountId, tx => calls.put(tx, eventId, call))
  await db.write(accountId, tx => calls.put(tx, eventId, { ...call, topics: ['Doors'] }))
  const owner = await member('owner')
  const page = await owner.open(`/manage/e/${eventId}/duplicate`)
  assert.match(page.text, /the call for abstracts, with its dates/)
  await page.fill({ Name: 'Next year', Starts: '2027-07-03T09:00' }).press('Make the copy')
  const copy = (await db.read(accountId, tx => events.listAll(tx))).find(({ id }) => id !== eventId)
  const moved = await db.read(accountId, tx => calls.get(tx, copy?.id as string))
  assert.deepEqual(
    [moved.opens_at, moved.closes_at, moved.max_words, moved.topics.map(({ name }) => name)],
    ['2027-04-13T06:00:00.000Z', '2027-06-22T20:59:00.000Z', 250, ['Doors']],
  )
  const original = await db.read(accountId, tx => calls.get(tx, eventId))
  assert.notEqual(moved.topics[0]?.id, original.topics[0]?.id)
})

test('the call of a copy whose dates stay open keeps its own', async t => {
  const { member, eventId, db, accountId, clock } = await startDashboard(t)
  await db.write(accountId, tx => calls.put(tx, eventId, calls.defaultsAt(clock(), 'Europe/Madrid')))
  const page = await (await member('owner')).open(`/manage/e/${eventId}/duplicate`)
  await page.fill({ Name: 'Some day', Starts: '' }).press('Make the copy')
  const copy = (await db.read(accountId, tx => events.listAll(tx))).find(({ id }) => id !== eventId)
  const [one, other] = await db.read(accountId, async tx => [
    await calls.get(tx, eventId),
    await calls.get(tx, copy?.id as string),
  ])
  assert.deepEqual([other.opens_at, other.closes_at], [one.opens_at, one.closes_at])
})
