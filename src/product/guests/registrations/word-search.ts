import { setImmediate as nextTurn } from 'node:timers/promises'
import { areMatched, exactEmailOf, type Person, type Terms, termsOf } from '#base/words.ts'
import { countWithin, inBatches, type Reader } from '#machinery/db/batches.ts'
import { newestFirst, type Page, type Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { type RegistrationPage, toPage } from './rules.ts'
import { countOf, readSlice } from './search-store.ts'
import * as store from './store.ts'
import { type FindCandidates, findCandidates } from './word-candidates.ts'
import * as wordStore from './word-store.ts'

/** Lists the conditions that a registration must all meet. */
export interface Wanted {
  /** The text that a person searches for, without white space around it. */
  text: string
  event_id: string | undefined
  status: store.RegistrationStatus | undefined
  buyer_email_key: string | undefined
  registration_type_id?: string | undefined
  without_types?: readonly string[] | undefined
}

/** A page looks at registrations with this many tickets. It takes 35 ms if they lie side by side. */
export const MOST_LOOKED_AT = 5_000
/** To find whether an attendee has an e-mail, a search first looks at this many registrations, in 15 ms. */
const MOST_FOR_EMAIL = 1_000
/** These sort before and after all ids of one instant. */
const BEFORE_ALL_IDS = '0'
const AFTER_ALL_IDS = 'z'
/** One read goes through this many rows, in a few milliseconds. */
const ROWS_A_READ = 200
/** The event loop turns after comparing this many tickets with a search, which takes some 10 ms. */
const TICKETS_A_TURN = 500

interface Found extends Omit<RegistrationPage, 'cut'> {
  /** Whether another page follows. */
  ends: boolean
  /** Where the next page begins, if this page was not filled. */
  end?: Position | undefined
}

/** Holds a batch of registrations that were looked at, newest first. */
export interface Looked {
  matching: wordStore.SearchedRow[]
  /** How many tickets were looked at, or other work that takes as long. */
  count: number
  last: Position | undefined
}

/**
 * Returns a page of the registrations that a text finds, newest first, in short reads. If the text is a reference, id or code
 * that passes the filters, that registration comes alone. An e-mail finds a buyer or an attendee by the words of its local part.
 * The rarest word is looked up, and what it finds is compared with the other words. If every word is in too many rows, the search
 * goes through the newest registrations, and the page ends early if these are many.
 */
export async function searchWords(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  page: Page,
  lookups: AsyncIterable<Looked> = look(reader, accountId, wanted, page.after),
): Promise<Found> {
  const found: Position[] = []
  let looked = 0
  for await (const { matching, count, last } of lookups) {
    found.push(...matching)
    looked += count
    if (found.length >= page.limit) return present(reader, accountId, wanted, found.slice(0, page.limit))
    if (looked >= MOST_LOOKED_AT && last !== undefined) return present(reader, accountId, wanted, found, last)
  }
  return present(reader, accountId, wanted, found)
}

/** Reads the page of the registrations that were found. @param end the end of what was looked at, if more follows */
async function present(
  reader: Reader,
  accountId: string,
  { status }: Wanted,
  found: readonly Position[],
  end?: Position,
): Promise<Found> {
  return reader.read(accountId, async tx => {
    const ids = found.map(({ id }) => id)
    const standing = await store.listStanding(tx, ids, status)
    const { rows, cut } = await toPage(tx, standing)
    if (cut) return { rows, ends: true }
    const rest = end ?? (standing.length < found.length ? found.at(-1) : undefined)
    return { rows, ends: rest !== undefined, end: rest }
  })
}

/** Yields the registrations that a text finds, newest first, and how many were looked at. */
export async function* look(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  after: Position | undefined,
  find: FindCandidates = findCandidates,
): AsyncGenerator<Looked> {
  const exact = await reader.read(accountId, tx => wordStore.findExact(tx, wanted.text))
  // A later page takes the same way as the page before it, whatever was imported since. Otherwise rows would be left out.
  const isAlone =
    after === undefined ? exact.some(row => fits(row, wanted)) : exact.some(({ id }) => id === after.id)
  if (isAlone) {
    return yield { matching: inOrder(exact, wanted, after), count: exact.length, last: undefined }
  }
  const { buyer_email_key } = wanted
  const typed = termsOf(wanted.text)
  if (typed.prefixes.length === 0 && typed.emails.length === 0) return
  const candidates =
    buyer_email_key === undefined
      ? await findFewer(reader, accountId, wanted, typed.prefixes, find)
      : undefined
  const exactTerms = exactEmailOf(typed)
  const isSomebodys =
    exactTerms !== undefined && (await isOfSomebody(reader, accountId, wanted, exactTerms, candidates, after))
  const terms = isSomebodys ? exactTerms : typed
  if (candidates === undefined) yield* walk(reader, accountId, wanted, terms, after)
  else yield* lookUp(reader, accountId, wanted, terms, candidates, after)
}

/** Returns the candidates, or undefined if no word is rare, or if the filters leave fewer registrations than candidates. */
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
  const isFewer = (await reader.read(accountId, tx => countOf(tx, { event_id, status }, most))) < most
  return isFewer ? undefined : candidates
}

