import type { Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import { list, type RegistrationPage, toPage } from './rules.ts'
import { readSlice, type Search } from './search-store.ts'
import * as store from './store.ts'

/** A page of the registrations of the account that every filter lets through, newest first. */
export function listFiltered(
  reader: Reader,
  accountId: string,
  filters: { [Filter in keyof Search]: Search[Filter] | undefined },
  page: Page,
): Promise<RegistrationPage> {
  const { buyer_email_key, event_id, status } = filters
  if (buyer_email_key === undefined) {
    return reader.read(tx => list(tx, accountId, { event_id, status }, page))
  }
  if (event_id === undefined && status === undefined) {
    return reader.read(tx => list(tx, accountId, { buyer_email_key }, page))
  }
  return search(reader, accountId, { buyer_email_key, event_id, status }, page)
}

/**
 * A buyer may have a million registrations, and few of an event or a state: they are passed a slice at a time, each in a short
 * read of its own. The page is what the last of these reads shows.
 */
async function search(
  reader: Reader,
  accountId: string,
  wanted: Search,
  page: Page,
): Promise<RegistrationPage> {
  let found: Position[] = []
  let after = page.after
  for (;;) {
    const answer = await reader.read(async tx => {
      const slice = await readSlice(tx, accountId, wanted, after)
      found = [...found, ...slice.found].slice(0, page.limit)
      after = slice.end
      const isFull = found.length === page.limit
      if (!isFull && after !== undefined) return undefined

      const standing: store.ListedRow[] = []
      for (const { id } of found) {
        const row = await store.findListed(tx, accountId, id)
        if (row !== undefined && (wanted.status ?? row.status) === row.status) standing.push(row)
      }
      if (!isFull || standing.length === found.length) {
        return toPage(tx, standing, rows =>
          rows.map(({ id }) => ({ query: store.ONE_ID, params: [accountId, id] })),
        )
      }
      // The state of some has changed between two reads: others take their places.
      after = found.at(-1)
      found = standing
      return undefined
    })
    if (answer !== undefined) return answer
  }
}
