import * as v from 'valibot'
import type { Page, Position } from '../db/keyset.ts'
import { says } from '../faults.ts'
import { closedObject } from '../fields.ts'
import { BuiltJson, type Listed } from '../resource.ts'
import type { Call } from './route.ts'

const DEFAULT_LIMIT = 25
const MAX_LIMIT = 100
const LIMIT = /^([1-9]\d?|100)$/

/** The query of a list, with its own filters: specification section 4, pagination. */
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

/** The envelope of a list of this resource: specification section 2. */
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

/** Bytes of JSON that a page has at most, roughly. It always has one row, however large. */
const MAX_PAGE = 1024 * 1024

/** The rows of a page that are read at a time. */
interface Rows {
  rows: Iterable<Listed<object>>
  /** More rows of the page follow after the last of these; there is at least one. */
  cut?: boolean
  /** The page ends with these rows, and another page follows. */
  ends?: boolean
  /** After which it follows, where that is not the last of these. */
  end?: Position | undefined
}

type Read = (page: Page) => Promise<Rows>

/**
 * One page of a list: as many rows as the limit says, or as fit into a mebibyte. `read` has to read one row more than the page
 * has: that row shows whether another page follows.
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

/** @returns each row as JSON, whose length is its size */
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