/** Returns whether a buyer or an attendee has exactly this e-mail, as far as they can be looked at. */
async function isOfSomebody(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  terms: Terms & { exactEmail: string },
  candidates: ReadonlyMap<number, number> | undefined,
  after: Position | undefined,
): Promise<boolean> {
  const { event_id, status, buyer_email_key = terms.exactEmail } = wanted
  if (after !== undefined) {
    // The page before may have searched by the beginning of the e-mail.
    const rows = await reader.read(accountId, tx => wordStore.listById(tx, after.id))
    const isMatching = async (some: Terms) =>
      (await reader.read(accountId, tx => match(tx, rows, some))).length > 0
    if ((await isMatching({ ...terms, exactEmail: undefined })) && !(await isMatching(terms))) return false
  }
  if (buyer_email_key === terms.exactEmail) {
    const ofBuyer = { buyer_email_key, event_id, status }
    if ((await reader.read(accountId, tx => readSlice(tx, ofBuyer, undefined))).found.length > 0) return true
  }
  let looked = 0
  if (candidates === undefined || candidates.size > MOST_FOR_EMAIL) return false
  for await (const { matching, count } of lookUp(reader, accountId, wanted, terms, candidates, undefined)) {
    if (matching.length > 0) return true
    looked += count
    if (looked > 2 * MOST_FOR_EMAIL) return false
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
  const batches = inBatches(
    reader,
    accountId,
    ROWS_A_READ,
    (tx, last: wordStore.SearchedRow | undefined, size) =>
      wordStore.listSearched(tx, indexed, { limit: size, after: last ?? after }),
  )
  for await (const rows of batches) {
    yield* matchInTurns(reader, accountId, rows, filters, terms)
  }
}

/** Looks at the candidates, given by number and instant, newest first. */
async function* lookUp(
  reader: Reader,
  accountId: string,
  wanted: Wanted,
  terms: Terms,
  candidates: ReadonlyMap<number, number>,
  after: Position | undefined,
): AsyncGenerator<Looked> {
  const isNext = (created_at: number) => after === undefined || created_at <= after.created_at
  // Sorting numbers takes a fraction of the time of sorting rows. No page looks up more than these.
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
    // Registrations of one instant are ordered by their ids, which only their rows have. If they are many, the search goes
    // through them.
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
      rows.push(...(await reader.read(accountId, tx => wordStore.listByNumbers(tx, some, wanted.status))))
      await nextTurn()
    }
    // Looking up a registration takes as long as one more ticket.
    yield { matching: [], count: numbers.length, last: undefined }
    yield* matchInTurns(reader, accountId, inOrder(rows, wanted, after), wanted, terms)
    yield { matching: [], count: 0, last: { created_at: instant, id: BEFORE_ALL_IDS } }
  }
}

/** Compares rows with the filters and the terms, so few at once that nothing else waits long. */
async function* matchInTurns(
  reader: Reader,
  accountId: string,
  rows: readonly wordStore.SearchedRow[],
  filters: Filters,
  terms: Terms,
): AsyncGenerator<Looked> {
  // A row that does not pass the filters costs as little as one ticket.
  const costOf = (row: wordStore.SearchedRow) => (fits(row, filters) ? row.quantity : 1)
  for (let left = rows; left.length > 0; ) {
    const some = left.slice(0, countWithin(left, costOf, TICKETS_A_TURN))
    left = left.slice(some.length)
    const fitting = some.filter(row => fits(row, filters))
    const matching = await reader.read(accountId, tx => match(tx, fitting, terms))
    yield { matching, count: some.reduce((sum, row) => sum + costOf(row), 0), last: some.at(-1) }
    await nextTurn()
  }
}

function fits(row: wordStore.SearchedRow, filters: Filters): boolean {
  const { event_id, status, buyer_email_key, registration_type_id, without_types } = filters
  return (
    row.event_id === (event_id ?? row.event_id) &&
    row.status === (status ?? row.status) &&
    row.buyer_email_key === (buyer_email_key ?? row.buyer_email_key) &&
    row.registration_type_id === (registration_type_id ?? row.registration_type_id) &&
    without_types?.includes(row.registration_type_id) !== true
  )
}

/** Returns the rows that pass every filter, newest first. */
function inOrder(
  rows: readonly wordStore.SearchedRow[],
  filters: Filters,
  after: Position | undefined,
): wordStore.SearchedRow[] {
  return rows
    .filter(row => fits(row, filters) && (after === undefined || newestFirst(after, row) < 0))
    .sort(newestFirst)
}

/** Returns the rows that match every term by their buyers, or otherwise together with their attendees. */
async function match(
  tx: ReadTx,
  rows: readonly wordStore.SearchedRow[],
  terms: Terms,
): Promise<wordStore.SearchedRow[]> {
  const buyerOf = (row: wordStore.SearchedRow): Person => ({ name: row.buyer_name, email: row.buyer_email })
  const others = new Set(rows.filter(row => !areMatched(terms, [buyerOf(row)])))
  const ids = [...others].map(({ id }) => id)
  const holders = await attendees.peopleByRegistration(tx, ids)
  return rows.filter(
    row => !others.has(row) || areMatched(terms, [buyerOf(row), ...(holders.get(row.id) ?? [])]),
  )
}
