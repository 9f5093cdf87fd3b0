import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import { type RegistrationPage, type RegistrationStatus, toPage } from './rules.ts'
import * as searchStore from './search-store.ts'
import { registrationStatuses } from './states.ts'
import * as store from './store.ts'
import { type Looked, look, MOST_LOOKED_AT } from './word-search.ts'

/** A page goes through this many slices of an event before it ends: 150,000 registrations, some 70 ms. */
const MOST_SLICES = 30
/** Counting for the numbers in tabs goes through this many slices. */
const MOST_COUNTED_SLICES = 10
const MOST_COUNTED = 10_000

/**
 * Returns a page of the registrations of one type, or of all but some, newest first. If these are few among many, the page may have fewer rows than
 * its limit or none, and the list goes on after `end`.
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
    const slice = await reader.read(accountId, tx => searchStore.readTypeSlice(tx, wanted, after))
    found = [...found, ...slice.found.slice(0, page.limit)].slice(0, page.limit)
    if (found.length === page.limit || slice.end === undefined) break
    after = slice.end
    if (slices === MOST_SLICES) {
      end = slice.end
      break
    }
    await nextTurn()
  }
  return reader.read(accountId, async tx => {
    const ids = found.map(({ id }) => id)
    const standing = await store.listStanding(tx, ids, wanted.status)
    const { rows, cut } = await toPage(tx, standing)
    if (cut) return { rows, ends: true }
    const rest = end ?? (standing.length < found.length ? found.at(-1) : undefined)
    return { rows, ends: rest !== undefined, end: rest }
  })
}

export interface Counted {
  count: number
  /** Whether there are, or may be, more. */
  isMore: boolean
}

export type Counts = Record<RegistrationStatus | 'all', Counted>

export interface CountedFilters {
  event_id: string
  registration_type_id?: string | undefined
  without_types?: readonly string[] | undefined
  /** The text that `searchWords` takes. */
  text?: string | undefined
}

/**
 * Counts the registrations of an event that a search finds, in all and in each state. It counts each up to `most` and looks no
 * further than a page would.
 */
export async function countUpTo(
  reader: Reader,
  accountId: string,
  { event_id, registration_type_id, without_types, text }: CountedFilters,
  most = MOST_COUNTED,
): Promise<Counts> {
  if (text !== undefined) {
    const ofTypes = { registration_type_id, without_types }
    const wanted = { text, event_id, ...ofTypes, status: undefined, buyer_email_key: undefined }
    return countLookedAt(look(reader, accountId, wanted, undefined), most)
  }
  if (registration_type_id !== undefined || without_types !== undefined) {
    const wanted = { event_id, registration_type_id, without_types, status: undefined }
    return countByType(reader, accountId, wanted, most)
  }
  const tally = new Tally(most)
  for (const status of ['all', ...registrationStatuses] as const) {
    const only = status === 'all' ? undefined : status
    const filters = { event_id, status: only }
    tally.set(status, await reader.read(accountId, tx => searchStore.countOf(tx, filters, most + 1)))
  }
  return tally.counts(false)
}

/** Counts what a search looks at in the same way. */
export async function countLookedAt(lookups: AsyncIterable<Looked>, most = MOST_COUNTED): Promise<Counts> {
  const tally = new Tally(most)
  let looked = 0
  for await (const { matching, count, last } of lookups) {
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
    const slice = await reader.read(accountId, tx => searchStore.readTypeSlice(tx, wanted, after))
    for (const { status } of slice.found) tally.add(status)
    after = slice.end
    if (after === undefined) return tally.counts(false)
    await nextTurn()
  }
  return tally.counts(true)
}

/** Tallies the counts in each state and in all. */
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
    const shown = (count: number): Counted => ({
      count: Math.min(count, this.#most),
      isMore: isCutOff || count > this.#most,
    })
    const { all, pending, confirmed, failed, refunded, cancelled } = this.#counts
    return {
      all: shown(all),
      pending: shown(pending),
      confirmed: shown(confirmed),
      failed: shown(failed),
      refunded: shown(refunded),
      cancelled: shown(cancelled),
    }
  }
}
