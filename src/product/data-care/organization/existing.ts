import { isDeepStrictEqual } from 'node:util'
import type { ReadTx } from '#machinery/db/port.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Attendee } from '#product/guests/attendees/schemas.ts'
import { listByReferences } from '#product/guests/registrations/reference-store.ts'
import type { RegistrationRow } from '#product/guests/registrations/store.ts'
import { HISTORY, type Was } from './history.ts'
import type { OrganizationOrder, OrganizationRegistration } from './schema.ts'
import { findLines, type KeptTable, listKept } from './store.ts'

/** Describes an item of the file that exists already. */
export interface Existing {
  id: string
  /** The fields that differ in the file. */
  differs: readonly string[]
}

export interface ExistingRegistration extends Existing {
  /** The registration if its history differs. Otherwise nobody needs it. */
  was: Was | undefined
}

/** One read takes this many, because each may be large. */
const READ = 100

const NONE: readonly string[] = []

/** Reads those registrations of a file that the event has, by reference. */
export async function readExistingRegistrations(
  tx: ReadTx,
  { id: eventId }: EventRow,
  file: readonly OrganizationRegistration[],
): Promise<Map<string, ExistingRegistration>> {
  const existing = new Map<string, ExistingRegistration>()
  for (let start = 0; start < file.length; start += READ) {
    const some = new Map(file.slice(start, start + READ).map(item => [item.reference, item]))
    const rows = await listByReferences(tx, eventId, [...some.keys()])
    const ids = rows.map(({ id }) => id)
    const { tickets, prices } = await attendees.listSold(tx, ids)
    const orderOf = await findLines(tx, ids)
    for (const row of rows) {
      const item = some.get(row.reference) as OrganizationRegistration
      const pricesOf = orderOf.has(row.id) ? prices : undefined
      const holders = (tickets.get(row.id) ?? []).map(ticket => ({ ...ticket, ...pricesOf?.get(ticket.id) }))
      const differs = findDifferences(item, { ...row, order: orderOf.get(row.id) }, holders)
      const { answers: _, ...rest } = row
      const voided = holders.flatMap((ticket, at) => (ticket.voided ? [at] : []))
      existing.set(row.reference, {
        id: row.id,
        differs,
        was: differs.some(isOfHistory) ? { ...rest, voided } : undefined,
      })
    }
  }
  return existing
}

/** Reads those waitlist entries, abstracts or orders of a file that the event has, by their keys. */
export async function readExistingItems<Item extends object>(
  tx: ReadTx,
  table: KeptTable,
  { id: eventId }: EventRow,
  file: readonly Item[],
  keyOf: (item: Item) => string,
): Promise<Map<string, Existing>> {
  const existing = new Map<string, Existing>()
  for (let start = 0; start < file.length; start += READ) {
    const some = new Map(file.slice(start, start + READ).map(item => [keyOf(item), item]))
    for (const { id, key, ...row } of await listKept(tx, table, eventId, [...some.keys()])) {
      const item = some.get(key) as Record<string, unknown>
      const stated = Object.entries(row).map(
        ([field, is]): Stated => [field, item[field], JSON_FIELDS.has(field) ? JSON.parse(String(is)) : is],
      )
      existing.set(key, { id, differs: differing(stated) })
    }
  }
  return existing
}

const JSON_FIELDS = new Set(['authors', 'contact'])

function isOfHistory(field: string): boolean {
  return HISTORY.some(name => name === field)
}

/** Returns an order of a file with its fields named as in the database. */
export function asStored({ buyer, ...order }: OrganizationOrder) {
  return { ...order, buyer_name: buyer.name, buyer_email: buyer.email }
}

const PRICES = ['price', 'discount', 'tax', 'tax_basis_points'] as const

type Prices = { [Each in (typeof PRICES)[number]]?: number | null }

type Holder = Pick<Attendee, 'name' | 'email' | 'seat'> & { answers: Attendee['answers'] | null } & Prices

/** Returns the fields in which an item differs from the database, whose names may be older than their trimming. */
function findDifferences(
  item: OrganizationRegistration,
  row: RegistrationRow & { order: string | undefined },
  tickets: readonly Holder[],
): readonly string[] {
  return differing([
    ['order', item.order, row.order],
    ['registration_type', item.registration_type, row.registration_type_name.trim()],
    ['status', item.status, row.status],
    ['buyer', [item.buyer.name, item.buyer.email], [row.buyer_name.trim(), row.buyer_email]],
    ['quantity', item.quantity, row.quantity],
    ['amount_subtotal', item.amount_subtotal, row.amount_subtotal],
    ['amount_total', item.amount_total, row.amount_total],
    ['processor_fee', item.processor_fee, row.processor_fee],
    ['refunded_amount', item.refunded_amount, row.refunded_amount],
    ['answers', item.answers, JSON.parse(row.answers)],
    ['language', item.language, row.language],
    ['created_at', item.created_at, row.created_at],
    ['confirmed_at', item.confirmed_at, row.confirmed_at],
    ['cancelled_at', item.cancelled_at, row.cancelled_at],
    ['refunded_at', item.refunded_at, row.refunded_at],
    ['attendees', holdersOf(item.attendees, tickets), holdersOf(tickets, tickets)],
  ])
}

export type Stated = [field: string, stated: unknown, is: unknown]

/** Returns the fields that differ. A field that is left open does not differ. */
export function differing(stated: readonly Stated[]): readonly string[] {
  const fields = stated.filter(([, given, is]) => given !== null && !isDeepStrictEqual(given, is))
  return fields.length === 0 ? NONE : fields.map(([field]) => field)
}

/**
 * Returns the holders of the tickets. The file does not decide who was checked in, and may leave out what was answered and paid.
 */
function holdersOf(some: readonly Holder[] | null, tickets: readonly Holder[]): object[] | null {
  const holders = some?.map(({ name, email, seat, answers, ...sold }, at) => {
    const is = tickets[at]
    const prices = PRICES.map(field => sold[field] ?? is?.[field] ?? null)
    return { name: name?.trim() ?? null, email, seat, answers: answers ?? is?.answers ?? null, prices }
  })
  return holders ?? null
}
