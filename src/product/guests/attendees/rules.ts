import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import type { Person } from '../words.ts'
import { noteRegistrationAtDoors, noteTicketAtDoors } from './door-changes.ts'
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

export interface NewTicket {
  name: string | null
  email: string | null
  seat: string | null
  voided: boolean
  /** To the questions of each ticket. */
  answers?: Readonly<Record<string, string>> | null | undefined
  /** The id of the code that it is ordered with. */
  code_id?: string | null | undefined
  /** What it is sold for, where it is ordered. */
  sold_for?: TicketPrice | undefined
}

/** A ticket with its code, which names the key that signed it. */
export type SignedTicket = NewTicket & SignedCode

/**
 * Issues the tickets of one registration of the event, in their order, each with its signed code.
 *
 * @param ahead codes of this event that were signed before the write; without them they are signed here
 */
export async function issue(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  registrationId: string,
  tickets: readonly NewTicket[],
  ahead?: SignedAhead,
): Promise<Attendee[]> {
  const signed =
    joinAhead(tickets, eventId, ahead) ?? sign(await ensureTicketKey(tx, accountId, eventId), tickets)
  const now = await tx.now()
  const rows = ticketRows(registrationId, signed)
  for (const [at, row] of rows.entries()) await store.insert(tx, row, now, tickets[at]?.sold_for)
  await noteRegistrationAtDoors(tx, accountId, registrationId)
  return rows.map(row => presentAttendee({ ...row, checked_in_at: null }))
}

/** Signs tickets, at some 20 microseconds each: a caller with many does it before the write. */
export function sign(key: TicketKey, tickets: readonly NewTicket[]): SignedTicket[] {
  return tickets.map(ticket => {
    const id = newUuid()
    return { ...ticket, id, qr_code: encodeTicket(key, id) }
  })
}

/** @returns undefined where nothing was signed for these tickets of the event */
function joinAhead(
  tickets: readonly NewTicket[],
  eventId: string,
  ahead: SignedAhead | undefined,
): SignedTicket[] | undefined {
  if (ahead?.eventId !== eventId || ahead.codes.length !== tickets.length) return undefined
  return ahead.codes.map((code, at) => ({ ...(tickets[at] as NewTicket), ...code }))
}

/** The rows of the tickets of a registration, in their order. */
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

