import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import { priceWith } from './basket.ts'
import { queueOffered } from './queue-mails.ts'
import { newReference } from './reference.ts'
import { reservedForAnswer } from './reservation-time.ts'
import { offerForm, presentOrder } from './schemas.ts'
import * as store from './store.ts'

/** The actor that the access log names. The server acts by itself here, and nothing checks its permission. */
const BY_ITSELF = 'server'

/**
 * Tells whether the event can take a payment of this amount now, in minor units. Payments depend on orders, so they pass this
 * function in.
 */
export type CanPay = (tx: WriteTx, event: EventDetails, amount: number) => Promise<boolean>

/**
 * How many waiting people one write holds places for. Each takes about half a millisecond, and all other writes wait meanwhile.
 */
const MOST_OFFERED = 20

/**
 * Returns a database whose writes of an account each end by offering the places that they gave back to those who wait. Each of
 * them gets an order that holds places until they answer. The code that gives places back only notes it.
 */
export function offeringReleases(db: Database, canPay: CanPay): Database {
  return wrapDatabase(db, {
    write: (owner, work, options) =>
      db.write(
        owner,
        async tx => {
          if (!('accountId' in tx)) return work(tx)
          const releases = registrationTypes.collectReleases(tx)
          const result = await work(tx)
          await offerReleased(tx, releases, canPay)
          return result
        },
        options,
      ),
  })
}

async function offerReleased(
  tx: WriteTx,
  releases: registrationTypes.Releases,
  canPay: CanPay,
): Promise<void> {
  for (const [eventId, types] of releases.types) {
    await tx.alone()
    const input = { type_ids: [...types] }
    const isMore = await offer(tx, eventId, input.type_ids, canPay)
    if (isMore) await jobs.start(tx, { kind: OFFER_MORE, eventId, input, total: null, by: BY_ITSELF })
  }
}

export const OFFER_MORE = 'waitlist.offer'

/** Returns the job that offers places when many were given back at once and many wait. Each of its writes serves some of them. */
export function offerMore(canPay: CanPay): jobs.JobKind {
  return {
    name: OFFER_MORE,
    async run(tx, { event_id: eventId, input, done }) {
      const { type_ids: typeIds } = input as { type_ids: string[] }
      const isMore = await offer(tx, eventId as string, typeIds, canPay)
      return { position: null, done: done + 1, finished: !isMore }
    },
  }
}

/**
 * Offers the free places of these types to some of those who wait, the longest waiting first.
 *
 * @returns whether others may still wait
 */
async function offer(
  tx: WriteTx,
  eventId: string,
  typeIds: readonly string[],
  canPay: CanPay,
): Promise<boolean> {
  const event = await events.getDetails(tx, eventId)
  // The mode may have changed since a job was started.
  if (event.waitlist_mode !== 'offer') {
    await registrationTypes.serveWaitlist(tx, eventId, typeIds)
    return false
  }
  const now = tx.clock()
  const chosen = await registrationTypes.chooseOffered(tx, event, typeIds, now, MOST_OFFERED)
  if (chosen.length === 0) return false
  const types = await registrationTypes.listDetailsOf(tx, event)
  for (const entry of chosen) {
    const type = types.find(({ id }) => id === entry.typeId) as TypeDetails
    // Nobody can accept an offer that cannot be paid, so this person is only notified.
    if (type.price === 0 || (await canPay(tx, event, type.price))) await hold(tx, event, type, entry.id)
    else await waitlist.notify(tx, [entry])
  }
  return chosen.length === MOST_OFFERED
}

/** Makes the order that holds places for an entry, until the time to answer, the sale or the event ends. */
async function hold(tx: WriteTx, event: EventDetails, type: TypeDetails, entryId: string): Promise<void> {
  const id = newUuid()
  const { name, email, quantity, language } = await waitlist.markOffered(tx, entryId, id)
  const row = {
    ...{ id, account_id: tx.accountId, event_id: event.id, reference: newReference() },
    ...({ status: 'pending', waits_for: 'answer', failed_for: null } as const),
    ...{ buyer_name: name, buyer_email: email, buyer_email_key: emailKey(email), language },
    ...{ currency: event.currency, amount_total: type.price * quantity },
    // The buyer accepts the terms only with the offer.
    terms: null,
    // No form has made this order, so its id stands in.
    form_id: offerForm(id),
    secret_version: 1,
    expires_at: reservedForAnswer(event, type, tx.clock()),
    ...{ confirmed_at: null, failed_at: null, created_at: await tx.now() },
    ...{ buyer_company: null, buyer_address: null, buyer_vat_id: null },
    ...{ verified_at: null, placed_from: null },
  }
  await store.insert(tx, row)
  // The price is the one of now, even if the type costs something else when the buyer accepts.
  const sold_for = priceWith(type, undefined)
  await checkout.placeLine(tx, {
    ...{ orderId: id, event, status: 'pending', language },
    type: { ...type, isShared: type.pools.length > 0 },
    buyer: { name, email },
    attendees: Array.from({ length: quantity }, () => ({ name, email: null, sold_for })),
  })
  await queueOffered(tx, presentOrder({ ...row, standing: 1 }))
}
