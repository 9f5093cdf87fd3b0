import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader } from '#test/support/people/page-reader.ts'
import { newRegistration } from '#test/support/requests.ts'

const sold = {
  payment_ways: 'door',
  registrations: ['a', 'b', 'c'].map(reference => registration(reference)),
}

async function start(t: TestContext, event: object = sold) {
  const server = await startDashboard(t, organization({ event }))
  const { db, accountId, eventId } = server
  const list = () => db.read(accountId, tx => registrationTypes.listDetails(tx, eventId))
  const pools = () => db.read(accountId, tx => registrationTypes.listPools(tx, eventId))
  const log = async () => {
    const query = 'SELECT action, target_id, details FROM access_log ORDER BY created_at, id'
    return (await db.read(INSTANCE, tx => tx.all<{ action: string; details: string }>(query, []))).map(
      ({ action, details }) => `${action} ${details}`,
    )
  }
  const path = `/manage/e/${eventId}/tickets`
  return { ...server, list, pools, log, path, standard: server.types.Standard as string }
}

async function open(reader: PageReader, path: string) {
  const page = await reader.open(path)
  assert.equal(page.status, 200, page.text)
  return page
}

test('types stand in their order with price, sold, capacity and state', async t => {
  const { member, path, db, accountId, eventId, standard, clock } = await start(t)
  const add = (name: string, changes: object) =>
    db.write(accountId, tx =>
      registrationTypes.create(tx, eventId, {
        ...{ name, description: null, price: 1250, capacity: 10, active: true, sales_start: null },
        ...{ sales_end: null, valid_from: null, valid_until: null },
        ...changes,
      }),
    )
  await add('Resting', { active: false })
  await add('Early', { sales_end: clock() })
  await add('Late', { sales_start: clock() + 1 })
  await add('Nothing left', { capacity: 0 })
  await db.write(accountId, tx =>
    registrationTypes.createPool(tx, eventId, {
      name: 'Hall',
      capacity: 3,
      registration_type_ids: [standard],
    }),
  )
  const page = await open(await member('manager'), path)
  const [first = '', ...rest] = page.rows()
  assert.match(first, /^Standard3 of 3 ?Sold outHall €50\.00/)
  assert.match(rest.join('\n'), /Free0 of 100 ?On saleFree/)
  assert.match(rest.join('\n'), /Resting0 of 10 ?Not on sale€12\.50/)
  assert.match(rest.join('\n'), /Early0 of 10 ?Sale has ended/)
  assert.match(rest.join('\n'), /Late0 of 10 ?On sale laterfrom 21 Nov 2026, \d\d:\d\d/)
  assert.match(rest.join('\n'), /Nothing left0 of 0 ?Sold out/)
  assert.match(rest.join('\n'), /HallStandard0 left of 3/)
})

test('a type is added with dates in the time zone of the event, once, and what was wrong is told with all that was typed', async t => {
  const { member, path, client, eventId, list, log } = await start(t)
  const form = await (await open(await member('owner'), path)).follow('New ticket type')
  const typed = {
    Name: 'Workshop <b>',
    Price: 'much',
    Available: '-3',
    'Admits from': '2026-11-21T10:00',
    'Admits until': '2026-11-21T12:30',
  }
  const refused = await form.fill(typed).press('Add the type')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /Price: Enter an amount of EUR/)
  assert.match(refused.messages.join(), /Available: Enter a whole number/)
  for (const [label, value] of Object.entries(typed)) assert.equal(refused.field(label).value, value, label)
  assert.equal((await list()).length, 2)
  const last = refused.fill({ Price: '15,50', Available: '1.200' })
  const [page, again] = [await last.press('Add the type'), await last.press('Add the type')]
  assert.equal(page.heading, 'Tickets')
  assert.match(page.messages.join(), /“Workshop <b>” is added/)
  assert.equal(again.heading, 'Tickets')
  const types = await list()
  assert.equal(types.length, 3, 'sent twice, it is one')
  const { name, price, capacity, valid_from, valid_until, active } = types[2] as (typeof types)[0]
  assert.deepEqual(
    { name, price, capacity, valid_from, valid_until, active },
    {
      ...{ name: 'Workshop <b>', price: 1550, capacity: 1200, active: true },
      ...{ valid_from: '2026-11-21T09:00:00.000Z', valid_until: '2026-11-21T11:30:00.000Z' },
    },
  )
  assert.equal((await client.get(`/events/${eventId}/registration-types`)).body.data.length, 3)
  assert.equal((await log()).filter(line => line.startsWith('registration_type.create')).length, 1)
})

