import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY } from '#base/time.ts'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { forgettingMail } from '#product/data-care/forgetting/mails.ts'
import { forgetting } from '#product/data-care/forgetting/watch.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as refundDecisions from '#product/selling/payments/refund-decisions.ts'
import { collectOrganization } from '#test/support/organization.ts'
import { openShop } from '#test/support/payments.ts'
import { newEvent, newType } from '#test/support/people/organizer.ts'
import { refundsOf } from '#test/support/refunds.ts'

/** Opens a shop whose event is over, with an owner and a manager, and what the server does by itself each night. */
async function open(t: TestContext, event: object = {}) {
  const shop = await openShop(t, { event })
  const { db, clock, accountId } = shop
  const log = openLog('error', { write: line => assert.fail(line) })
  const member = async (role: 'owner' | 'manager', language: 'en' | 'es') => {
    const email = `${role}@example.org`
    const input = { name: role, email, passwordHash: 'none', language }
    const user = await db.write(INSTANCE, tx => users.createUser(tx, input, false))
    await db.write(accountId, tx => users.addMember(tx, user.id, { role, event_ids: null }))
  }
  await member('owner', 'es')
  await member('manager', 'en')
  const people = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ event_id: string; buyer: string; holder: string; email: string | null }>(
        `SELECT r.event_id, r.buyer_email AS buyer, a.name AS holder, a.email FROM registrations r
         JOIN attendees a ON a.registration_id = r.id ORDER BY r.number, a.position`,
      ),
    )
  return {
    ...shop,
    night: () => forgetting({ db, clock, log }).look(),
    set: (days: number | null) => db.write(accountId, tx => accounts.update(tx, { forget_after_days: days })),
    people,
    told: () =>
      db.read(accountId, async tx =>
        (await emails.list(tx, {}, { limit: 100 }))
          .filter(({ kind }) => kind === forgettingMail.name)
          .map(({ recipient, language }) => [recipient, language]),
      ),
    log: () =>
      db.read(INSTANCE, tx =>
        tx.all<{ actor: string; target_id: string; details: string }>(
          "SELECT actor, target_id, details FROM access_log WHERE action = 'guests.forget' ORDER BY created_at, id",
        ),
      ),
  }
}

/** The event ended on 2 February 2027 at 18:00 UTC. */
const ENDED = Date.parse('2027-02-02T18:00:00Z')
const at = (days: number) => new Date(ENDED + days * DAY + 60_000).toISOString()

const NOBODY = { buyer: ERASED_EMAIL, holder: ERASED_NAME, email: null }

test('nobody is forgotten where nothing is set, however long an event is over', async t => {
  const shop = await open(t)
  await shop.buy({ Standard: 1 }, { email: 'grace@example.org' })
  const before = await shop.people()
  shop.clock.set(at(10_000))
  await shop.night()
  assert.deepEqual([await shop.people(), await shop.told(), await shop.log()], [before, [], []])
})

test('owners are told a week before, once, in their language; then names go, and money, counts and receipts stay', async t => {
  const shop = await open(t, {
    waitlist: [
      { reference: 'w', registration_type: 'Standard', name: 'Wes', email: 'wes@example.org', quantity: 1 },
    ],
  })
  const { db, eventId } = shop
  const { id } = await shop.buy({ Standard: 2 }, { email: 'grace@example.org' })
  const [order, ledger, sold] = [await shop.get(id), await shop.ledgerOf(id), await shop.sold()]
  await shop.set(30)
  shop.clock.set(at(20))
  await shop.night()
  assert.deepEqual(await shop.told(), [], 'no guest goes within a week')
  shop.clock.set(at(24))
  await shop.night()
  await shop.night()
  assert.deepEqual(await shop.told(), [['owner@example.org', 'es']])
  shop.clock.set(at(30.5))
  await shop.night()
  assert.equal((await shop.people())[0]?.buyer, 'grace@example.org', 'the week is not over')
  shop.clock.set(at(31.5))
  await shop.night()
  assert.deepEqual(
    await shop.people(),
    [0, 1].map(() => ({ event_id: eventId, ...NOBODY })),
  )
  assert.equal((await shop.told()).length, 1)
  const after = await shop.get(id)
  assert.deepEqual(
    [after.buyer, after.amount_total, after.status],
    [{ name: ERASED_NAME, email: ERASED_EMAIL }, order.amount_total, order.status],
  )
  assert.deepEqual([await shop.ledgerOf(id), await shop.sold()], [ledger, sold])
  const [entry, ...others] = await shop.log()
  assert.deepEqual([entry?.actor, entry?.target_id, others], ['server', eventId, []])
  assert.match(entry?.details ?? '', /"days":30,"registrations":1,/)
  const naming = await db.read(INSTANCE, async tx => {
    const found: string[] = []
    for (const table of [
      'registrations',
      'attendees',
      'orders',
      'emails',
      'webhook_events',
      'waitlist_entries',
      'access_log',
      'registration_words',
    ])
      if (/grace|Holder \d|wes@/i.test(JSON.stringify(await tx.all(`SELECT * FROM ${table}`))))
        found.push(table)
    return found
  })
  assert.deepEqual(naming, [])
  assert.deepEqual(await shop.damage(), [])
  await shop.night()
  assert.equal((await shop.log()).length, 1, 'a night that finds nobody leaves no entry')
})