/** The tickets of these registrations, by registration, each in its order. */
export async function byRegistration(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, Attendee[]>> {
  const rows = await store.listByRegistrations(tx, accountId, registrationIds)
  return presentListed(tx, accountId, registrationIds, rows)
}

/**
 * The same of those alone, from the first, that fit into what is read at a time.
 *
 * @param countFitting how many fit, by the bytes that the answers of the tickets of each have
 */
export async function byFittingRegistration(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
  countFitting: (sizes: ReadonlyMap<string, number>) => number,
): Promise<Map<string, Attendee[]>> {
  const rows = await store.listByRegistrations(tx, accountId, registrationIds)
  const sizes = new Map<string, number>()
  for (const { registration_id: id, answers_size: size } of rows) sizes.set(id, (sizes.get(id) ?? 0) + size)
  const ids = registrationIds.slice(0, countFitting(sizes))
  const fitting = new Set(ids)
  return presentListed(
    tx,
    accountId,
    ids,
    rows.filter(row => fitting.has(row.registration_id)),
  )
}

async function presentListed(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
  rows: store.ListedRow[],
): Promise<Map<string, Attendee[]>> {
  const isAnyLong = rows.some(({ answers }) => answers === null)
  const long = isAnyLong ? await store.readLongAnswers(tx, accountId, registrationIds) : undefined
  return inTheirOrder(rows, row =>
    presentAttendee({ ...row, answers: row.answers ?? long?.get(row.id) ?? NO_ANSWERS }),
  )
}

/** The names and e-mails on the tickets of these registrations, by registration, each in its order. */
export async function peopleByRegistration(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, Person[]>> {
  const people = await store.listPeople(tx, accountId, registrationIds)
  return inTheirOrder(people, ({ name, email }) => ({ name, email }))
}

/** The same of the tickets of confirmed registrations of an event that are not void, and whether they are checked in. */
export async function holdersOfConfirmed(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  between: store.Between,
): Promise<Map<string, (Person & { isCheckedIn: boolean })[]>> {
  const holders = await store.listHolders(tx, accountId, eventId, between)
  return inTheirOrder(holders, ({ name, email, checked_in }) => ({
    name,
    email,
    isCheckedIn: checked_in === 1,
  }))
}

/** Sorts the rows, and groups what they are presented as by registration. */
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

/** The check-ins of the tickets of a registration, oldest first. */
export async function listCheckIns(
  tx: ReadTx,
  accountId: string,
  registrationId: string,
): Promise<{ id: string; attendee_id: string; source: 'scanner' | 'api'; checked_in_at: number }[]> {
  const found = await store.listCheckIns(tx, accountId, registrationId)
  return found.sort((one, other) => one.checked_in_at - other.checked_in_at)
}

/** Changes whose ticket it is, where they sit and what they have answered. Its code stays good. */
export async function amend(
  tx: WriteTx,
  accountId: string,
  ticket: Pick<Attendee, 'id' | 'name' | 'email' | 'seat' | 'answers'>,
): Promise<void> {
  await store.amend(tx, accountId, { ...ticket, answers: JSON.stringify(ticket.answers) }, await tx.now())
  await noteTicketAtDoors(tx, accountId, ticket.id)
}

/** The ids of the tickets of these registrations whose people were made anonymous. */
export async function listErased(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<string[]> {
  return (await store.listErased(tx, accountId, registrationIds)).map(({ id }) => id)
}

/**
 * Voids every ticket of a registration. A check-in that was made stays recorded.
 *
 * @returns how many are void by this: as many places are free again, and those of tickets that were void before were given back then
 */
export async function voidAll(tx: WriteTx, accountId: string, registrationId: string): Promise<number> {
  const count = await store.voidTickets(tx, accountId, registrationId, await tx.now())
  await noteRegistrationAtDoors(tx, accountId, registrationId)
  return count
}

/** Voids some tickets of a registration. @throws Problem ticket_voided where one was void before: nothing goes back twice */
export async function voidSome(
  tx: WriteTx,
  accountId: string,
  registrationId: string,
  ids: readonly string[],
): Promise<void> {
  const now = await tx.now()
  for (const id of ids) {
    const count = await store.voidTickets(tx, accountId, registrationId, now, id)
    if (count === 0) throw new Problem('ticket_voided')
  }
  await noteRegistrationAtDoors(tx, accountId, registrationId)
}

/** How many tickets of these registrations are not void. */
export async function countValid(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<number> {
  const counts = await store.countValid(tx, accountId, registrationIds)
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Has every ticket of a registration admit its holder again. */
export async function admitAll(tx: WriteTx, accountId: string, registrationId: string): Promise<void> {
  await store.admitAll(tx, accountId, registrationId, await tx.now())
  await noteRegistrationAtDoors(tx, accountId, registrationId)
}

/** The key of an event, if it has one yet. */
export function findTicketKey(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<TicketKey | undefined> {
  return keys.findKeyOfEvent(tx, accountId, eventId)
}

/** The key of an event, made when its first ticket is issued: then `offered`, if it is given, becomes the key. */
export async function ensureTicketKey(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  offered?: TicketKey,
): Promise<TicketKey> {
  const found = await keys.findKeyOfEvent(tx, accountId, eventId)
  if (found !== undefined) return found
  for (let key = offered ?? newTicketKey(); ; key = newTicketKey()) {
    // Key ids have 4 bytes: a collision is rare, but not impossible.
    if ((await keys.insertKey(tx, eventId, key, await tx.now())) === 1) return key
  }
}

/** What a ticket costs, in minor units, frozen when it is ordered. */
export interface TicketPrice {
  /** Of its type. */
  price: number
  /** What a code takes off, at most the price. */
  discount: number
  /** What is left includes this. */
  tax: number
  /** The rate of that tax: hundredths of a percent. */
  tax_basis_points: number
}

/** What the tickets of these registrations were sold for, by ticket. */
export async function listPrices(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, TicketPrice>> {
  const rows = await store.listPrices(tx, accountId, registrationIds)
  return new Map(rows.map(({ id, ...price }) => [id, price]))
}
