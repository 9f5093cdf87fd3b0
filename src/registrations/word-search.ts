import { setImmediate as nextTurn } from 'node:timers/promises'
import * as attendees from '../attendees/rules.ts'
import { decodeTicket } from '../attendees/ticket-code.ts'
import { countWithin, inBatches, type Reader } from '../db/batches.ts'
import { newestFirst, type Page, type Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { isUuid } from '../ids.ts'
import { areMatched, type Person, type Terms, termsOf } from '../words.ts'
import { type RegistrationPage, toPage } from './rules.ts'
import * as store from './store.ts'
import * as wordStore from './word-store.ts'

/** What must all be so of a registration. */
export interface Wanted {
  /** What a person looks for, without white space around it. */
  text: string
  event_id: string | undefined
  status: store.RegistrationStatus | undefined
  buyer_email_key: string | undefined
  registration_type_id?: string | undefined
}

/** A word that more rows begin with is not looked up: reading so many takes some 20 ms. */
const MOST_ROWS = 20_000
/** Nor are the rows of one held against those of another, where it has more. */
const MOST_OTHER_ROWS = 2 * MOST_ROWS
/** Tickets of the registrations that a page looks at: so many take some 100 ms. */
export const MOST_LOOKED_AT = 5_000
/** Words of a search that are counted, the longest of them: the others are looked for in what these find. */
const MOST_COUNTED = 8
/** What one read goes through, a few milliseconds: rows of words, and rows of registrations. */
const WORDS_A_READ = 4_000
const ROWS_A_READ = 200
/** Nor are more tickets held against a search before the event loop turns: they take some 10 ms. */
const TICKETS_A_TURN = 500
/** So few are rather looked at than held against a further word. */
const FEW = 500

interface Found extends Omit<RegistrationPage, 'cut'> {
  /** Another page follows. */
  ends: boolean
  /** Where it begins, where not all of this one was filled. */
  end?: Position | undefined
}

/** Some that were looked at, newest first. */
export interface Looked {
  matching: wordStore.SearchedRow[]
  /** Of tickets. */
  count: number
  last: Position | undefined
}

/**
 * A page of the registrations that a text finds, newest first, in short reads. What is just that reference, id or code comes
 * alone where it passes the filters; an e-mail is that of a buyer or of an attendee, found by the words of its local part. Of
 * the words the rarest is looked up and the others are held against what it finds; where each of them is in too many rows, the
 * newest registrations are looked at, and the page ends early where these are many.
 */
export async function searchWords(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  page: Page,
): Promise<Found> {
  const found: Position[] = []
  let looked = 0
  for await (const { matching, count, last } of look(reader, accountId, wanted, page.after)) {
    found.push(...matching)
    looked += count
    if (found.length >= page.limit) return present(reader, accountId, wanted, found.slice(0, page.limit))
    if (looked >= MOST_LOOKED_AT && last !== undefined) return present(reader, accountId, wanted, found, last)
  }
  return present(reader, accountId, wanted, found)
}

/** @param end of what was looked at, where more follows */
async function present(
  reader: Reader,
  accountId: string,
  { status }: Wanted,
  found: readonly Position[],
  end?: Position,
): Promise<Found> {
  return reader.read(async tx => {
    const ids = found.map(({ id }) => id)
    const standing = await store.listStanding(tx, accountId, ids, status)
    const { rows, cut } = await toPage(tx, accountId, standing)
    if (cut) return { rows, ends: true }
    const rest = end ?? (standing.length < found.length ? found.at(-1) : undefined)
    return { rows, ends: rest !== undefined, end: rest }
  })
}

/** The registrations that a text finds, and those that were looked at in vain, newest first. */
export async function* look(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  after: Position | undefined,
): AsyncGenerator<Looked> {
  const exact = await reader.read(tx => findExact(tx, accountId, wanted.text))
  // A page that goes on takes the way of the one before it, whatever was imported since: else rows would be left out.
  const isAlone =
    after === undefined ? exact.some(row => fits(row, wanted)) : exact.some(({ id }) => id === after.id)
  if (isAlone) {
    return yield { matching: inOrder(exact, wanted, after), count: exact.length, last: undefined }
  }
  const { buyer_email_key } = wanted
  const terms = termsOf(wanted.text)
  if (terms.prefixes.length === 0 && terms.emails.length === 0) return
  const candidates =
    buyer_email_key === undefined ? await findCandidates(reader, accountId, wanted, terms) : undefined
  if (candidates === undefined) yield* walk(reader, accountId, wanted, terms, after)
  else yield* lookUp(reader, accountId, wanted, terms, candidates, after)
}

/** What stands for itself: what this is the reference, id or code of. There is one of a reference in each event. */
async function findExact(tx: ReadTx, accountId: string, text: string): Promise<wordStore.SearchedRow[]> {
  const id = isUuid(text) ? text.toLowerCase() : decodeTicket(text)?.ticketId
  const exact = id === undefined ? [] : await wordStore.listById(tx, accountId, id)
  return exact.length > 0 ? exact : wordStore.listByReference(tx, accountId, text)
}

type Filters = Omit<Wanted, 'text'>

/** Looks at the newest registrations, by the index of these filters. */
async function* walk(
  reader: Reader,
  accountId: string,
  filters: Filters,
  terms: Terms,
  after: Position | undefined,
): AsyncGenerator<Looked> {
  const { event_id, status, buyer_email_key } = filters
  const indexed = buyer_email_key === undefined ? { event_id, status } : { buyer_email_key }
  const batches = inBatches<wordStore.SearchedRow>(reader, ROWS_A_READ, (tx, last, size) =>
    wordStore.listSearched(tx, accountId, indexed, { limit: size, after: last ?? after }),
  )
  for await (const rows of batches) {
    yield* matchInTurns(reader, accountId, rows, filters, terms)
  }
}

/**
 * The registrations that have the rarest of the words, newest first, or undefined where none of them is rare. The others are
 * not all held against them.
 */
async function findCandidates(
  reader: Reader,
  accountId: string,
  { event_id }: Wanted,
  { prefixes }: Terms,
): Promise<wordStore.WordRow[] | undefined> {
  const numbers = await reader.read(tx => wordStore.findNumbers(tx, accountId, event_id))
  const rare: { prefix: string; count: number }[] = []
  for (const prefix of prefixes.slice(0, MOST_COUNTED)) {
    const count = await reader.read(tx =>
      wordStore.countWords(tx, numbers.account, prefix, MOST_OTHER_ROWS + 1),
    )
    if (count <= MOST_OTHER_ROWS) rare.push({ prefix, count })
  }
  rare.sort((one, other) => one.count - other.count)
  if (rare[0] === undefined || rare[0].count > MOST_ROWS) return undefined
  let candidates: Map<number, wordStore.WordRow> | undefined
  for (const { prefix } of rare) {
    if (candidates !== undefined && candidates.size <= FEW) break
    const others: Map<number, wordStore.WordRow> | undefined = candidates
    candidates = new Map()
    const batches = inBatches<wordStore.WordRow>(reader, WORDS_A_READ, (tx, last, size) =>
      wordStore.listWords(tx, numbers.account, prefix, last, size),
    )
    for await (const rows of batches) {
      for (const row of rows) {
        const isWanted = event_id === undefined || row.event_number === numbers.event
        const { registration_number: number } = row
        if (isWanted && (others === undefined || others.has(number))) candidates.set(number, row)
      }
    }
  }
  return [...(candidates?.values() ?? [])].sort((one, other) => other.created_at - one.created_at)
}

/** Looks at candidates, newest first. */
async function* lookUp(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  terms: Terms,
  candidates: readonly wordStore.WordRow[],
  after: Position | undefined,
): AsyncGenerator<Looked> {
  const left = candidates.filter(({ created_at }) => created_at <= (after?.created_at ?? created_at))
  for (let start = 0, end = 0; start < left.length; start = end) {
    end = start + ROWS_A_READ
    // Those of one instant are in the order of their ids, which only their rows tell.
    while (left[end]?.created_at === left[end - 1]?.created_at && end < left.length) end++
    const numbers = left.slice(start, end).map(({ registration_number }) => registration_number)
    const rows: wordStore.SearchedRow[] = []
    for (const some of parts(numbers)) {
      rows.push(...(await reader.read(tx => wordStore.listByNumbers(tx, accountId, some))))
      await nextTurn()
    }
    yield* matchInTurns(reader, accountId, inOrder(rows, wanted, after), wanted, terms)
  }
}

/** Holds rows against the filters and the terms, so few at once that nothing else waits long. */
async function* matchInTurns(
  reader: Reader,
  accountId: string,
  rows: readonly wordStore.SearchedRow[],
  filters: Filters,
  terms: Terms,
): AsyncGenerator<Looked> {
  // One that does not fit costs as little as one ticket.
  const costOf = (row: wordStore.SearchedRow) => (fits(row, filters) ? row.quantity : 1)
  for (let left = rows; left.length > 0; ) {
    const some = left.slice(0, countWithin(left, costOf, TICKETS_A_TURN))
    left = left.slice(some.length)
    const fitting = some.filter(row => fits(row, filters))
    const matching = await reader.read(tx => match(tx, accountId, fitting, terms))
    yield { matching, count: some.reduce((sum, row) => sum + costOf(row), 0), last: some.at(-1) }
    await nextTurn()
  }
}

function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += ROWS_A_READ)
    yield items.slice(start, start + ROWS_A_READ)
}

