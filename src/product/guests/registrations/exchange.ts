import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emitAll } from '#product/administration/webhooks/outbox.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as checkout from './checkout.ts'
import type { Details } from './details.ts'
import * as store from './exchange-store.ts'
import * as rules from './rules.ts'
import type { Registration } from './schemas.ts'
import { endVoid } from './voiding.ts'

/** Describes a ticket of an order that another one takes the place of. */
export interface Exchange {
  /** The registration of the ticket, as it was read in this transaction. It is confirmed, and a line of an order. */
  registration: Details
  ticketId: string
  /** What the new ticket is of. It may be the type of the former one. */
  type: TypeDetails
  holder: { name: string | null; email: string | null }
  /** Whether the new ticket is for the same person, whose answers it keeps. */
  isSamePerson: boolean
  /** The minor units that go back for the former registration in all, now and before. */
  refunded: number
}

/** The registrations of an exchange, as they are after it. */
export interface Exchanged {
  former: Registration
  made: Registration
}

/**
 * Voids a ticket, and places a registration of one ticket in the same order that takes its place. It costs nothing. The former
 * place is given back before the new one is taken, so that a ticket of a full type can be given on, and of a full pool exchanged
 * within it. Only what is free after both serves the waitlist.
 *
 * @throws Problem ticket_voided; sold_out
 */
export async function exchange(tx: WriteTx, of: Exchange): Promise<Exchanged> {
  const { registration, ticketId, type, refunded } = of
  const typeId = registration.registration_type_id as string
  await codes.releaseAll(tx, [registration.id], id => id === ticketId)
  await attendees.voidSome(tx, registration.id, [ticketId])
  const former = await endVoid(tx, withVoided(registration, ticketId), refunded)
  const places = await registrationTypes.release(tx, typeId, 1)
  const made = await rules.place(tx, { ...placementOf(of, former), source: 'checkout' })
  if (places !== undefined && type.id !== typeId) await registrationTypes.serveReleased(tx, [places])
  if (former.status !== 'confirmed') await emitAll(tx, 'registration.cancelled', [former])
  await checkout.announce(tx, [made])
  return { former, made }
}

/** Returns the registration of a ticket as the API shows it, with the ticket void. */
function withVoided(
  { id, object, event_id, status, registration_type_id, registration_type_name, ...more }: Details,
  ticketId: string,
): Registration {
  const { buyer, quantity, amount_subtotal, amount_total, currency, answers, source } = more
  const { created_at, confirmed_at, cancelled_at } = more
  return {
    ...{ id, object, event_id, status, registration_type_id, registration_type_name, buyer, quantity },
    ...{ amount_subtotal, amount_total, currency, answers, source, created_at, confirmed_at, cancelled_at },
    attendees: more.attendees.map(ticket => (ticket.id === ticketId ? { ...ticket, voided: true } : ticket)),
  }
}

function placementOf({ registration, ticketId, type, holder, isSamePerson }: Exchange, former: Registration) {
  const ticket = registration.attendees.find(({ id }) => id === ticketId)
  const isSameType = type.id === registration.registration_type_id
  // The worth is kept, as of an import, and all of it is taken off.
  const sold_for = {
    price: type.price,
    discount: type.price,
    tax: 0,
    tax_basis_points: type.tax_basis_points,
  }
  return {
    event: { id: registration.event_id, currency: registration.currency },
    type: { ...type, isShared: type.pools.length > 0 },
    ...({ status: 'confirmed', quantity: 1, amount_subtotal: type.price, amount_total: 0 } as const),
    buyer: registration.buyer,
    // The answers of an order stand in one of its lines, which has to be one that counts.
    answers: former.status === 'confirmed' ? {} : registration.answers,
    language: registration.language,
    attendees: [
      {
        ...holder,
        seat: isSameType ? (ticket?.seat ?? null) : null,
        answers: isSamePerson ? (ticket?.answers ?? {}) : {},
        sold_for,
      },
    ],
    order_id: registration.order_id as string,
    exchanged_for: ticketId,
  }
}

/** What exchanges have made of a registration. */
export interface Exchanges {
  /** The registration of the ticket whose place it took. It is undefined if it took none. */
  former: string | undefined
  /** The registrations that took the places of its tickets, by ticket. */
  by: ReadonlyMap<string, string>
}

/** Reads what exchanges have made of a registration. One that was not ordered has none. */
export async function readExchanges(
  tx: ReadTx,
  { id, order_id, attendees: tickets }: Pick<Details, 'id' | 'order_id' | 'attendees'>,
): Promise<Exchanges> {
  if (order_id === null) return { former: undefined, by: new Map() }
  const voided = tickets.filter(ticket => ticket.voided).map(ticket => ticket.id)
  const by = new Map((await store.listExchanged(tx, voided)).map(row => [row.id, row.by_id]))
  return { former: (await store.findFormer(tx, id))?.id, by }
}

/** Tells whether another ticket took the place of this one. */
export async function wasExchanged(tx: ReadTx, ticketId: string): Promise<boolean> {
  return (await store.listExchanged(tx, [ticketId])).length > 0
}
