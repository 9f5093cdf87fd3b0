import type { Listed } from '#base/resource.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { type Counts, countLookedAt, countUpTo, listByType } from './of-event.ts'
import { list, type RegistrationPage, toPage } from './rules.ts'
import type { Registration } from './schemas.ts'
import { listWithTicket } from './sent-store.ts'
import * as store from './store.ts'
import { rememberCandidates } from './word-candidates.ts'
import { type Looked, look, searchWords } from './word-search.ts'
import * as wordStore from './word-store.ts'

/** Holds the filters that narrow a list of the registrations of an event. */
export interface GuestFilters {
  event_id: string
  status?: store.RegistrationStatus | undefined
  registration_type_id?: string | undefined
  /** The ids of types that are left out, such as extras. */
  without_types?: readonly string[] | undefined
  /** The text that `searchWords` takes. */
  text?: string | undefined
  /**
   * Whether a ticket that admits somebody was sent by mail, or one was not. `walkGuests` and what builds on it take this filter;
   * `listGuests` and `listAndCount` do not, as `gatherTickets` lists the tickets themselves.
   */
  sent?: 'yes' | 'no' | undefined
}

/** One read goes through this many rows, which takes a few milliseconds. */
const WALKED = 1_000
/** This many registrations are read with their tickets at a time. */
const READ = 100

export interface GuestPage {
  rows: Listed<Registration>[]
  next: Position | undefined
}

/**
 * Returns a page as `listGuests` does, with the counts of `countUpTo`. What both parts of a search look at is looked at only
 * once.
 */
export async function listAndCount(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  page: Page,
): Promise<GuestPage & { counts: Counts }> {
  const { event_id, registration_type_id, without_types, text, status } = filters
  if (text === undefined) {
    const listed = await listGuests(reader, accountId, filters, page)
    return { ...listed, counts: await countUpTo(reader, accountId, filters) }
  }
  const find = rememberCandidates()
  const ofTypes = { registration_type_id, without_types }
  const ofAll = { text, event_id, ...ofTypes, status: undefined, buyer_email_key: undefined }
  const all = replay(look(reader, accountId, ofAll, undefined, find))
  const isOfAll = status === undefined && page.after === undefined
  const lookups = isOfAll ? all : look(reader, accountId, { ...ofAll, status }, page.after, find)
  return {
    ...(await listGuests(reader, accountId, filters, page, lookups)),
    counts: await countLookedAt(all),
  }
}

/** Yields again what was passed before, and then goes on. */
function replay<Of>(source: AsyncIterator<Of>): AsyncIterable<Of> {
  const passed: Of[] = []
  return {
    async *[Symbol.asyncIterator]() {
      yield* passed
      for (let next = await source.next(); next.done !== true; next = await source.next()) {
        passed.push(next.value)
        yield next.value
      }
    },
  }
}

/**
 * Returns a page of the registrations that pass the filters, newest first. If these are few among many, the page may have fewer
 * rows than its limit or none, and the list goes on after `next`.
 */
export async function listGuests(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  page: Page,
  lookups?: AsyncIterable<Looked>,
): Promise<GuestPage> {
  const oneMore = { ...page, limit: page.limit + 1 }
  const { rows, ends, end } = await findPage(reader, accountId, filters, oneMore, lookups)
  const found = [...rows]
  const shown = found.slice(0, page.limit)
  const last = shown.at(-1)?.position
  if (found.length > shown.length) return { rows: shown, next: last }
  return { rows: shown, next: ends ? (end ?? last) : undefined }
}

type FoundPage = Omit<RegistrationPage, 'cut'> & { ends: boolean; end?: Position | undefined }

async function findPage(
  reader: Reader,
  accountId: string,
  { event_id, status, registration_type_id, without_types, text }: GuestFilters,
  page: Page,
  lookups: AsyncIterable<Looked> | undefined,
): Promise<FoundPage> {
  if (text !== undefined) {
    const ofTypes = { registration_type_id, without_types }
    const wanted = { text, event_id, status, ...ofTypes, buyer_email_key: undefined }
    return searchWords(reader, accountId, wanted, page, lookups)
  }
  if (registration_type_id !== undefined || without_types !== undefined) {
    return listByType(reader, accountId, { event_id, status, registration_type_id, without_types }, page)
  }
  const { rows, cut } = await reader.read(accountId, tx => list(tx, { event_id, status }, page))
  return { rows, ends: cut }
}