test('a guest of a past and of a coming event is forgotten in the past one alone, with its mails alone', async t => {
  const shop = await open(t)
  const { db, accountId, eventId, clock } = shop
  await shop.order({ Free: 1 }, { email: 'grace@example.org' })
  const coming = await db.write(accountId, tx =>
    events.create(tx, { ...newEvent(), title: 'Coming', starts_at: Date.parse('2027-06-01T09:00:00Z') }),
  )
  await db.write(accountId, async tx => {
    const { id } = await registrationTypes.create(tx, coming.id, newType('Free'))
    const buyer = { name: 'Grace', email: 'grace@example.org' }
    await registrations.create(tx, { event_id: coming.id, registration_type_id: id, buyer })
  })
  await shop.set(30)
  clock.set(at(25))
  await shop.night()
  const mailsOf = (event: string) =>
    db.read(INSTANCE, tx => tx.all('SELECT id FROM emails WHERE event_id = $1', [event]))
  clock.set(at(33))
  await shop.night()
  const people = await shop.people()
  assert.deepEqual(people, [
    { event_id: eventId, ...NOBODY },
    { event_id: coming.id, buyer: 'grace@example.org', holder: 'Grace', email: 'grace@example.org' },
  ])
  assert.deepEqual(await mailsOf(eventId), [])
  const found = await db.read(accountId, tx => registrations.list(tx, { event_id: coming.id }, { limit: 10 }))
  assert.match(JSON.stringify([...found.rows]), /grace@example\.org/)
  assert.deepEqual(await shop.damage(), [])
})

test('whoever still gets money back is spared, until it is paid back', async t => {
  const shop = await open(t)
  const paid = await shop.buy({ Standard: 1 }, { email: 'grace@example.org' })
  await shop.buy({ Standard: 1 }, { email: 'ada@example.org' })
  const { ask, ticketsOf } = refundsOf(shop)
  await ask({ orderId: paid.id }, { ticketIds: await ticketsOf(paid.id), amount: 5000 })
  const buyers = async () => (await shop.people()).map(({ buyer }) => buyer)
  await shop.set(30)
  shop.clock.set(at(25))
  await shop.night()
  shop.clock.set(at(33))
  await shop.night()
  assert.deepEqual(await buyers(), ['grace@example.org', ERASED_EMAIL])
  assert.match((await shop.log())[0]?.details ?? '', /"spared":1/)
  // A processor that refuses leaves it open all the same, and so does every other night.
  shop.clock.set(at(34))
  await shop.night()
  assert.deepEqual(await buyers(), ['grace@example.org', ERASED_EMAIL])
  assert.equal((await shop.log()).length, 1)
  await shop.reconciler.settle()
  const [refund] = await shop.refundsOf(paid.id)
  assert.equal(refund?.status, 'done')
  shop.clock.set(at(35))
  await shop.night()
  assert.deepEqual(await buyers(), [ERASED_EMAIL, ERASED_EMAIL])
  assert.deepEqual(await shop.damage(), [])
})

test('an order that is not paid yet, and a refund that failed, are open too; one that was dropped is not', async t => {
  const shop = await open(t)
  const { db, accountId } = shop
  await shop.order({ Standard: 1 }, { email: 'owes@example.org' })
  const paid = await shop.buy({ Standard: 1 }, { email: 'grace@example.org' })
  const { ask, ticketsOf } = refundsOf(shop)
  await ask({ orderId: paid.id }, { ticketIds: await ticketsOf(paid.id), amount: 5000 })
  const [refund] = await shop.refundsOf(paid.id)
  await db.write(INSTANCE, tx =>
    tx.run("UPDATE refunds SET status = 'failed', ended_at = created_at, next_look_at = NULL WHERE id = $1", [
      refund?.id as string,
    ]),
  )
  await shop.set(30)
  shop.clock.set(at(25))
  await shop.night()
  shop.clock.set(at(33))
  await shop.night()
  assert.deepEqual(
    (await shop.people()).map(({ buyer }) => buyer),
    ['owes@example.org', 'grace@example.org'],
  )
  assert.deepEqual(await shop.log(), [])
  await db.write(accountId, tx => refundDecisions.drop(tx, refund?.id as string))
  await shop.night()
  assert.deepEqual(
    (await shop.people()).map(({ buyer }) => buyer),
    ['owes@example.org', ERASED_EMAIL],
  )
})

