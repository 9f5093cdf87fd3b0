import type { Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import { type RegistrationPage, toPage } from './rules.ts'
import { readSlice, type Search } from './search-store.ts'
import * as store from './store.ts'

/**
 * A page of the buyer's registrations that pass every filter, newest first. A buyer may have a million, and few of one event
 * or state: the search goes through them a slice at a time, each in a short read of its own. The page is read by the last of
 * these reads, and ends early where it is large: no row is kept in memory while another is looked for.
 */
export async function search(
  reader: Reader,
  accountId: string,
  wanted: Search,
  page: Page,
): Promise<Omit<RegistrationPage, 'cut'> & { ends: boolean }> {
  let found: Position[] = []
  let after = page.after
  for (;;) {
    const answer = await reader.read(async tx => {
      const slice = await readSlice(tx, accountId, wanted, after)
      found = [...found, ...slice.found].slice(0, page.limit)
      after = slice.end
      const isFull = found.length === page.limit
      if (!isFull && after !== undefined) return undefined

      const ids = found.map(({ id }) => id)
      const standing = await store.listStanding(tx, accountId, ids, wanted.status)
      if (!isFull || standing.length === found.length) {
        return toPage(tx, accountId, standing)
      }
      // The status of some has changed between two reads: the search goes on for others in their places.
      after = found.at(-1)
      found = standing
      return undefined
    })
    if (answer === undefined) continue
    const { cut, ...rest } = answer
    return { ...rest, ends: cut }
  }
}