test('a capacity below what is sold, a name that is taken and an end before its start are told beside their fields, and change nothing', async t => {
  const { member, path, standard, list } = await start(t)
  const before = await list()
  const form = () => open(reader, `${path}/${standard}`)
  const reader = await member('manager')
  const cases: [Record<string, string>, string, RegExp][] = [
    [{ Available: '2' }, 'Available', /3 are sold already/],
    [{ Name: 'Free' }, 'Name', /Another one has this already/],
    [{ From: '2026-11-20T10:00', Until: '2026-11-19T10:00' }, 'Until', /before its beginning/],
    [{ 'Admits from': '2026-11-21T10:00', 'Admits until': '2026-11-21T09:00' }, 'Admits until', /before its/],
  ]
  for (const [typed, label, message] of cases) {
    const page = await (await form()).fill(typed).press('Save')
    assert.ok(page.status >= 400 && page.status < 500, label)
    const field = page.field(label)
    assert.equal(field.getAttribute('aria-invalid'), 'true', label)
    const [error = ''] = (field.getAttribute('aria-describedby') ?? '').split(' ').slice(-1)
    assert.match(page.document.getElementById(error)?.textContent ?? '', message)
    for (const [name, value] of Object.entries(typed)) assert.equal(page.field(name).value, value)
  }
  assert.deepEqual(await list(), before)
})

test('two people who edit a type at once keep what each has changed, and the second sees what both have', async t => {
  const { member, path, standard, list, log, client, eventId, types } = await start(t)
  const [ada, bob] = [await member('owner'), await member('manager')]
  const [one, other] = [await open(ada, `${path}/${standard}`), await open(bob, `${path}/${standard}`)]
  await one.fill({ Name: 'Regular', Price: '60' }).press('Save')
  // A sale in between is nobody's edit.
  assert.equal((await client.post('/registrations', newRegistration({ eventId, types }))).status, 201)
  const conflict = await other.fill({ Price: '70', Available: '150', 'On sale': false }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “60\.00”/)
  assert.equal((await list())[0]?.capacity, 100)
  await conflict.press('Save')
  const [type] = await list()
  assert.deepEqual(
    [type?.name, type?.price, type?.capacity, type?.active, type?.sold],
    ['Regular', 7000, 150, false, 4],
  )
  assert.match(
    (await log()).join('\n'),
    /registration_type\.update \{"changed":\["price","capacity","active"\]\}/,
  )
  const asItIs = await (await open(bob, `${path}/${standard}`)).press('Save')
  assert.match(asItIs.messages.join(), /saved/)
  assert.equal((await log()).filter(line => line.startsWith('registration_type.update')).length, 2)
})

test('a type moves up and down by buttons; the first cannot go up, nor the last down', async t => {
  const { member, path, list } = await start(t)
  const page = await open(await member('manager'), path)
  await assert.rejects(page.press('Move Standard up'), /0 buttons/)
  await assert.rejects(page.press('Move Free down'), /0 buttons/)
  const moved = await page.press('Move Free up')
  assert.match(moved.messages.join(), /“Free” is further up now/)
  assert.deepEqual(
    (await list()).map(({ name }) => name),
    ['Free', 'Standard'],
  )
  const back = await moved.press('Move Free down')
  assert.match(back.rows()[0] ?? '', /^Standard/)
})

test('a type that nobody wants is removed after a question; one that has guests, or somebody who waits, is refused with the reason', async t => {
  const waitlist = [{ reference: 'w', registration_type: 'Free', name: 'W', email: 'w@example.org' }]
  const { member, path, standard, types, list, db, accountId, eventId } = await start(t, {
    ...sold,
    waitlist,
  })
  const reader = await member('manager')
  for (const id of [standard, types.Free as string]) {
    const refused = await (await open(reader, `${path}/${id}`)).follow('Remove…')
    assert.match(refused.heading, /cannot be removed/)
    assert.match(refused.text, /People have registered, or wait, for it\. ?Take it off sale instead/)
    assert.equal(refused.document.querySelector('main form'), null)
    const forged = await reader.post(`${path}/${id}/remove`, {
      'form.seen': id === standard ? 'Standard' : 'Free',
    })
    assert.equal(forged.status, 409)
  }
  assert.equal((await list()).length, 2)
  const made = await db.write(accountId, tx =>
    registrationTypes.create(tx, eventId, {
      ...{ name: 'Slip', description: null, price: 0, capacity: 5, active: true, sales_start: null },
      ...{ sales_end: null, valid_from: null, valid_until: null },
    }),
  )
  const asks = await open(reader, `${path}/${made.id}/remove`)
  assert.equal((await list()).length, 3, 'asking removes nothing')
  const done = await asks.press('Remove the type')
  assert.match(done.messages.join(), /“Slip” is removed/)
  assert.equal((await list()).length, 2)
  assert.equal((await reader.open(`${path}/${made.id}`)).status, 404)
})

