import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Person } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { noteNewAtDoors, noteRegistrationAtDoors, noteTicketAtDoors } from './door-changes.ts'
import * as keys from './key-store.ts'
import { type Attendee, NO_ANSWERS, presentAttendee } from './schemas.ts'
import type { SignedAhead } from './signed-ahead.ts'
import type { SignedCode } from './signing-thread.ts'
import * as store from './store.ts'
import { encodeTicket, newTicketKey, type TicketKey } from './ticket-code.ts'

export { noteEventAtDoors, noteRegistrationAtDoors, noteTicketAtDoors } from './door-changes.ts'
export { type SignedAhead, signAhead } from './signed-ahead.ts'
export { newTicketKey, type TicketKey } from './ticket-code.ts'
export { type VerifiedCode, verifyCode, verifyCodes } from './verification.ts'
export { type VerifiedAhead, verifyAhead } from './verified-ahead.ts'

export interface NewTicket {
  name: string | null
  email: string | null
  seat: string | null
  voided: boolean
  /** These answer the questions that are asked of each ticket. */
  answers?: Readonly<Record<string, string>> | null | undefined
  /** The id of the code that the ticket is ordered with. */
  code_id?: string | null | undefined
  /** The price that an ordered ticket is sold for. */
  sold_for?: TicketPrice | undefined
}

/** Holds a ticket with its code. The code names the key that signed it. */
export type SignedTicket = NewTicket & SignedCode

/**
 * Issues the tickets of one registration of the event, in their order, each with its signed code.
 *
 * @param ahead codes of this event that were signed before the write; without them, this signs the codes itself
 */
export async function issue(
  tx: WriteTx,
  eventId: string,
  registrationId: string,
  tickets: readonly NewTicket[],
  ahead?: SignedAhead,
): Promise<Attendee[]> {
  const signed = joinAhead(tickets, eventId, ahead) ?? sign(await ensureTicketKey(tx, eventId), tickets)
  const now = await tx.now()
  const rows = ticketRows(registrationId, signed)
  for (const [at, row] of rows.entries()) await store.insert(tx, row, now, tickets[at]?.sold_for)
  await noteNewAtDoors(tx, eventId, registrationId)
  return rows.map(row => presentAttendee({ ...row, checked_in_at: null }))
}

/** Signs tickets, at some 20 microseconds each. A caller with many tickets signs them before the write. */
export function sign(key: TicketKey, tickets: readonly NewTicket[]): SignedTicket[] {
  return tickets.map(ticket => {
    const id = newUuid()
    return { ...ticket, id, qr_code: encodeTicket(key, id) }
  })
}

/**
 * Joins the tickets with the codes that were signed ahead.
 *
 * @returns undefined if no codes were signed for these tickets of the event
 */
function joinAhead(
  tickets: readonly NewTicket[],
  eventId: string,
  ahead: SignedAhead | undefined,
): SignedTicket[] | undefined {
  if (ahead?.eventId !== eventId || ahead.codes.length !== tickets.length) return undefined
  return ahead.codes.map((code, at) => ({ ...(tickets[at] as NewTicket), ...code }))
}

/** Returns the rows of the tickets of a registration, in their order. */
export function ticketRows(
  registrationId: string,
  tickets: readonly SignedTicket[],
): Omit<store.AttendeeRow, 'checked_in_at'>[] {
  return tickets.map((ticket, position) => ({
    id: ticket.id,
    registration_id: registrationId,
    position,
    name: ticket.name,
    email: ticket.email,
    seat: ticket.seat,
    qr_code: ticket.qr_code,
    voided: ticket.voided ? 1 : 0,
    answers: JSON.stringify(ticket.answers ?? {}),
    code_id: ticket.code_id ?? null,
  }))
}

