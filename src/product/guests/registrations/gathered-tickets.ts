import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '#base/fold.ts'
import { countWithin, type Reader } from '#machinery/db/batches.ts'
import { foundTickets } from './found-tickets.ts'
import * as store from './gathered-store.ts'
import { type GuestFilters, type WalkedGuest, walkGuests } from './guests.ts'
import type { Counted, Counts } from './of-event.ts'
import { toPage } from './rules.ts'
import type { Registration } from './schemas.ts'
import { listStanding } from './store.ts'

/** The orders that a list of tickets can have, besides the newest first. */
export const ticketSorts = ['name', 'type', 'checked_in'] as const
export type TicketSort = (typeof ticketSorts)[number]

/** Tickets are sorted or filtered in memory up to this many. More of an event stand newest first. */
const MOST_GATHERED = 20_000
/** One read takes the tickets of registrations with this many. */
const TICKETS_A_READ = 1_000
/** This many tickets are sorted before the event loop turns. */
const SORTED = 4_000
/** A page takes this many registrations at a time. */
const READ = 50

/** Names a ticket among those that were gathered. */
export interface GatheredTicket {
  id: string
  registrationId: string
  typeId: string
  key: string
  isVoid: boolean
  /** When its badge was printed, in milliseconds, or null. */
  printedAt: number | null
}

export interface Gathered {
  tickets: GatheredTicket[]
  /** How many registrations the filters find in each state, whatever state is asked for. */
  counts: Counts
  /** Whether there are more tickets than can be gathered. These are the newest then. */
  isMore: boolean
}

export interface Gathering {
  /** Undefined puts the newest first. */
  sort: TicketSort | undefined
  /** The ids of the types in their order. */
  typeIds: readonly string[]
}

/** Gathers the tickets of an event that pass the filters, and sorts them, in turns of a few milliseconds. */
export async function gatherTickets(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  { sort, typeIds }: Gathering,
  most = MOST_GATHERED,
): Promise<Gathered> {
  const places = new Map(typeIds.map((id, at) => [id, at]))
  const tally = new Map<WalkedGuest['status'], number>()
  const found: GatheredTicket[] = []
  let looked = 0
  let isMore = false
  const { status, ...ofAll } = filters
  for await (const { matching } of walkGuests(reader, accountId, ofAll)) {
    const fitting = matching.slice(0, countFitting(matching, most - looked))
    looked += fitting.reduce((sum, { quantity }) => sum + quantity, 0)
    isMore = fitting.length < matching.length
    for (const guest of fitting) tally.set(guest.status, (tally.get(guest.status) ?? 0) + 1)
    const wanted = fitting.filter(guest => (status ?? guest.status) === guest.status)
    for (const some of inReads(wanted)) {
      const ids = some.map(({ id }) => id)
      const rows = await reader.read(accountId, tx => store.listOfRegistrations(tx, ids))
      const ofGuests = byRegistration(rows)
      for (const guest of some) {
        const tickets = foundTickets(ofGuests.get(guest.id) ?? [], filters.text)
        const listed = tickets.filter(row => isWanted(row, guest.status, filters.sent))
        const place = places.get(guest.typeId) ?? 0
        for (const row of listed) found.push(toGathered(row, guest, keyOf(row, place, sort)))
      }
      await nextTurn()
    }
    if (isMore) break
  }
  const tickets = sort === undefined || isMore ? found : await sortInTurns(found)
  return { tickets, counts: countsOf(tally, isMore), isMore }
}

function toGathered(row: store.GatheredRow, guest: WalkedGuest, key: string): GatheredTicket {
  const { id, voided, badge_printed_at: printedAt } = row
  return { id, registrationId: guest.id, typeId: guest.typeId, key, isVoid: voided === 1, printedAt }
}

/** Returns how many of these registrations have at most so many tickets together. */
function countFitting(guests: readonly WalkedGuest[], left: number): number {
  let sum = 0
  const over = guests.findIndex(({ quantity }) => {
    sum += quantity
    return sum > left
  })
  return over === -1 ? guests.length : over
}