test('shared capacity is made of types, edited and removed; what is sold already counts', async t => {
  const { member, path, standard, types, pools, list } = await start(t)
  const reader = await member('manager')
  const form = await (await open(reader, path)).follow('New shared capacity')
  const typed = { Name: 'Hall', 'Places in all': '2', Standard: true }
  const refused = await form.fill(typed).press('Add it')
  assert.match(refused.messages.join(), /Places in all: 3 are sold already/)
  assert.equal(refused.field('Standard').checked, true)
  assert.deepEqual(await pools(), [])
  const made = await refused.fill({ 'Places in all': '5' }).press('Add it')
  assert.match(made.text, /Hall ?Standard ?2 left of 5/)
  assert.equal((await list())[0]?.available, 2)

  const edit = await made.follow('Hall')
  await edit.fill({ Standard: false, Free: true, 'Places in all': '7' }).press('Save')
  const [pool] = await pools()
  assert.deepEqual([pool?.capacity, pool?.sold, pool?.registration_type_ids], [7, 0, [types.Free]])

  const asks = await (await (await open(reader, path)).follow('Hall')).follow('Remove…')
  assert.match(asks.text, /then has only its own capacity: Free/)
  // Somebody else adds a type meanwhile: the page that was read said less.
  await (await (await open(reader, path)).follow('Hall')).fill({ Standard: true }).press('Save')
  const again = await asks.press('Remove the shared capacity')
  assert.equal(again.status, 409)
  assert.match(again.text, /Standard(,)? and Free/)
  assert.equal((await pools()).length, 1)
  await again.press('Remove the shared capacity')
  assert.deepEqual(await pools(), [])
  assert.equal((await list()).find(({ id }) => id === standard)?.available, 97)
})

test('who may not edit events gets no page of tickets, and strangers are told that there is none; nothing changes', async t => {
  const { member, path, standard, eventId, apply, db, accountId, list, pools } = await start(t)
  const pool = await db.write(accountId, tx =>
    registrationTypes.createPool(tx, eventId, {
      name: 'Hall',
      capacity: 9,
      registration_type_ids: [],
    }),
  )
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  const own = ['', '/new', '/shared/new']
  const ofThings = [`/${standard}`, `/${standard}/remove`, `/shared/${pool.id}`, `/shared/${pool.id}/remove`]
  const pages = [...own, ...ofThings].map(each => path + each)
  const buttons = [`${path}/${standard}/move`]
  const duplicate = `/manage/e/${eventId}/duplicate`
  const before = [await list(), await pools()]
  const readers: [PageReader, number][] = [
    [await member('finance'), 403],
    [await member('door'), 403],
    [await member('chair'), 403],
    [await member('reviewer'), 403],
    [await member('owner', { email: 'stranger@example.org', accountId: other }), 404],
    [await member('manager', { email: 'elsewhere@example.org', eventIds: [] }), 404],
  ]
  for (const [reader, status] of readers) {
    for (const page of [...pages, duplicate]) assert.equal((await reader.open(page)).status, status, page)
    for (const page of [...pages.slice(1), ...buttons, duplicate]) {
      const fields = { direction: 'down', name: 'X', title: 'X', price: '1', capacity: '1', 'form.seen': '' }
      assert.equal((await reader.post(page, fields)).status, status, page)
    }
  }
  // The type belongs to another event of the account.
  const manager = await member('manager')
  const { id: elsewhere } = await db.write(accountId, tx =>
    duplicateEvent(tx, eventId, { title: 'Else', starts_at: null }),
  )
  for (const each of ofThings) {
    const page = `/manage/e/${elsewhere}/tickets${each}`
    assert.equal((await manager.open(page)).status, 404, page)
    assert.equal((await manager.post(page, { name: 'X', price: '1', capacity: '1' })).status, 404, page)
  }
  assert.deepEqual([await list(), await pools()], before)
})

test('in Spanish the screens of tickets are Spanish', async t => {
  const { member, path, standard } = await start(t)
  const reader = await member('manager', { language: 'es' })
  const page = await open(reader, path)
  assert.equal(page.heading, 'Entradas')
  assert.match(page.rows()[0] ?? '', /^Standard3 de 100 ?A la venta50,00 €/)
  const form = await open(reader, `${path}/${standard}`)
  const wrong = await form.fill({ Desde: '2026-11-20T10:00', Hasta: '2026-11-19T10:00' }).press('Guardar')
  assert.match(wrong.messages.join(), /Hasta: Es antes de su comienzo/)
  const refused = await open(reader, `${path}/${standard}/remove`)
  assert.match(refused.text, /Hay personas inscritas/)
  for (const each of [page, form, wrong, refused, await open(reader, `${path}/shared/new`)]) {
    assert.doesNotMatch(each.text, /\b(the|and|sold|ticket|Name|Save)\b/)
  }
})

test('names of 200 letters, in HTML and from right to left stand as they were typed', async t => {
  const names = ['<script>alert(1)</script>', 'تذكرة الطلاب', 'W'.repeat(200)]
  const registration_types = names.map(name => ({ name, price: 0, capacity: 1 }))
  const { member, path } = await start(t, { registration_types })
  const page = await open(await member('owner'), path)
  assert.deepEqual(
    page.rows().map(row => names.find(name => row.startsWith(name))),
    names,
  )
  assert.equal(page.document.querySelectorAll('main script').length, 0)
  for (const cell of page.document.querySelectorAll('tbody th')) assert.ok(cell.querySelector('bdi'))
})
