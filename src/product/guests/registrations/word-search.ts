import { setImmediate as nextTurn } from 'node:timers/promises'
import * as attendees from '../attendees/rules.ts'
import { countWithin, inBatches, type Reader } from '../db/batches.ts'
import { newestFirst, type Page, type Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { areMatched, type Person, type Terms, termsOf, wholeOf } from '../words.ts'
import { type RegistrationPage, toPage } from './rules.ts'
import { readSlice } from './search-store.ts'
import * as store from './store.ts'
import { type FindCandidates, findCandidates } from './word-candidates.ts'
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

/** Tickets of the registrations that a page looks at: 35 ms where they stand side by side. */
export const MOST_LOOKED_AT = 5_000
/** Registrations that are looked at first for whether an attendee has an e-mail: 15 ms. */
const MOST_OF_WHOLE = 1_000
/** In the order of the ids of one instant. */
const BEFORE_ALL_IDS = '0'
const AFTER_ALL_IDS = 'z'
/** What one read goes through, a few milliseconds. */
const ROWS_A_READ = 200
/** Nor are more tickets held against a search before the event loop turns: they take some 10 ms. */
const TICKETS_A_TURN = 500

interface Found extends Omit<RegistrationPage, 'cut'> {
  /** Another page follows. */
  ends: boolean
  /** Where it begins, where not all of this one was filled. */
  end?: Position | undefined
}

/** Some that were looked at, newest first. */
export interface Looked {
  matching: wordStore.SearchedRow[]
  /** Of tickets, or what takes as long. */
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
  looks: AsyncIterable<Looked> = look(reader, accountId, wanted, page.after),
): Promise<Found> {
  const found: Position[] = []
  let looked = 0
  for await (const { matching, count, last } of looks) {
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
  find: FindCandidates = findCandidates,
): AsyncGenerator<Looked> {
  const exact = await reader.read(tx => wordStore.findExact(tx, accountId, wanted.text))
  // A page that goes on takes the way of the one before it, whatever was imported since: else rows would be left out.
  const isAlone =
    after === undefined ? exact.some(row => fits(row, wanted)) : exact.some(({ id }) => id === after.id)
  if (isAlone) {
    return yield { matching: inOrder(exact, wanted, after), count: exact.length, last: undefined }
  }
  const { buyer_email_key } = wanted
  const asked = termsOf(wanted.text)
  if (asked.prefixes.length === 0 && asked.emails.length === 0) return
  const candidates =
    buyer_email_key === undefined
      ? await findFewer(reader, accountId, wanted, asked.prefixes, find)
      : undefined
  const whole = wholeOf(asked)
  const isSomebodys =
    whole !== undefined && (await isOfSomebody(reader, accountId, wanted, whole, candidates, after))
  const terms = isSomebodys ? whole : asked
  if (candidates === undefined) yield* walk(reader, accountId, wanted, terms, after)
  else yield* lookUp(reader, accountId, wanted, terms, candidates, after)
}

/** The candidates, or undefined where there are fewer of the event and status that are wanted, or too many of them. */
async function findFewer(
  reader: Reader,
  accountId: string,
  { event_id, status }: Wanted,
  prefixes: readonly string[],
  find: FindCandidates,
): Promise<Map<number, number> | undefined> {
  const candidates = await find(reader, accountId, event_id, prefixes)
  const most = Math.min(candidates?.size ?? 0, MOST_LOOKED_AT)
  if (most <= ROWS_A_READ || (event_id ?? status) === undefined) return candidates
  const isFewer =
    (await reader.read(tx => wordStore.countOf(tx, accountId, { event_id, status }, most))) < most
  return isFewer ? undefined : candidates
}

/** Whether a buyer has just this e-mail, or an attendee, as far as they can be looked at. */
async function isOfSomebody(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  terms: Terms & { whole: string },
  candidates: ReadonlyMap<number, number> | undefined,
  after: Position | undefined,
): Promise<boolean> {
  const { event_id, status, buyer_email_key = terms.whole } = wanted
  if (after !== undefined) {
    // The page before may have gone by the beginning of the e-mail.
    const rows = await reader.read(tx => wordStore.listById(tx, accountId, after.id))
    const isMatching = async (some: Terms) =>
      (await reader.read(tx => match(tx, accountId, rows, some))).length > 0
    if ((await isMatching({ ...terms, whole: undefined })) && !(await isMatching(terms))) return false
  }
  if (buyer_email_key === terms.whole) {
    const ofBuyer = { buyer_email_key, event_id, status }
    if ((await reader.read(tx => readSlice(tx, accountId, ofBuyer, undefined))).found.length > 0) return true
  }
  let looked = 0
  if (candidates === undefined || candidates.size > MOST_OF_WHOLE) return false
  for await (const { matching, count } of lookUp(reader, accountId, wanted, terms, candidates, undefined)) {
    if (matching.length > 0) return true
    looked += count
    if (looked > 2 * MOST_OF_WHOLE) return false
  }
  return false
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

/** Looks at those of these numbers and instants, newest first. */
async function* lookUp(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  terms: Terms,
  candidates: ReadonlyMap<number, number>,
  after: Position | undefined,
): AsyncGenerator<Looked> {
  const isNext = (created_at: number) => after === undefined || created_at <= after.created_at
  // Sorted as numbers, which takes a fraction of the time of rows. More than these no page looks up.
  const newest = Float64Array.from(candidates.values())
    .filter(isNext)
    .sort()
    .reverse()
    .slice(0, MOST_LOOKED_AT)
  await nextTurn()
  const oldest = newest.at(-1) ?? 0
  const ofInstant = new Map<number, number[]>()
  for (const instant of newest) ofInstant.set(instant, [])
  for (const [number, created_at] of candidates) {
    if (created_at >= oldest && isNext(created_at)) ofInstant.get(created_at)?.push(number)
  }
  const groups = [...ofInstant]
  for (let at = 0; at < groups.length; ) {
    // Those of one instant are in the order of their ids, which only their rows tell: many are walked through.
    let numbers: number[] = []
    let instant = 0
    for (let next = groups[at]; next !== undefined && numbers.length < ROWS_A_READ; next = groups[++at]) {
      const [created_at, same] = next
      if (same.length > MOST_LOOKED_AT) {
        if (numbers.length > 0) break
        const start = after?.created_at === created_at ? after : { created_at, id: AFTER_ALL_IDS }
        return yield* walk(reader, accountId, wanted, terms, start)
      }
      instant = created_at
      numbers = numbers.concat(same)
    }
    const rows: wordStore.SearchedRow[] = []
    for (let start = 0; start < numbers.length; start += ROWS_A_READ) {
      const some = numbers.slice(start, start + ROWS_A_READ)
      rows.push(...(await reader.read(tx => wordStore.listByNumbers(tx, accountId, some, wanted.status))))
      await nextTurn()
    }
    // To look one up takes as long as a ticket more.
    yield { matching: [], count: numbers.length, last: undefined }
    yield* matchInTurns(reader, accountId, inOrder(rows, wanted, after), wanted, terms)
    yield { matching: [], count: 0, last: { created_at: instant, id: BEFORE_ALL_IDS } }
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