function fits(row: wordStore.SearchedRow, filters: Filters): boolean {
  const { event_id, status, buyer_email_key, registration_type_id } = filters
  return (
    row.event_id === (event_id ?? row.event_id) &&
    row.status === (status ?? row.status) &&
    row.buyer_email_key === (buyer_email_key ?? row.buyer_email_key) &&
    row.registration_type_id === (registration_type_id ?? row.registration_type_id)
  )
}

/** Those that every filter lets through, newest first. */
function inOrder(
  rows: readonly wordStore.SearchedRow[],
  filters: Filters,
  after: Position | undefined,
): wordStore.SearchedRow[] {
  return rows
    .filter(row => fits(row, filters) && (after === undefined || newestFirst(after, row) < 0))
    .sort(newestFirst)
}

/** Those of which every term is true, by their buyers or, where these do not do, by their attendees too. */
async function match(
  tx: ReadTx,
  accountId: string,
  rows: readonly wordStore.SearchedRow[],
  terms: Terms,
): Promise<wordStore.SearchedRow[]> {
  const buyerOf = (row: wordStore.SearchedRow): Person => ({ name: row.buyer_name, email: row.buyer_email })
  const others = new Set(rows.filter(row => !areMatched(terms, [buyerOf(row)])))
  const ids = [...others].map(({ id }) => id)
  const holders = await attendees.peopleByRegistration(tx, accountId, ids)
  return rows.filter(
    row => !others.has(row) || areMatched(terms, [buyerOf(row), ...(holders.get(row.id) ?? [])]),
  )
}
