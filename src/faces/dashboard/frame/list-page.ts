import type { Cursors } from '../db/cursors.ts'
import type { Position } from '../db/keyset.ts'
import type { Asked } from './asked.ts'

/**
 * Where a page of a list begins, as its address says; undefined for the newest.
 *
 * @param scope names the list, its account and its filters
 * @throws Problem invalid_cursor
 */
export function readCursor(cursors: Cursors, scope: string, { query }: Asked): Position | undefined {
  const after = query.get('after')
  return after === null || after === '' ? undefined : cursors.decode(scope, after)
}

/**
 * The cursor of the next page.
 *
 * @param found one row more than a page shows, where there are more
 * @returns undefined on the last page
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