/** Holds the part of a registration that decides what may be done with it. */
export interface WalkedGuest extends Position, Pick<Registration, 'status' | 'quantity' | 'amount_total'> {
  typeId: string
}

/** Holds a batch of registrations that were gone through, newest first. */
export interface Walked {
  matching: WalkedGuest[]
  /** How many rows, or with a text how many tickets, were looked at. */
  looked: number
}

/** Yields all registrations that pass the filters, newest first, in short reads. */
export async function* walkGuests(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
): AsyncGenerator<Walked> {
  const { sent } = filters
  for await (const { matching, looked } of walkAll(reader, accountId, filters)) {
    if (sent === undefined) yield { matching, looked }
    else yield { matching: await onlySent(reader, accountId, matching, sent), looked }
  }
}

/** One read looks at the tickets of this many registrations. */
const SENT_A_READ = 200

async function onlySent(
  reader: Reader,
  accountId: string,
  matching: readonly WalkedGuest[],
  sent: 'yes' | 'no',
): Promise<WalkedGuest[]> {
  const found = new Set<string>()
  for (let at = 0; at < matching.length; at += SENT_A_READ) {
    const ids = matching.slice(at, at + SENT_A_READ).map(({ id }) => id)
    const rows = await reader.read(accountId, tx => listWithTicket(tx, ids, sent === 'yes'))
    for (const { id } of rows) found.add(id)
  }
  return matching.filter(({ id }) => found.has(id))
}

async function* walkAll(
  reader: Reader,
  accountId: string,
  { event_id, status, registration_type_id, without_types, text }: GuestFilters,
): AsyncGenerator<Walked> {
  if (text !== undefined) {
    const ofTypes = { registration_type_id, without_types }
    const wanted = { text, event_id, status, ...ofTypes, buyer_email_key: undefined }
    for await (const { matching, count } of look(reader, accountId, wanted, undefined)) {
      yield { matching: matching.map(toGuest), looked: count }
    }
    return
  }
  const batches = inBatches(reader, accountId, WALKED, (tx, last: wordStore.WalkedRow | undefined, size) =>
    wordStore.listWalked(tx, { event_id, status }, { limit: size, after: last }),
  )
  for await (const rows of batches) {
    const matching = rows.filter(
      row =>
        (registration_type_id ?? row.registration_type_id) === row.registration_type_id &&
        without_types?.includes(row.registration_type_id) !== true,
    )
    yield { matching: matching.map(toGuest), looked: rows.length }
  }
}

function toGuest(row: wordStore.WalkedRow): WalkedGuest {
  const { id, created_at, status, quantity, amount_total, registration_type_id: typeId } = row
  return { id, created_at, status, quantity, amount_total, typeId }
}

/** Finds those of these ids that are registrations of the event. */
export async function findGuests(
  tx: ReadTx,
  eventId: string,
  ids: readonly string[],
): Promise<WalkedGuest[]> {
  const found: WalkedGuest[] = []
  for (const id of ids) {
    const [row] = await wordStore.listById(tx, id)
    if (row?.id === id && row.event_id === eventId) found.push(toGuest(row))
  }
  return found
}

/** Yields all registrations that pass the filters with their tickets, newest first. */
export async function* readGuests(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
): AsyncGenerator<Registration[]> {
  for await (const { matching } of walkGuests(reader, accountId, filters)) {
    for (let at = 0; at < matching.length; ) {
      const ids = matching.slice(at, at + READ).map(({ id }) => id)
      const { some, read } = await reader.read(accountId, async tx => {
        const standing = await store.listStanding(tx, ids, filters.status)
        const { rows, cut } = await toPage(tx, standing)
        const some = [...rows].map(({ resource }) => resource)
        // If a page had no room for all, the next one starts with the first that is missing.
        return { some, read: cut ? ids.indexOf(some.at(-1)?.id ?? '') + 1 : ids.length }
      })
      if (some.length > 0) yield some
      at += read
    }
  }
}
