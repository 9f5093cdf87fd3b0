import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runHere } from '#product/administration/jobs/run-here.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import { listContacts } from '#product/guests/registrations/contacts.ts'
import { forecastMany } from '#product/guests/registrations/forecast.ts'
import { type GuestFilters, listAndCount, readGuests } from '#product/guests/registrations/guests.ts'
import { listMailable } from '#product/guests/registrations/mailable.ts'
import { listAudience } from '#product/mailing/announcements/audience.ts'
import { listRecipients } from '#product/mailing/notices/recipients.ts'
import type { Notice } from '#product/mailing/notices/schemas.ts'
import { figures } from '#product/reporting/figures/rules.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { openShop } from '#test/support/payments.ts'

async function start(t: TestContext) {
  const shop = await openShop(t, {
    event: {
      registration_types: [
        { name: 'Standard', price: 1000, capacity: 10 },
        { name: 'Dinner', kind: 'extra', price: 3000, capacity: 10 },
      ],
    },
  })
  const both = await shop.buy({ Standard: 1, Dinner: 2 }, { email: 'both@example.org' })
  const left = await shop.buy({ Standard: 1, Dinner: 1 }, { email: 'left@example.org' })
  await shop.buy({ Standard: 2 }, { email: 'plain@example.org' })
  return { ...shop, both, left, dinner: shop.types.Dinner as string }
}

test('lists of guests, and the counts in their tabs, are of tickets; those of an extra are there where it is chosen', async t => {
  const { db, accountId, eventId, dinner } = await start(t)
  const list = async (of: Partial<GuestFilters>) => {
    const { rows, counts } = await listAndCount(db, accountId, { event_id: eventId, ...of }, { limit: 10 })
    return [rows.map(({ resource }) => resource.registration_type_name), counts.all.count]
  }
  const walked = async (of: Partial<GuestFilters>) => {
    const names = []
    for await (const some of readGuests(db, accountId, { event_id: eventId, ...of }))
      names.push(...some.map(each => each.registration_type_name))
    return names
  }
  const without_types = [dinner]
  const three = ['Standard', 'Standard', 'Standard']
  assert.deepEqual(await list({ without_types }), [three, 3])
  assert.deepEqual(await list({ without_types, status: 'confirmed' }), [three, 3])
  assert.deepEqual(await list({ without_types, text: 'both@example.org' }), [['Standard'], 1])
  assert.deepEqual(await walked({ without_types }), three)
  assert.deepEqual(await walked({ without_types, text: 'left@example.org' }), ['Standard'])
  assert.deepEqual(await list({ registration_type_id: dinner }), [['Dinner', 'Dinner'], 2])
})

test('sums of places, printed lists and sales count tickets apart from extras, and amounts together', async t => {
  const { db, accountId, eventId, dinner } = await start(t)
  const places = await db.read(accountId, tx => registrationTypes.sumPlaces(tx))
  assert.deepEqual(places.get(eventId), { sold: 4, capacity: 10 })
  const printed = async (typeId?: string) => {
    let count = 0
    for await (const some of listByName(db, accountId, eventId, undefined, { typeId })) count += some.length
    return count
  }
  assert.deepEqual([await printed(), await printed(dinner)], [4, 3])
  const { counted } = await figures(db, accountId, eventId)
  const [day] = counted?.sales ?? []
  assert.deepEqual([day?.registrations, day?.tickets, day?.amounts.EUR], [3, 4, 4 * 1000 + 3 * 3000])
  assert.equal(counted?.registrations.confirmed, 3)
})

