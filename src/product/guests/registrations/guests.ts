import { inBatches, type Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { Listed } from '../resource.ts'
import { type Counts, countLooks, countUpTo, listByType } from './of-event.ts'
import { list, type RegistrationPage, toPage } from './rules.ts'
import type { Registration } from './schemas.ts'
import * as store from './store.ts'
import { rememberCandidates } from './word-candidates.ts'
import { type Looked, look, searchWords } from './word-search.ts'
import * as wordStore from './word-store.ts'

/** What a list of the registrations of an event is narrowed to. */
export interface GuestFilters {
  event_id: string
  status?: store.RegistrationStatus | undefined
  registration_type_id?: string | undefined
  /** What `searchWords` takes. */
  text?: string | undefined
}

/** Rows that one read goes through, a few milliseconds. */
const WALKED = 1_000
/** Registrations that are read with their tickets at a time. */
const READ = 100

export interface GuestPage {
  rows: Listed<Registration>[]
  next: Position | undefined
}

/** A page as `listGuests` has it, and the counts of `countUpTo`: what both of a search look at is looked at once. */
export async function listAndCount(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  page: Page,
): Promise<GuestPage & { counts: Counts }> {
  const { event_id, registration_type_id, text, status } = filters
  if (text === undefined) {
    const listed = await listGuests(reader, accountId, filters, page)
    return { ...listed, counts: await countUpTo(reader, accountId, filters) }
  }
  const find = rememberCandidates()
  const ofAll = { text, event_id, registration_type_id, status: undefined, buyer_email_key: undefined }
  const all = replay(look(reader, accountId, ofAll, undefined, find))
  const isOfAll = status === undefined && page.after === undefined
  const looks = isOfAll ? all : look(reader, accountId, { ...ofAll, status }, page.after, find)
  return { ...(await listGuests(reader, accountId, filters, page, looks)), counts: await countLooks(all) }
}

/** Goes through what was gone through before, and then on. */
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
 * A page of the registrations that pass the filters, newest first. Where they are few among many it may have fewer than its limit,
 * or none, and goes on after `next`.
 */
export async function listGuests(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  page: Page,
  looks?: AsyncIterable<Looked>,
): Promise<GuestPage> {
  const oneMore = { ...page, limit: page.limit + 1 }
  const { rows, ends, end } = await findPage(reader, accountId, filters, oneMore, looks)
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
  { event_id, status, registration_type_id, text }: GuestFilters,
  page: Page,
  looks: AsyncIterable<Looked> | undefined,
): Promise<FoundPage> {
  if (text !== undefined) {
    const wanted = { text, event_id, status, registration_type_id, buyer_email_key: undefined }
    return searchWords(reader, accountId, wanted, page, looks)
  }
  if (registration_type_id !== undefined) {
    return listByType(reader, accountId, { event_id, status, registration_type_id }, page)
  }
  const { rows, cut } = await reader.read(tx => list(tx, accountId, { event_id, status }, page))
  return { rows, ends: cut }
}

/** As much of a registration as decides what may be done with it. */
export interface WalkedGuest extends Position, Pick<Registration, 'status' | 'quantity' | 'amount_total'> {
  typeId: string
}

/** Some that were gone through, newest first. */
export interface Walked {
  matching: WalkedGuest[]
  /** Of rows, or where a text is looked for, of tickets. */
  looked: number
}

/** All registrations that pass the filters, newest first, in short reads. */
export async function* walkGuests(
  reader: Reader,
  accountId: string,
  { event_id, status, registration_type_id, text }: GuestFilters,
): AsyncGenerator<Walked> {
  if (text !== undefined) {
    const wanted = { text, event_id, status, registration_type_id, buyer_email_key: undefined }
    for await (const { matching, count } of look(reader, accountId, wanted, undefined)) {
      yield { matching: matching.map(toGuest), looked: count }
    }
    return
  }
  const batches = inBatches<wordStore.WalkedRow>(reader, WALKED, (tx, last, size) =>
    wordStore.listWalked(tx, accountId, { event_id, status }, { limit: size, after: last }),
  )
  for await (const rows of batches) {
    const matching = rows.filter(
      row => (registration_type_id ?? row.registration_type_id) === row.registration_type_id,
    )
    yield { matching: matching.map(toGuest), looked: rows.length }
  }
}

function toGuest(row: wordStore.WalkedRow): WalkedGuest {
  const { id, created_at, status, quantity, amount_total, registration_type_id: typeId } = row
  return { id, created_at, status, quantity, amount_total, typeId }
}

/** Those of these that are registrations of the event. */
export async function findGuests(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  ids: readonly string[],
): Promise<WalkedGuest[]> {
  const found: WalkedGuest[] = []
  for (const id of ids) {
    const [row] = await wordStore.listById(tx, accountId, id)
    if (row?.id === id && row.event_id === eventId) found.push(toGuest(row))
  }
  return found
}

/** The same, each with its tickets. */
export async function* readGuests(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
): AsyncGenerator<Registration[]> {
  for await (const { matching } of walkGuests(reader, accountId, filters)) {
    for (let at = 0; at < matching.length; ) {
      const ids = matching.slice(at, at + READ).map(({ id }) => id)
      const { some, read } = await reader.read(async tx => {
        const standing = await store.listStanding(tx, accountId, ids, filters.status)
        const { rows, cut } = await toPage(tx, accountId, standing)
        const some = [...rows].map(({ resource }) => resource)
        // A page that had no room for all goes on with the first that it lacks.
        return { some, read: cut ? ids.indexOf(some.at(-1)?.id ?? '') + 1 : ids.length }
      })
      if (some.length > 0) yield some
      at += read
    }
  }
}