/** Returns the tickets by registration, each in its order. */
function byRegistration(rows: readonly store.GatheredRow[]): Map<string, store.GatheredRow[]> {
  const groups = new Map<string, store.GatheredRow[]>()
  for (const row of [...rows].sort((one, other) => one.position - other.position)) {
    const others = groups.get(row.registration_id)
    if (others === undefined) groups.set(row.registration_id, [row])
    else others.push(row)
  }
  return groups
}

function* inReads(guests: readonly WalkedGuest[]): Generator<readonly WalkedGuest[]> {
  for (let at = 0; at < guests.length; ) {
    const rest = guests.slice(at, at + TICKETS_A_READ)
    const size = countWithin(rest, ({ quantity }) => quantity, TICKETS_A_READ)
    yield rest.slice(0, size)
    at += size
  }
}

/** Only a ticket that admits somebody can be sent, so no other one counts as not sent. */
function isWanted(
  { voided, mailed_at }: store.GatheredRow,
  status: WalkedGuest['status'],
  sent: GuestFilters['sent'],
): boolean {
  if (sent === undefined) return true
  return status === 'confirmed' && voided === 0 && (sent === 'yes') === (mailed_at !== null)
}

/** No instant has more digits. */
const DIGITS = 16

function keyOf(row: store.GatheredRow, typePlace: number, sort: TicketSort | undefined): string {
  if (sort === undefined) return ''
  const name = fold(row.name ?? row.buyer_name)
  if (sort === 'name') return name
  if (sort === 'type') return `${String(typePlace).padStart(DIGITS, '0')} ${name}`
  if (row.checked_in_at === null) return `~ ${name}`
  return String(10 ** (DIGITS - 1) - row.checked_in_at).padStart(DIGITS, '0')
}

async function sortInTurns(tickets: readonly GatheredTicket[]): Promise<GatheredTicket[]> {
  let parts: GatheredTicket[][] = []
  for (let at = 0; at < tickets.length; at += SORTED) {
    parts.push(tickets.slice(at, at + SORTED).sort(byKey))
    await nextTurn()
  }
  while (parts.length > 1) {
    const merged: GatheredTicket[][] = []
    for (let at = 0; at < parts.length; at += 2) {
      merged.push(merge(parts[at] ?? [], parts[at + 1] ?? []))
      await nextTurn()
    }
    parts = merged
  }
  return parts[0] ?? []
}

/** Equal keys keep their order, which is that of the newest first. */
function byKey(one: GatheredTicket, other: GatheredTicket): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}

function merge(some: readonly GatheredTicket[], others: readonly GatheredTicket[]): GatheredTicket[] {
  const merged: GatheredTicket[] = []
  let other = 0
  for (const one of some) {
    while (other < others.length && byKey(others[other] as GatheredTicket, one) < 0)
      merged.push(others[other++] as GatheredTicket)
    merged.push(one)
  }
  return [...merged, ...others.slice(other)]
}

function countsOf(tally: ReadonlyMap<WalkedGuest['status'], number>, isMore: boolean): Counts {
  const of = (status: WalkedGuest['status']): Counted => ({ count: tally.get(status) ?? 0, isMore })
  const all = [...tally.values()].reduce((sum, count) => sum + count, 0)
  return {
    all: { count: all, isMore },
    ...{ pending: of('pending'), confirmed: of('confirmed'), failed: of('failed') },
    ...{ refunded: of('refunded'), cancelled: of('cancelled') },
  }
}

/** Reads the registrations of these tickets, by id. One that was removed meanwhile is missing. */
export async function readRegistrations(
  reader: Reader,
  accountId: string,
  tickets: readonly GatheredTicket[],
): Promise<ReadonlyMap<string, Registration>> {
  const ids = [...new Set(tickets.map(({ registrationId }) => registrationId))]
  const read = new Map<string, Registration>()
  for (let at = 0; at < ids.length; ) {
    const some = ids.slice(at, at + READ)
    const { rows, cut } = await reader.read(accountId, async tx =>
      toPage(tx, await listStanding(tx, some, undefined)),
    )
    const found = [...rows]
    for (const { resource } of found) read.set(resource.id, resource)
    // A page that had no room for all goes on after the last one that it has.
    at += cut ? some.indexOf(found.at(-1)?.resource.id ?? '') + 1 : some.length
  }
  return read
}
