import { isDeepStrictEqual } from 'node:util'
import * as attendees from '../attendees/rules.ts'
import type { Attendee } from '../attendees/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import type { EventRow } from '../events/store.ts'
import * as registrations from '../registrations/store.ts'
import { HISTORY, type Was } from './history.ts'
import type { OrganizationOrder, OrganizationRegistration } from './schema.ts'
import { findLines, type KeptTable, listKept } from './store.ts'

/** An item of the file that is there already. */
export interface Known {
  id: string
  /** The fields that the file has otherwise. */
  differs: readonly string[]
}

export interface KnownRegistration extends Known {
  /** Where its history differs; else nobody asks. */
  was: Was | undefined
}

/** How many are read at a time, for each may be large. */
const READ = 100

const NONE: readonly string[] = []

/** Those registrations of a file that the event has, by reference. */
export async function readKnown(
  tx: ReadTx,
  { account_id: accountId, id: eventId }: EventRow,
  file: readonly OrganizationRegistration[],
): Promise<Map<string, KnownRegistration>> {
  const known = new Map<string, KnownRegistration>()
  for (let start = 0; start < file.length; start += READ) {
    const some = new Map(file.slice(start, start + READ).map(item => [item.reference, item]))
    const rows = await registrations.listByReferences(tx, accountId, eventId, [...some.keys()])
    const ids = rows.map(({ id }) => id)
    const tickets = await attendees.byRegistration(tx, accountId, ids)
    const orderOf = await findLines(tx, accountId, ids)
    // Few have any.
    const prices = await attendees.listPrices(tx, accountId, [...orderOf.keys()])
    for (const row of rows) {
      const item = some.get(row.reference) as OrganizationRegistration
      const holders = (tickets.get(row.id) ?? []).map(ticket => ({ ...ticket, ...prices.get(ticket.id) }))
      const differs = findDifferences(item, { ...row, order: orderOf.get(row.id) }, holders)
      const { answers: _, ...rest } = row
      const voided = holders.flatMap((ticket, at) => (ticket.voided ? [at] : []))
      known.set(row.reference, {
        id: row.id,
        differs,
        was: differs.some(isOfHistory) ? { ...rest, voided } : undefined,
      })
    }
  }
  return known
}

/** Those waiting entries or abstracts of a file that the event has, by what they are known by. */
export async function readKept<Item extends object>(
  tx: ReadTx,
  table: KeptTable,
  { account_id: accountId, id: eventId }: EventRow,
  file: readonly Item[],
  keyOf: (item: Item) => string,
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  for (let start = 0; start < file.length; start += READ) {
    const some = new Map(file.slice(start, start + READ).map(item => [keyOf(item), item]))
    for (const { id, key, ...row } of await listKept(tx, table, accountId, eventId, [...some.keys()])) {
      const item = some.get(key) as Record<string, unknown>
      const stated = Object.entries(row).map(
        ([field, is]): Stated => [field, item[field], JSON_FIELDS.has(field) ? JSON.parse(String(is)) : is],
      )
      known.set(key, { id, differs: differing(stated) })
    }
  }
  return known
}

const JSON_FIELDS = new Set(['authors', 'contact'])

function isOfHistory(field: string): boolean {
  return HISTORY.some(name => name === field)
}

/** An order of a file as the database names its fields. */
export function asStored({ buyer, ...order }: OrganizationOrder) {
  return { ...order, buyer_name: buyer.name, buyer_email: buyer.email }
}

const PRICES = ['price', 'discount', 'tax', 'tax_basis_points'] as const

type Prices = { [Each in (typeof PRICES)[number]]?: number | null }

type Holder = Pick<Attendee, 'name' | 'email' | 'seat'> & { answers: Attendee['answers'] | null } & Prices

/** The fields in which an item says something else than the database, whose names may be older than their trimming. */
function findDifferences(
  item: OrganizationRegistration,
  row: registrations.RegistrationRow & { order: string | undefined },
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

type Stated = [field: string, said: unknown, is: unknown]

/** What is left open says nothing. */
function differing(stated: readonly Stated[]): readonly string[] {
  const fields = stated.filter(([, said, is]) => said !== null && !isDeepStrictEqual(said, is))
  return fields.length === 0 ? NONE : fields.map(([field]) => field)
}

/** Who holds the tickets: who was checked in is not for the file to say, and it may leave open what was answered and paid. */
function holdersOf(some: readonly Holder[] | null, tickets: readonly Holder[]): object[] | null {
  const holders = some?.map(({ name, email, seat, answers, ...sold }, at) => {
    const is = tickets[at]
    const prices = PRICES.map(field => sold[field] ?? is?.[field] ?? null)
    return { name: name?.trim() ?? null, email, seat, answers: answers ?? is?.answers ?? null, prices }
  })
  return holders ?? null
}