test('holders whom the buyer left behind are forgotten with them, also where the buyer was erased before', async t => {
  const shop = await open(t)
  const { db, accountId } = shop
  const bought = await shop.order({ Free: 1 }, { email: 'grace@example.org' })
  await db.write(INSTANCE, tx => tx.run("UPDATE attendees SET email = 'other@example.org', name = 'Other'"))
  await erasePerson(db, { accountId, who: 'cli', requestId: null, address: null }, 'grace@example.org')
  assert.deepEqual(
    (await shop.people()).map(({ holder }) => holder),
    ['Other'],
  )
  await shop.set(30)
  shop.clock.set(at(25))
  await shop.night()
  shop.clock.set(at(33))
  await shop.night()
  assert.deepEqual(
    (await shop.people()).map(({ holder, email }) => [holder, email]),
    [[ERASED_NAME, null]],
  )
  assert.equal((await shop.get(bought.id)).buyer.email, ERASED_EMAIL)
})

test('owners are told anew if it begins earlier or again, not if it begins later, and a mail about what is off says nothing', async t => {
  const shop = await open(t)
  const { db, accountId } = shop
  await shop.order({ Free: 1 })
  await shop.set(60)
  shop.clock.set(at(55))
  await shop.night()
  assert.equal((await shop.told()).length, 1)
  await shop.set(90)
  await shop.night()
  assert.equal((await shop.told()).length, 1)
  await shop.set(40)
  shop.clock.set(at(56))
  await shop.night()
  assert.equal((await shop.told()).length, 2)
  shop.clock.set(at(62))
  await shop.night()
  assert.doesNotMatch(
    JSON.stringify(await shop.people()),
    /erased/,
    'the week of the second mail is not over',
  )
  const read = () =>
    db.read(accountId, tx =>
      forgettingMail.read(
        tx,
        { account_id: accountId, details: { event: 'Spring' }, language: 'es' } as never,
        { baseUrl: 'https://x.example' } as never,
      ),
    )
  assert.equal((await read())?.values?.days, '40')
  await shop.set(null)
  assert.equal(await read(), undefined)
  shop.clock.set(at(100))
  await shop.night()
  assert.doesNotMatch(JSON.stringify(await shop.people()), /erased/)
})

test('a forgetting that is stopped goes on the next night, and one entry tells of each', async t => {
  const shop = await open(t)
  const { db, accountId, clock, types, eventId } = shop
  for (let guest = 0; guest < 35; guest++)
    await db.write(accountId, tx =>
      registrations.create(tx, {
        event_id: eventId,
        registration_type_id: types.Free as string,
        buyer: { name: `Guest ${guest}`, email: `g${guest}@example.org` },
      }),
    )
  await shop.set(30)
  clock.set(at(25))
  await shop.night()
  clock.set(at(33))
  let writes = 0
  const stopping = forgetting({
    clock,
    log: openLog('silent', { write: () => undefined }),
    db: {
      read: db.read.bind(db),
      write: (async (owner: never, work: never) => {
        if (++writes === 3) throw new Error('The server ends here.')
        return db.write(owner, work)
      }) as never,
    },
  })
  await stopping.look()
  const named = async () => (await shop.people()).filter(({ buyer }) => buyer !== ERASED_EMAIL).length
  assert.equal(await named(), 25)
  await shop.night()
  assert.equal(await named(), 0)
  assert.deepEqual(
    (await shop.log()).map(({ details }) => JSON.parse(details).registrations),
    [35, 25],
  )
  assert.deepEqual(await shop.damage(), [])
})

test('the setting is in the organization file, and a file without it leaves it as it is', async t => {
  const shop = await open(t)
  await shop.set(365)
  const file = await shop.db.read(shop.accountId, collectOrganization)
  assert.equal((file.account as { forget_after_days?: number }).forget_after_days, 365)
  await shop.set(null)
  const without = await shop.db.read(shop.accountId, collectOrganization)
  assert.ok(!('forget_after_days' in (without.account as object)))
})
