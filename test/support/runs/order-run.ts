import type { Database } from '../../src/db/port.ts'
import { openLog } from '../../src/log.ts'
import { amendRegistration } from '../../src/orders/amendment.ts'
import { seenOf } from '../../src/orders/basket.ts'
import { cancelRegistration } from '../../src/orders/cancellation.ts'
import * as erasing from '../../src/orders/erasing.ts'
import { orderExpiry } from '../../src/orders/expiry.ts'
import { offersWith } from '../../src/orders/offers.ts'
import { type NewOrder, place as placeOrder } from '../../src/orders/place.ts'
import * as orders from '../../src/orders/rules.ts'
import { take } from '../../src/orders/taking.ts'
import * as registrationTypes from '../../src/registration-types/rules.ts'
import { offerBy } from '../../src/registration-types/rules.ts'
import type { Clock } from '../../src/time.ts'
import * as waitlist from '../../src/waitlist/rules.ts'

/** What is done with orders, each of it once. */
export async function takeOrders(
  db: Database,
  clock: Clock,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  await db.write(accountId, tx =>
    tx.run("UPDATE events SET status = 'published', ends_at = $1 WHERE id = $2", [clock() + 1e9, eventId]),
  )
  const buyer = { name: 'Lin', email: 'lin@example.org' }
  const order = (formId: string): NewOrder => ({
    ...{
      formId,
      buyer,
      language: 'en',
      answers: {},
      seen: seenOf({ total: 0, event: { currency: 'EUR', terms: null } }),
    },
    lines: [{ typeId, tickets: [{ name: 'Bob', email: 'bob@example.org' }] }],
  })
  const place = (formId: string) =>
    db.write(accountId, tx => placeOrder(tx, accountId, eventId, order(formId)))
  await place('free')
  const setApproval = (wanted: 0 | 1) =>
    db.write(accountId, tx =>
      tx.run('UPDATE events SET requires_approval = $1 WHERE id = $2', [wanted, eventId]),
    )
  await setApproval(1)
  const waiting = [await place('one'), await place('two'), await place('three')]
  await setApproval(0)
  const [approved, declined, undecided] = waiting.map(({ id }) => id) as [string, string, string]
  await db.write(accountId, async tx => {
    await orders.approve(tx, accountId, approved)
    await orders.fail(tx, accountId, declined, 'declined')
    await orders.renewLinks(tx, accountId, approved)
    await tx.run('UPDATE orders SET expires_at = $1 WHERE id = $2', [clock(), undecided])
  })
  const expiry = orderExpiry({ db, clock, log: openLog('silent', { write: () => undefined }) })
  await expiry.look()
  await offerPlaces(db, { accountId, eventId, typeId })
  await db.read(async tx => {
    await orders.findAccount(tx, approved)
    await orders.findTicket(tx, approved)
    for (const eventIds of [null, [eventId]]) await orders.countToApprove(tx, accountId, eventIds, 10)
    await orders.readVersions(tx, accountId, [approved])
    await orders.findByForm(tx, accountId, eventId, 'one')
    const after = { created_at: clock(), id: '' }
    for (const page of [{ limit: 1 }, { limit: 1, after }]) {
      await orders.list(tx, accountId, { event_id: eventId }, page)
      await orders.list(tx, accountId, { event_id: eventId, status: 'pending' }, page)
    }
  })
  await db.write(accountId, async tx => {
    const [line] = (await orders.getDetails(tx, accountId, approved)).registrations
    const buyer = { name: 'Lin Y.', email: 'lin@example.org' }
    await amendRegistration(tx, accountId, line?.id as string, { buyer })
    await erasing.eraseAbandoned(tx, accountId, clock() + 1e9, 1)
    await erasing.erase(tx, accountId, 'lin@example.org')
  })
}

/** Offers places to three who wait: one takes them, one waits for approval, and of one they are cancelled. */
async function offerPlaces(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  offerBy(offersWith(async () => false))
  const [taken, waiting, cancelled] = await db.write(accountId, async tx => {
    await tx.run("UPDATE events SET waitlist_mode = 'offer' WHERE id = $1", [eventId])
    for (const name of ['one', 'two', 'three']) {
      const email = `${name}@offered.example.org`
      await waitlist.join(tx, accountId, eventId, { typeId, name, email, quantity: 1, language: 'en' })
    }
    await registrationTypes.update(tx, accountId, eventId, typeId, { capacity: 1_000 })
    const found = await orders.list(tx, accountId, { event_id: eventId, status: 'pending' }, { limit: 50 })
    const offered = found.filter(order => order.waits_for === 'answer').map(({ id }) => id)
    return offered as [string, string, string]
  })
  const setApproval = 'UPDATE events SET requires_approval = $1, terms = NULL WHERE id = $2'
  await db.write(accountId, async tx => {
    const seen = seenOf({ total: 0, event: { currency: 'EUR', terms: null } })
    await tx.run(setApproval, [0, eventId])
    await take(tx, accountId, taken, { lines: [], answers: {}, seen })
    await tx.run(setApproval, [1, eventId])
    await take(tx, accountId, waiting, { lines: [], answers: {}, seen })
    await tx.run(setApproval, [0, eventId])
    const [line] = (await orders.getDetails(tx, accountId, cancelled)).registrations
    await cancelRegistration(tx, accountId, line?.id as string)
    await erasing.erase(tx, accountId, 'two@offered.example.org')
    await tx.run("UPDATE events SET waitlist_mode = 'notify' WHERE id = $1", [eventId])
  })
}
