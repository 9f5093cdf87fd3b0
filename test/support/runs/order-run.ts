import { openLog } from '#base/log.ts'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as turnStore from '#machinery/mail/pacing-store.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { acceptOffer } from '#product/selling/orders/accept-offer.ts'
import { amendRegistration } from '#product/selling/orders/amendment.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import * as erasing from '#product/selling/orders/erasing.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import { listLatestOf } from '#product/selling/orders/list-store.ts'
import { readMailState } from '#product/selling/orders/mail-state.ts'
import { offeringReleases } from '#product/selling/orders/offers.ts'
import { type NewOrder, place as placeOrder } from '#product/selling/orders/place.ts'
import { queueRequested } from '#product/selling/orders/queue-mails.ts'
import { requestTickets } from '#product/selling/orders/request-tickets.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { countToApprove } from '#product/selling/orders/to-approve.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { asInstance } from '#test/support/as-instance.ts'

/** Does everything with orders, each of it once. */
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
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
    },
    lines: [{ typeId, tickets: [{ name: 'Bob', email: 'bob@example.org' }] }],
  })
  const place = (formId: string) => db.write(accountId, tx => placeOrder(tx, eventId, order(formId)))
  const free = await place('free')
  await db.write(accountId, tx =>
    requestTickets(tx, eventId, { email: buyer.email, language: 'en', networks: [] }),
  )
  const standing = { key: buyer.email, status: 'confirmed', limit: 10 } as const
  await db.read(accountId, tx => listLatestOf(tx, eventId, standing))
  const others = [{ name: 'Bob', email: 'bob@example.org' }]
  const mailed = async (formId: string, email: string) => {
    const from = { placedFrom: ['near', 'wide'], buyer: { name: 'Lin', email } }
    const placed = { ...order(formId), ...from, lines: [{ typeId, tickets: others }] }
    return db.write(accountId, tx => placeOrder(tx, eventId, placed))
  }
  const many: Order[] = []
  for (let n = 0; n < 6; n++) many.push(await mailed(`m${n}`, `m${n}@example.org`))
  await db.read(accountId, tx => readMailState(tx, free, clock()))
  await db.write(accountId, async tx => {
    await verify(tx, many[0]?.id as string, 'buyer')
    await queueRequested(tx, await orders.getDetails(tx, free.id))
    await erasing.hasNetworks(tx, clock() + 1e9)
    await erasing.forgetNetworks(tx, clock() + 1e9, 1)
    await turnStore.hasOlder(tx, clock() + 1e9)
    await turnStore.deleteOlder(tx, clock() - 1e9, { rows: 1 })
  })
  const setApproval = (wanted: 0 | 1) =>
    db.write(accountId, tx =>
      tx.run('UPDATE events SET requires_approval = $1 WHERE id = $2', [wanted, eventId]),
    )
  await setApproval(1)
  const waiting = [await place('one'), await place('two'), await place('three')]
  await setApproval(0)
  const [approved, declined, undecided] = waiting.map(({ id }) => id) as [string, string, string]
  await db.write(accountId, async tx => {
    await orders.approve(tx, approved)
    await orders.fail(tx, declined, 'declined')
    await orders.renewLinks(tx, approved)
    await tx.run('UPDATE orders SET expires_at = $1 WHERE id = $2', [clock(), undecided])
  })
  const expiry = orderExpiry({ db, clock, log: openLog('silent', { write: () => undefined }) })
  await expiry.look()
  await offerPlaces(db, { accountId, eventId, typeId })
  await db.read(accountId, async tx => {
    await orders.findAccount(asInstance(tx), approved)
    await orders.findOrderIdOf(tx, approved)
    await orders.countToPay(tx, eventId, 10)
    for (const eventIds of [null, [eventId]]) await countToApprove(tx, eventIds, 10)
    await orders.readVersions(tx, [approved])
    await orders.findByForm(tx, eventId, 'one')
    const after = { created_at: clock(), id: '' }
    for (const page of [{ limit: 1 }, { limit: 1, after }]) {
      await orders.list(tx, { event_id: eventId }, page)
      await orders.list(tx, { event_id: eventId, status: 'pending' }, page)
    }
  })
  await db.write(accountId, async tx => {
    const [line] = (await orders.getDetails(tx, approved)).registrations
    const buyer = { name: 'Lin Y.', email: 'lin@example.org' }
    await amendRegistration(tx, line?.id as string, { buyer })
    await erasing.eraseAbandoned(tx, clock() + 1e9, 1)
    await erasing.erase(tx, 'lin@example.org')
  })
}

/** Offers places to three who wait: one accepts, one waits for approval, and one has the offer cancelled. */
async function offerPlaces(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const offering = offeringReleases(db, async () => false)
  await offering.write(accountId, async tx => {
    await tx.run("UPDATE events SET waitlist_mode = 'offer' WHERE id = $1", [eventId])
    for (const name of ['one', 'two', 'three']) {
      const email = `${name}@offered.example.org`
      await waitlist.join(tx, eventId, { typeId, name, email, quantity: 1, language: 'en' })
    }
    await registrationTypes.update(tx, eventId, typeId, { capacity: 1_000 })
  })
  const [taken, waiting, cancelled] = await db.write(accountId, async tx => {
    const found = await orders.list(tx, { event_id: eventId, status: 'pending' }, { limit: 50 })
    const offered = found.filter(order => order.waits_for === 'answer').map(({ id }) => id)
    return offered as [string, string, string]
  })
  const setApproval = 'UPDATE events SET requires_approval = $1, terms = NULL WHERE id = $2'
  await offering.write(accountId, async tx => {
    const seen = agreementHash({ total: 0, event: { currency: 'EUR', terms: null } })
    await tx.run(setApproval, [0, eventId])
    await acceptOffer(tx, taken, { lines: [], answers: {}, agreement: seen })
    await tx.run(setApproval, [1, eventId])
    await acceptOffer(tx, waiting, { lines: [], answers: {}, agreement: seen })
    await tx.run(setApproval, [0, eventId])
    const [line] = (await orders.getDetails(tx, cancelled)).registrations
    await cancelRegistration(tx, line?.id as string)
    await erasing.erase(tx, 'two@offered.example.org')
    await tx.run("UPDATE events SET waitlist_mode = 'notify' WHERE id = $1", [eventId])
  })
}
