import { fold } from '#base/fold.ts'
import { Problem } from '#base/problem.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as store from './brief-store.ts'
import { type Abstract, readAuthors } from './schemas.ts'
import { abstractStatuses } from './states.ts'
import { getSubmitted, type SubmittedAbstract } from './submitted.ts'

type Status = Abstract['status']
export type State = store.State

/** The part of an abstract that lists show. It leaves out the text, which can have 400 kB. */
export interface BriefAbstract
  extends Pick<Abstract, 'id' | 'code' | 'title' | 'authors' | 'contact' | 'status' | 'submitted_at'> {
  isWithdrawn: boolean
  position: Position
}

/** Selects abstracts of an event. */
export interface Wanted {
  event_id: string
  /** Without one, all that were not withdrawn. */
  state?: State | undefined
  /** Each of its words must occur in the code, the title, or the name or e-mail of an author or the contact. */
  text?: string | undefined
}

/** The number of rows that a search reads at a time. */
const SLICE = 100
/** The characters that a page of a search looks at, in some 20 ms. They are the titles and authors of thousands of abstracts. */
const MOST_LOOKED_AT = 1_000_000
/** The same limit for a search for the neighbours of an abstract, in each direction. */
const MOST_LOOKED_AT_BESIDE = 200_000
/** The size of a row besides its texts, in characters. */
const ROW_SIZE = 200

export interface BriefPage {
  rows: BriefAbstract[]
  /** Where the next page begins, even if a search has found nothing so far. It is undefined at the end. */
  next: Position | undefined
}

/** Lists the abstracts of an event, newest first. A search that finds few among many ends a page before it is full. */
export async function listOfEvent(tx: ReadTx, wanted: Wanted, { limit, after }: Page): Promise<BriefPage> {
  return search({ text: wanted.text, limit, most: MOST_LOOKED_AT }, after, (from, size) =>
    store.listBriefly(tx, filtersOf(wanted), { limit: size, after: from }),
  )
}

/** The ids of the abstracts next to one in a list. */
export interface Neighbours {
  newer: string | undefined
  older: string | undefined
}

/** @param id of an abstract of the event, whether or not it is in the list. One that has just been decided may have left it */
export async function findNeighbours(tx: ReadTx, wanted: Wanted, id: string): Promise<Neighbours> {
  const row = await store.findBriefly(tx, id)
  if (row === undefined) return { newer: undefined, older: undefined }
  const filters = filtersOf(wanted)
  const sought = { text: wanted.text, limit: 1, most: MOST_LOOKED_AT_BESIDE }
  const older = await search(sought, row, (after, limit) => store.listBriefly(tx, filters, { limit, after }))
  const newer = await search(sought, row, (after, limit) => store.listNewer(tx, filters, after ?? row, limit))
  return { newer: newer.rows[0]?.id, older: older.rows[0]?.id }
}

function filtersOf({ event_id, state }: Wanted): store.EventFilters {
  return { event_id, state }
}

/** The search words, how many abstracts are wanted, and after how many characters the search ends. */
interface Sought {
  text: string | undefined
  limit: number
  most: number
}

/**
 * Goes through rows until it has enough matches or has looked at enough.
 *
 * @param read reads rows after a position, in its order
 */
async function search(
  { text = '', limit, most }: Sought,
  after: Position | undefined,
  read: (after: Position | undefined, size: number) => Promise<store.BriefRow[]>,
): Promise<BriefPage> {
  const words = wordsOf(text)
  const size = words.length === 0 ? limit + 1 : SLICE
  const rows: BriefAbstract[] = []
  let looked = 0
  for (let from = after; ; ) {
    const slice = await read(from, size)
    for (const row of slice) {
      const found = matches(row, words)
      if (found && rows.length === limit) return { rows, next: rows.at(-1)?.position }
      if (found) rows.push(present(row))
      looked += row.title.length + row.authors.length + ROW_SIZE
      from = toPosition(row)
    }
    if (slice.length < size) return { rows, next: undefined }
    if (looked >= most) return { rows, next: from }
  }
}

/** Returns the words of a search. */
export function wordsOf(text: string): string[] {
  return fold(text).split(/\s+/u).filter(Boolean)
}

/** Returns whether each word occurs in the code, the title, or the name or e-mail of an author or the contact. */
export function matches(
  { code, title, authors, contact }: Pick<Abstract, 'code' | 'title'> & { authors: string; contact: string },
  words: readonly string[],
): boolean {
  if (words.length === 0) return true
  const people = [...(JSON.parse(authors) as Abstract['authors']), JSON.parse(contact) as Abstract['contact']]
  const texts = people.flatMap(({ name, email }) => [name, email ?? ''])
  const text = fold([code, title, ...texts].join('\n'))
  return words.every(word => text.includes(word))
}

function toPosition({ created_at, id }: Position): Position {
  return { created_at, id }
}

function present(row: store.BriefRow): BriefAbstract {
  const { id, code, title, status, submitted_at } = row
  return {
    ...{ id, code, title, status, submitted_at: toIsoOrNull(submitted_at) },
    isWithdrawn: row.withdrawn_at !== null,
    authors: readAuthors(row),
    contact: JSON.parse(row.contact) as Abstract['contact'],
    position: toPosition(row),
  }
}

/** How far each state is counted. All states together are at most 20,000 rows. */
export const MOST_COUNTED = 5_000

/** Counts the abstracts of an event in each state, no further than `MOST_COUNTED`. */
export async function countByStatus(tx: ReadTx, eventId: string): Promise<Record<Status, number>> {
  const counts: Partial<Record<Status, number>> = {}
  for (const status of abstractStatuses) {
    counts[status] = await store.countUpTo(tx, eventId, status, MOST_COUNTED)
  }
  return counts as Record<Status, number>
}

/** Counts the abstracts of an event that were withdrawn, no further than `MOST_COUNTED`. */
export function countWithdrawn(tx: ReadTx, eventId: string): Promise<number> {
  return store.countUpTo(tx, eventId, 'withdrawn', MOST_COUNTED)
}

/** Counts those whose authors are asked to confirm that they come, and have not, no further than `MOST_COUNTED`. */
export function countUnconfirmed(tx: ReadTx, eventId: string): Promise<number> {
  return store.countUpTo(tx, eventId, 'unconfirmed', MOST_COUNTED)
}

/** @throws Problem not_found, also for an abstract of another event of the account */
export async function getOfEvent(tx: ReadTx, eventId: string, id: string): Promise<SubmittedAbstract> {
  const abstract = await getSubmitted(tx, id)
  if (abstract.event_id !== eventId) throw new Problem('not_found')
  return abstract
}

/** Does the same in the form that lists show. @throws Problem not_found */
export async function getBriefly(tx: ReadTx, eventId: string, id: string): Promise<BriefAbstract> {
  const row = await store.findBriefly(tx, id)
  if (row === undefined || row.event_id !== eventId) throw new Problem('not_found')
  return present(row)
}