/** Returns the tickets of these registrations by registration, each in its order. */
export async function byRegistration(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, Attendee[]>> {
  const rows = await store.listByRegistrations(tx, registrationIds)
  return presentListed(tx, registrationIds, rows)
}

/**
 * Returns the tickets of as many of these registrations, from the first, as fit into one read.
 *
 * @param countFitting returns how many fit, given the bytes that the answers of the tickets of each have
 */
export async function byFittingRegistration(
  tx: ReadTx,
  registrationIds: readonly string[],
  countFitting: (sizes: ReadonlyMap<string, number>) => number,
): Promise<Map<string, Attendee[]>> {
  const rows = await store.listByRegistrations(tx, registrationIds)
  const sizes = new Map<string, number>()
  for (const { registration_id: id, answers_size: size } of rows) sizes.set(id, (sizes.get(id) ?? 0) + size)
  const ids = registrationIds.slice(0, countFitting(sizes))
  const fitting = new Set(ids)
  return presentListed(
    tx,
    ids,
    rows.filter(row => fitting.has(row.registration_id)),
  )
}

async function presentListed(
  tx: ReadTx,
  registrationIds: readonly string[],
  rows: store.ListedRow[],
): Promise<Map<string, Attendee[]>> {
  const isAnyLong = rows.some(({ answers }) => answers === null)
  const long = isAnyLong ? await store.readLongAnswers(tx, registrationIds) : undefined
  return inTheirOrder(rows, row =>
    presentAttendee({ ...row, answers: row.answers ?? long?.get(row.id) ?? NO_ANSWERS }),
  )
}

/** Returns the names and e-mails on the tickets of these registrations by registration, each in its order. */
export async function peopleByRegistration(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, Person[]>> {
  const people = await store.listPeople(tx, registrationIds)
  return inTheirOrder(people, ({ name, email }) => ({ name, email }))
}

/** Returns the names and e-mails on the valid tickets of confirmed registrations of an event, and whether each is checked in. */
export async function holdersOfConfirmed(
  tx: ReadTx,
  eventId: string,
  between: store.Between,
): Promise<Map<string, (Person & { isCheckedIn: boolean })[]>> {
  const holders = await store.listHolders(tx, eventId, between)
  return inTheirOrder(holders, ({ name, email, checked_in }) => ({
    name,
    email,
    isCheckedIn: checked_in === 1,
  }))
}

/** Sorts the rows by position and groups what they are presented as by registration. */
function inTheirOrder<Row extends Pick<store.AttendeeRow, 'registration_id' | 'position'>, Presented>(
  rows: Row[],
  presentRow: (row: Row) => Presented,
): Map<string, Presented[]> {
  rows.sort((one, other) => one.position - other.position)
  const groups = new Map<string, Presented[]>()
  for (const row of rows) {
    const others = groups.get(row.registration_id)
    if (others === undefined) groups.set(row.registration_id, [presentRow(row)])
    else others.push(presentRow(row))
  }
  return groups
}

/** Returns the check-ins of the tickets of a registration, oldest first. */
export async function listCheckIns(
  tx: ReadTx,
  registrationId: string,
): Promise<{ id: string; attendee_id: string; source: 'scanner' | 'api'; checked_in_at: number }[]> {
  const found = await store.listCheckIns(tx, registrationId)
  return found.sort((one, other) => one.checked_in_at - other.checked_in_at)
}

/** Changes the holder, the seat and the answers of a ticket. Its code stays valid. */
export async function amend(
  tx: WriteTx,
  ticket: Pick<Attendee, 'id' | 'name' | 'email' | 'seat' | 'answers'>,
): Promise<void> {
  await store.amend(tx, { ...ticket, answers: JSON.stringify(ticket.answers) }, await tx.now())
  await noteTicketAtDoors(tx, ticket.id)
}

/** Notes that a mail with each of these tickets was written to whom it is for, in the transaction that writes the mail. */
export async function noteMailed(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const now = await tx.now()
  for (const id of ids) await store.setMailed(tx, id, now, now)
}

/** Notes that nobody has a mail with these tickets, because they are for other addresses now. */
export async function forgetMailed(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const now = await tx.now()
  for (const id of ids) await store.setMailed(tx, id, null, now)
}

/** Returns the ids of those tickets of these registrations whose people were made anonymous. */
export async function listErased(tx: ReadTx, registrationIds: readonly string[]): Promise<string[]> {
  return (await store.listErased(tx, registrationIds)).map(({ id }) => id)
}

/**
 * Voids every ticket of a registration. A check-in that was made stays recorded.
 *
 * @returns how many tickets this call voids. That many places are free again. Those of tickets that were void already were given
 *   back before.
 */
export async function voidAll(tx: WriteTx, registrationId: string): Promise<number> {
  const count = await store.voidTickets(tx, registrationId, await tx.now())
  await noteRegistrationAtDoors(tx, registrationId)
  return count
}

/**
 * Voids some tickets of a registration.
 *
 * @throws Problem ticket_voided if one is void already, so that no place is given back twice
 */
export async function voidSome(tx: WriteTx, registrationId: string, ids: readonly string[]): Promise<void> {
  const now = await tx.now()
  for (const id of ids) {
    const count = await store.voidTickets(tx, registrationId, now, id)
    if (count === 0) throw new Problem('ticket_voided')
  }
  await noteRegistrationAtDoors(tx, registrationId)
}

/** Returns how many tickets of these registrations are not void. */
export async function countValid(tx: ReadTx, registrationIds: readonly string[]): Promise<number> {
  const counts = await store.countValid(tx, registrationIds)
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Makes every ticket of a registration admit its holder again. */
export async function admitAll(tx: WriteTx, registrationId: string): Promise<void> {
  await store.admitAll(tx, registrationId, await tx.now())
  await noteRegistrationAtDoors(tx, registrationId)
}

/** Returns the key of an event if it has one yet. */
export function findTicketKey(tx: ReadTx, eventId: string): Promise<TicketKey | undefined> {
  return keys.findKeyOfEvent(tx, eventId)
}

/** Lists by what the tickets of the account's other published events are told, unless those were over at an instant. */
export function listTicketKeysOfOthers(tx: ReadTx, eventId: string, which: { from: number; most: number }) {
  return keys.listKeysOfOthers(tx, eventId, which)
}

/**
 * Returns the key of an event. It is made when the first ticket is issued, and `offered` becomes the key then, if it is given.
 */
export async function ensureTicketKey(tx: WriteTx, eventId: string, offered?: TicketKey): Promise<TicketKey> {
  const found = await keys.findKeyOfEvent(tx, eventId)
  if (found !== undefined) return found
  await tx.alone()
  for (let key = offered ?? newTicketKey(); ; key = newTicketKey()) {
    // A collision is rare but possible, as key ids have 4 bytes.
    if ((await keys.insertKey(tx, eventId, key, await tx.now())) === 1) return key
  }
}

/** Says what a ticket costs, in minor units. It is frozen when the ticket is ordered. */
export interface TicketPrice {
  /** The price of the ticket's type. */
  price: number
  /** What a code takes off, which is at most the price. */
  discount: number
  /** The tax that the price after the discount includes. */
  tax: number
  /** The rate of that tax, in hundredths of a percent. */
  tax_basis_points: number
}

/**
 * Returns the tickets of these registrations by registration, each in its order, and by ticket the prices of those that were
 * ordered.
 */
export async function listSold(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<{ tickets: Map<string, Attendee[]>; prices: Map<string, TicketPrice> }> {
  const rows = await store.listSold(tx, registrationIds)
  const prices = new Map<string, TicketPrice>()
  for (const { id, price, discount, tax, tax_basis_points } of rows)
    if (price !== null) prices.set(id, { price, discount, tax, tax_basis_points })
  return { tickets: await presentListed(tx, registrationIds, rows), prices }
}
