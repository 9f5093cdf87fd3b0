import type { ReadTx, WriteTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import * as jobs from '../jobs/rules.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { TypeDetails } from '../registration-types/schemas.ts'
import * as checkout from '../registrations/checkout.ts'
import { HOUR } from '../time.ts'
import * as waitlist from '../waitlist/rules.ts'
import { priceWith } from './basket.ts'
import { newReference } from './reference.ts'
import { presentOrder } from './schemas.ts'
import * as store from './store.ts'
import { tellOffered } from './telling.ts'

/** As the access log names an actor: nobody is asked whether they may. */
const BY_ITSELF = 'server'

/** Whether so much can be paid for an event now, in minor units: payments are above orders, and are asked by this. */
export type CanPay = (tx: WriteTx, accountId: string, event: EventDetails, amount: number) => Promise<boolean>

type Rooms = ReadonlyMap<string, readonly waitlist.Room[]>

/** Holds places for those on a waitlist: each gets an order that waits for their answer. */
export function offersWith(canPay: CanPay): registrationTypes.Offering {
  return { limit, continueSoon, offer: (...given) => offer(canPay, ...given) }
}

/** Holds places for the many who wait where many were given back at once, some in a write. */
export const offerMore: jobs.JobKind = {
  name: 'waitlist.offer',
  async run(tx, { event_id: eventId, input, done }, { accountId }) {
    const { type_ids: typeIds } = input as { type_ids: string[] }
    const isMore = await registrationTypes.serveMore(tx, accountId, eventId as string, typeIds)
    return { position: null, done: done + 1, finished: !isMore }
  },
}

async function continueSoon(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  typeIds: readonly string[],
): Promise<void> {
  const input = { type_ids: typeIds }
  await jobs.start(tx, accountId, { kind: offerMore.name, eventId, input, total: null, by: BY_ITSELF })
}

/**
 * Nothing of an event that is not on, or is over; else what is on sale.
 *
 * @param now milliseconds of the clock
 */
async function limit(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  rooms: Rooms,
  now: number,
): Promise<Rooms> {
  const event = await events.getDetails(tx, accountId, eventId)
  if (event.status !== 'published' || now >= eventPages.endOf(event)) return new Map()
  const types = await registrationTypes.listDetails(tx, accountId, eventId)
  // Whether there is room the rooms say.
  const isOnSale = (type: TypeDetails) =>
    registrationTypes.saleStateOf({ ...type, available: 1 }, event.status, now) === 'on'
  const onSale = new Set(types.filter(isOnSale).map(({ id }) => id))
  return new Map([...rooms].filter(([id]) => onSale.has(id)))
}

async function offer(
  canPay: CanPay,
  tx: WriteTx,
  accountId: string,
  eventId: string,
  chosen: readonly waitlist.Chosen[],
): Promise<void> {
  const event = await events.getDetails(tx, accountId, eventId)
  const types = await registrationTypes.listDetails(tx, accountId, eventId)
  for (const entry of chosen) {
    const type = types.find(({ id }) => id === entry.typeId) as TypeDetails
    // What cannot be paid cannot be taken from an offer: it is told of.
    if (type.price === 0 || (await canPay(tx, accountId, event, type.price)))
      await hold(tx, accountId, event, type, entry.id)
    else await waitlist.notify(tx, accountId, [entry])
  }
}

/** Makes the order that holds places for an entry, until its time, the sale or the event is over. */
async function hold(
  tx: WriteTx,
  accountId: string,
  event: EventDetails,
  type: TypeDetails,
  entryId: string,
): Promise<void> {
  const id = newUuid()
  const { name, email, quantity, language } = await waitlist.markOffered(tx, accountId, entryId, id)
  const ends = [
    tx.clock() + event.waitlist_hours * HOUR,
    type.sales_end === null ? Number.POSITIVE_INFINITY : Date.parse(type.sales_end),
    eventPages.endOf(event),
  ]
  const row = {
    ...{ id, account_id: accountId, event_id: event.id, reference: newReference() },
    ...({ status: 'pending', waits_for: 'answer', failed_for: null } as const),
    ...{ buyer_name: name, buyer_email: email, buyer_email_key: emailKey(email), language },
    ...{ currency: event.currency, amount_total: type.price * quantity },
    // Accepted by whoever takes it.
    terms: null,
    // Of no form.
    form_id: `offer-${id}`,
    secret_version: 1,
    expires_at: Math.min(...ends),
    ...{ confirmed_at: null, failed_at: null, created_at: await tx.now() },
    ...{ buyer_company: null, buyer_address: null, buyer_vat_id: null },
  }
  await store.insert(tx, row)
  // As it costs now, whatever it costs when it is taken.
  const sold_for = priceWith(type, undefined)
  await checkout.placeLine(tx, accountId, {
    ...{ orderId: id, event, status: 'pending', language },
    type: { ...type, isShared: type.pools.length > 0 },
    buyer: { name, email },
    attendees: Array.from({ length: quantity }, () => ({ name, email: null, sold_for })),
  })
  await tellOffered(tx, accountId, presentOrder({ ...row, standing: 1 }))
}
