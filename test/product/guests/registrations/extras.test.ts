import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import { listContacts } from '#product/guests/registrations/contacts.ts'
import { type GuestFilters, listAndCount, readGuests } from '#product/guests/registrations/guests.ts'
import { listMailable } from '#product/guests/registrations/mailable.ts'
import { listAudience } from '#product/mailing/announcements/audience.ts'
import { listRecipients } from '#product/mailing/notices/recipients.ts'
import type { Notice } from '#product/mailing/notices/schemas.ts'
import { figures } from '#product/reporting/figures/rules.ts'
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

test('an extra has no mail of its own', async t => {
  const { db, accountId, both } = await start(t)
  const ids = both.registrations.map(({ id }) => id)
  const mailable = await db.read(accountId, tx => listMailable(tx, ids))
  assert.deepEqual(
    mailable.map(({ refusal }) => refusal),
    [undefined, 'extra', 'extra'],
  )
})
