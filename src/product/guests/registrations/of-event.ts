import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import { type RegistrationPage, type RegistrationStatus, toPage } from './rules.ts'
import * as searchStore from './search-store.ts'
import { registrationStatuses } from './states.ts'
import * as store from './store.ts'
import { type Looked, look, MOST_LOOKED_AT } from './word-search.ts'

/** Slices of an event that a page goes through before it ends: 150,000 registrations, some 70 ms. */
const MOST_SLICES = 30
/** The same for the numbers in tabs. */
const MOST_COUNTED_SLICES = 10
const MOST_COUNTED = 10_000

/**
 * A page of the registrations of one type, newest first. Where they are few among many it may have fewer rows than its limit, or
 * none, and goes on after `end`.
 */
export async function listByType(
  reader: Reader,
  accountId: string,
  wanted: searchStore.TypeSearch,
  page: Page,
): Promise<Omit<RegistrationPage, 'cut'> & { ends: boolean; end?: Position | undefined }> {
  let found: Position[] = []
  let end: Position | undefined
  let after = page.after
  for (let slices = 1; ; slices++) {
    const slice = await reader.read(tx => searchStore.readTypeSlice(tx, accountId, wanted, after))
    found = [...found, ...slice.found.slice(0, page.limit)].slice(0, page.limit)
    if (found.length === page.limit || slice.end === undefined) break
    after = slice.end
    if (slices === MOST_SLICES) {
      end = slice.end
      break
    }
    await nextTurn()
  }
  return reader.read(async tx => {
    const ids = found.map(({ id }) => id)
    const standing = await store.listStanding(tx, accountId, ids, wanted.status)
    const { rows, cut } = await toPage(tx, accountId, standing)
    if (cut) return { rows, ends: true }
    const rest = end ?? (standing.length < found.length ? found.at(-1) : undefined)
    return { rows, ends: rest !== undefined, end: rest }
  })
}

export interface Counted {
  count: number
  /** There are, or may be, more. */
  isMore: boolean
}

export type Counts = Record<RegistrationStatus | 'all', Counted>

export interface CountedFilters {
  event_id: string
  registration_type_id?: string | undefined
  /** What `searchWords` takes. */
  text?: string | undefined
}

/**
 * How many registrations of an event a search finds, in all and in each state: each counted to `most`, and no further than a page
 * would look.
 */
export async function countUpTo(
  reader: Reader,
  accountId: string,
  { event_id, registration_type_id, text }: CountedFilters,
  most = MOST_COUNTED,
): Promise<Counts> {
  if (text !== undefined) {
    const wanted = { text, event_id, registration_type_id, status: undefined, buyer_email_key: undefined }
    return countLooks(look(reader, accountId, wanted, undefined), most)
  }
  if (registration_type_id !== undefined) {
    return countByType(reader, accountId, { event_id, registration_type_id, status: undefined }, most)
  }
  const tally = new Tally(most)
  for (const status of ['all', ...registrationStatuses] as const) {
    const only = status === 'all' ? undefined : status
    tally.set(status, await reader.read(tx => searchStore.countUpTo(tx, accountId, event_id, only, most + 1)))
  }
  return tally.counts(false)
}

/** The same of what a search looks at. */
export async function countLooks(looks: AsyncIterable<Looked>, most = MOST_COUNTED): Promise<Counts> {
  const tally = new Tally(most)
  let looked = 0
  for await (const { matching, count, last } of looks) {
    for (const { status } of matching) tally.add(status)
    looked += count
    if (looked >= MOST_LOOKED_AT && last !== undefined) return tally.counts(true)
  }
  return tally.counts(false)
}

async function countByType(
  reader: Reader,
  accountId: string,
  wanted: searchStore.TypeSearch,
  most: number,
): Promise<Counts> {
  const tally = new Tally(most)
  let after: Position | undefined
  for (let slices = 0; slices < MOST_COUNTED_SLICES; slices++) {
    const slice = await reader.read(tx => searchStore.readTypeSlice(tx, accountId, wanted, after))
    for (const { status } of slice.found) tally.add(status)
    after = slice.end
    if (after === undefined) return tally.counts(false)
    await nextTurn()
  }
  return tally.counts(true)
}

/** Counts in each state and in all. */
class Tally {
  readonly #most: number
  readonly #counts = { all: 0, pending: 0, confirmed: 0, failed: 0, refunded: 0, cancelled: 0 }

  constructor(most: number) {
    this.#most = most
  }

  add(status: RegistrationStatus): void {
    this.#counts.all++
    this.#counts[status]++
  }

  set(status: RegistrationStatus | 'all', count: number): void {
    this.#counts[status] = count
  }

  counts(isCutOff: boolean): Counts {
    const told = (count: number): Counted => ({
      count: Math.min(count, this.#most),
      isMore: isCutOff || count > this.#most,
    })
    const { all, pending, confirmed, failed, refunded, cancelled } = this.#counts
    return {
      all: told(all),
      pending: told(pending),
      confirmed: told(confirmed),
      failed: told(failed),
      refunded: told(refunded),
      cancelled: told(cancelled),
    }
  }
}
