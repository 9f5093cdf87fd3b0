import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject } from '#base/fields.ts'
import { BuiltJson, type Listed } from '#base/resource.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { Call } from './route.ts'

const DEFAULT_LIMIT = 25
const MAX_LIMIT = 100
const LIMIT = /^([1-9]\d?|100)$/

/** Returns the schema of the query of a list, with the list's own filters (specification section 4, pagination). */
export function listQuery<const Filters extends v.ObjectEntries>(filters: Filters) {
  return closedObject({
    ...filters,
    limit: v.optional(
      v.pipe(
        v.string(says('string')),
        v.check(value => LIMIT.test(value), says('integer', { min: 1, max: MAX_LIMIT })),
        v.transform(Number),
        v.metadata({
          type: 'integer',
          minimum: 1,
          maximum: MAX_LIMIT,
          default: DEFAULT_LIMIT,
          description: 'The most rows of the page. It has fewer where they are very large: see `has_more`.',
        }),
      ),
    ),
    starting_after: v.optional(
      v.pipe(
        v.string(says('string')),
        v.metadata({ description: 'The `next_cursor` of the previous page, with the same filters.' }),
      ),
    ),
  })
}

/** Returns the schema of the envelope of a list of this resource (specification section 2). */
export function listSchema<const Item extends v.GenericSchema>(item: Item) {
  return v.object({
    object: v.literal('list'),
    data: v.pipe(v.array(item), v.metadata({ description: 'The rows of the page, newest first.' })),
    has_more: v.pipe(v.boolean(), v.metadata({ description: 'Whether another page follows.' })),
    next_cursor: v.pipe(
      v.string(),
      v.metadata({ description: 'Opaque: hand it back as `starting_after`. Empty on the last page.' }),
    ),
  })
}

export interface List<Resource> {
  object: 'list'
  data: Resource[]
  has_more: boolean
  next_cursor: string
}

export function completeList<Resource>(data: Resource[]): List<Resource> {
  return { object: 'list', data, has_more: false, next_cursor: '' }
}

export function listExample(item: unknown): unknown {
  return completeList([item])
}

/** A page has at most about this many bytes of JSON. It always has at least one row, however large that row is. */
const MAX_PAGE = 1024 * 1024

/** One call of `read` returns these rows of a page. */
interface Rows {
  rows: Iterable<Listed<object>>
  /** The page goes on after the last of these rows. There is at least one of them. */
  cut?: boolean
  /** The page ends with these rows, and another page follows. */
  ends?: boolean
  /** The next page starts after this position. It is left out if that is the position of the last of these rows. */
  end?: Position | undefined
}

type Read = (page: Page) => Promise<Rows>

/**
 * Returns one page of a list. It has as many rows as the limit allows, or as fit into a mebibyte. `read` has to read one row more
 * than the page has, because that row shows whether another page follows.
 *
 * @throws Problem invalid_cursor
 */
export async function answerPage(
  call: Call<{ limit?: number | undefined; starting_after?: string | undefined }, never>,
  list: string,
  filters: Readonly<Record<string, string | undefined>>,
  read: Read,
): Promise<BuiltJson> {
  const { limit = DEFAULT_LIMIT, starting_after: cursor } = call.query
  const scope = JSON.stringify([list, call.accountId, filters])
  const after = cursor === undefined ? undefined : call.cursors.decode(scope, cursor)
  const { rows, last, hasMore } = await collectPage(read, limit, after)
  const next = hasMore && last !== undefined ? call.cursors.encode(scope, last) : ''
  const end = JSON.stringify({ has_more: next !== '', next_cursor: next })
  return new BuiltJson(`{"object":"list","data":[${rows.join(',')}],${end.slice(1)}`)
}

/** @returns each row as JSON, because the length of that text is the row's size */
async function collectPage(
  read: Read,
  limit: number,
  start: Position | undefined,
): Promise<{ rows: string[]; last: Position | undefined; hasMore: boolean }> {
  const collected: string[] = []
  let last: Position | undefined
  let bytes = 0
  for (;;) {
    const page = { limit: limit + 1 - collected.length, after: last ?? start }
    const { rows, cut = false, ends = false, end } = await read(page)
    for (const { position, resource } of rows) {
      if (collected.length === limit) return { rows: collected, last, hasMore: true }
      const json = JSON.stringify(resource)
      bytes += Buffer.byteLength(json)
      if (bytes > MAX_PAGE && last !== undefined) return { rows: collected, last, hasMore: true }
      collected.push(json)
      last = position
    }
    if (!cut) return { rows: collected, last: end ?? last, hasMore: ends }
  }
}