test('who has nothing but an extra left gets no reminder and no announcement to all, but hears of another date', async t => {
  const { db, accountId, eventId, left, dinner } = await start(t)
  await db.write(accountId, tx =>
    tx.run('UPDATE registrations SET amount_total = 0, amount_subtotal = 0 WHERE id = $1', [
      left.registrations[0]?.id as string,
    ]),
  )
  await db.write(accountId, tx => cancelRegistration(tx, left.registrations[0]?.id as string))
  const page = { limit: 50 }
  const emailsOf = (some: { recipients: { email: string }[] }[]) =>
    [...new Set(some.flatMap(({ recipients }) => recipients.map(({ email }) => email)))].sort()
  const audience = (types: string[]) =>
    db.read(accountId, tx => listAudience(tx, eventId, { group: 'confirmed', types }, page))
  const notice = (kind: Notice['kind']) =>
    db.read(accountId, tx =>
      listRecipients(tx, eventId, { kind, until: Number.MAX_SAFE_INTEGER, isForAll: true }, page),
    )
  const [both, kept, plain] = ['both@example.org', 'left@example.org', 'plain@example.org']
  assert.deepEqual(emailsOf(await audience([])), [both, plain])
  assert.deepEqual(emailsOf(await audience([dinner])), [both, kept])
  assert.deepEqual(emailsOf(await notice('reminder')), [both, plain])
  assert.deepEqual(emailsOf(await notice('event_changed')), [both, kept, plain])
  const contacts = await db.read(accountId, tx => listContacts(tx, eventId, page))
  assert.equal(contacts.filter(({ isExtra }) => isExtra).length, 2)
})

test('who cancels all tickets of an order cancels its extras too; with a ticket left they stay, and so does what was paid', async t => {
  const shop = await openShop(t, {
    event: {
      registration_types: [
        { name: 'Standard', price: 0, capacity: 10 },
        { name: 'Press', price: 0, capacity: 10 },
        { name: 'Badge', kind: 'extra', price: 0, capacity: 10 },
        { name: 'Dinner', kind: 'extra', price: 3000, capacity: 10 },
      ],
    },
  })
  const { db, accountId, eventId, types } = shop
  const gone = await shop.get((await shop.order({ Standard: 1, Badge: 2 })).id)
  await shop.order({ Standard: 1, Press: 1, Badge: 1 })
  const paid = await shop.buy({ Standard: 1, Dinner: 1 }, { email: 'paid@example.org' })
  const without_types = [types.Badge as string, types.Dinner as string]
  const all = { event_id: eventId, without_types, registration_type_id: types.Standard as string }
  const found = await forecastMany(db, accountId, all)
  assert.deepEqual([found.tickets, found.extras, found.kept.refund_required], [3, 1, 1])
  const badges = gone.registrations.filter(line => line.registration_type_name === 'Badge')
  assert.deepEqual(
    found.ids.filter(id => badges.some(badge => badge.id === id)),
    badges.map(({ id }) => id),
  )
  const { id } = await db.write(accountId, tx =>
    cancellations.start(tx, eventId, { ids: found.ids, notified: 'heard', by: 'cli' }),
  )
  await runHere(db, accountId, id, cancellations.cancelGuests)
  const rows = await db.read(accountId, tx =>
    tx.all<{ order_id: string; name: string; status: string }>(
      `SELECT r.order_id, t.name, r.status FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
       WHERE r.status = 'confirmed' ORDER BY t.name`,
      [],
    ),
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Badge', 'Dinner', 'Press'],
  )
  assert.ok(rows.every(({ order_id }) => order_id !== gone.id))
  // Whoever chooses one extra means that alone.
  const [dinner] = paid.registrations.filter(line => line.registration_type_name === 'Dinner')
  const one = await forecastMany(db, accountId, { event_id: eventId, ids: [dinner?.id as string] })
  assert.deepEqual([one.ids, one.extras, one.kept.refund_required], [[], 0, 1])
  const some = await forecastMany(db, accountId, { event_id: eventId, ids: badges.map(({ id }) => id) })
  assert.deepEqual([some.ids, some.kept.already_cancelled], [[], 1])
})

test('an extra has no mail of its own', async t => {
  const { db, accountId, both } = await start(t)
  const ids = both.registrations.map(({ id }) => id)
  const mailable = await db.read(accountId, tx => listMailable(tx, ids))
  assert.deepEqual(
    mailable.map(({ refusal }) => refusal),
    [undefined, 'extra', 'extra'],
  )
})
