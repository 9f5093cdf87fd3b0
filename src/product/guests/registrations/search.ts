import type { Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import { type RegistrationPage, toPage } from './rules.ts'
import { readSlice, type Search } from './search-store.ts'
import * as store from './store.ts'

/**
 * Returns a page of the buyer's registrations that pass every filter, newest first. A buyer may have a million, and few of one
 * event or state, so the search goes through them one slice at a time, each in a short read of its own. The last of these reads
 * also reads the page, which ends early if it is large. No row stays in memory while another is looked for.
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
    const answer = await reader.read(accountId, async tx => {
      const slice = await readSlice(tx, wanted, after)
      found = [...found, ...slice.found].slice(0, page.limit)
      after = slice.end
      const isFull = found.length === page.limit
      if (!isFull && after !== undefined) return undefined

      const ids = found.map(({ id }) => id)
      const standing = await store.listStanding(tx, ids, wanted.status)
      if (!isFull || standing.length === found.length) {
        return toPage(tx, standing)
      }
      // Some registrations have changed their status between two reads, so the search goes on to replace them.
      after = found.at(-1)
      found = standing
      return undefined
    })
    if (answer === undefined) continue
    const { cut, ...rest } = answer
    return { ...rest, ends: cut }
  }
}
