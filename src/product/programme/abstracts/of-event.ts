import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { toIsoOrNull } from '../time.ts'
import { fold } from '../words.ts'
import { get } from './rules.ts'
import type { Abstract } from './schemas.ts'
import { abstractStatuses } from './states.ts'
import * as store from './store.ts'

type Status = Abstract['status']

/** What lists show of an abstract: without its text, which can have 400 kB. */
export interface BriefAbstract
  extends Pick<Abstract, 'id' | 'code' | 'title' | 'authors' | 'contact' | 'status' | 'submitted_at'> {
  position: Position
}

/** Which abstracts of an event. */
export interface Wanted {
  event_id: string
  status?: Status | undefined
  /** Each of its words stands in the code, the title, or the name or e-mail of an author or the contact. */
  text?: string | undefined
}

/** Read at a time by a search. */
const SLICE = 100
/** Characters that a page of a search looks at, some 20 ms: the titles and authors of thousands. */
const MOST_LOOKED_AT = 1_000_000
/** The same for what is next to an abstract, either way. */
const MOST_LOOKED_AT_BESIDE = 200_000
/** What a row has beside its texts, in characters. */
const ROW_SIZE = 200

export interface BriefPage {
  rows: BriefAbstract[]
  /** Where the next page begins, also where a search has found nothing yet; undefined at the end. */
  next: Position | undefined
}

/** Newest first. A search that finds few among many ends a page before it is full. */
export async function listOfEvent(
  tx: ReadTx,
  accountId: string,
  wanted: Wanted,
  { limit, after }: Page,
): Promise<BriefPage> {
  return search({ text: wanted.text, limit, most: MOST_LOOKED_AT }, after, (from, size) =>
    store.listBriefly(tx, accountId, filtersOf(wanted), { limit: size, after: from }),
  )
}

/** The ids of the abstracts next to one in a list. */
export interface Neighbours {
  newer: string | undefined
  older: string | undefined
}

/** @param id of an abstract of the event, in the list or not: one that has just been decided may have left it */
export async function findNeighbours(
  tx: ReadTx,
  accountId: string,
  wanted: Wanted,
  id: string,
): Promise<Neighbours> {
  const row = await store.findBriefly(tx, accountId, id)
  if (row === undefined) return { newer: undefined, older: undefined }
  const filters = filtersOf(wanted)
  const sought = { text: wanted.text, limit: 1, most: MOST_LOOKED_AT_BESIDE }
  const older = await search(sought, row, (after, limit) =>
    store.listBriefly(tx, accountId, filters, { limit, after }),
  )
  const newer = await search(sought, row, (after, limit) =>
    store.listNewer(tx, accountId, filters, after ?? row, limit),
  )
  return { newer: newer.rows[0]?.id, older: older.rows[0]?.id }
}

function filtersOf({ event_id, status }: Wanted): store.EventFilters {
  return { event_id, status }
}

/** How many are wanted, and after how many characters it ends. */
interface Sought {
  text: string | undefined
  limit: number
  most: number
}

/** Goes along rows until it has enough that match, or has looked at enough. @param read reads after a position, in its order */
async function search(
  { text = '', limit, most }: Sought,
  after: Position | undefined,
  read: (after: Position | undefined, size: number) => Promise<store.BriefRow[]>,
): Promise<BriefPage> {
  const words = fold(text).split(/\s+/u).filter(Boolean)
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

function matches({ code, title, authors, contact }: store.BriefRow, words: readonly string[]): boolean {
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
    authors: JSON.parse(row.authors) as Abstract['authors'],
    contact: JSON.parse(row.contact) as Abstract['contact'],
    position: toPosition(row),
  }
}

/** How far each state is counted: all of them are 20,000 rows at most. */
export const MOST_COUNTED = 5_000

/** How many abstracts of an event are in each state, up to `MOST_COUNTED`. */
export async function countByStatus(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Record<Status, number>> {
  const counts: Partial<Record<Status, number>> = {}
  for (const status of abstractStatuses) {
    counts[status] = await store.countUpTo(tx, accountId, eventId, status, MOST_COUNTED)
  }
  return counts as Record<Status, number>
}

/** @throws Problem not_found, also for one of another event of the account */
export async function getOfEvent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Abstract> {
  const abstract = await get(tx, accountId, id)
  if (abstract.event_id !== eventId) throw new Problem('not_found')
  return abstract
}

/** The same, as lists have it. @throws Problem not_found */
export async function getBriefly(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<BriefAbstract> {
  const row = await store.findBriefly(tx, accountId, id)
  if (row === undefined || row.event_id !== eventId) throw new Problem('not_found')
  return present(row)
}
