import type { Cursors } from '#machinery/db/cursors.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { PageRequest } from './page-request.ts'

/**
 * Returns where a page of a list begins, by its address. It is undefined for the newest page.
 *
 * @param scope names the list, its account and its filters
 * @throws Problem invalid_cursor
 */
export function readCursor(cursors: Cursors, scope: string, { query }: PageRequest): Position | undefined {
  const after = query.get('after')
  return after === null || after === '' ? undefined : cursors.decode(scope, after)
}

/**
 * Returns the cursor of the next page, or undefined on the last page.
 *
 * @param found has one row more than a page shows if there are more
 */
export function toNext(
  cursors: Cursors,
  scope: string,
  found: readonly { position: Position }[],
  perPage: number,
): string | undefined {
  const last = found[perPage - 1]
  return found.length > perPage && last !== undefined ? cursors.encode(scope, last.position) : undefined
}
