import * as v from 'valibot'
import type { Page, Position } from '../db/keyset.ts'
import { closedObject } from '../fields.ts'
import type { Call } from './route.ts'

const DEFAULT_LIMIT = 25
const LIMIT = /^([1-9]\d?|100)$/

/** The query of a list, with its own filters: specification section 4, pagination. */
export function listQuery<const Filters extends v.ObjectEntries>(filters: Filters) {
  return closedObject({
    ...filters,
    limit: v.optional(
      v.pipe(
        v.string(),
        v.check(value => LIMIT.test(value), 'must be an integer from 1 to 100'),
        v.transform(Number),
        v.metadata({
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: DEFAULT_LIMIT,
          description: 'The most rows of the page.',
        }),
      ),
    ),
    starting_after: v.optional(
      v.pipe(
        v.string(),
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

/**
 * One page of a list. `read` is asked for one row more than the page has, which tells whether another page follows; it says
 * `cut` when it gives fewer than there are.
 *
 * @throws Problem invalid_cursor
 */
export async function answerPage<Row extends Position, Resource>(
  call: Call<{ limit?: number | undefined; starting_after?: string | undefined }, never>,
  list: string,
  filters: Readonly<Record<string, string | undefined>>,
  read: (page: Page) => Promise<{ rows: Row[]; present: (row: Row) => Resource; cut?: boolean }>,
): Promise<List<Resource>> {
  const { limit = DEFAULT_LIMIT, starting_after: cursor } = call.query
  const scope = JSON.stringify([list, call.accountId, filters])
  const after = cursor === undefined ? undefined : call.cursors.decode(scope, cursor)
  const { rows, present, cut = false } = await read({ limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = (rows.length > limit || cut) && last !== undefined
  return {
    object: 'list',
    data: page.map(present),
    has_more: hasMore,
    next_cursor: hasMore ? call.cursors.encode(scope, last) : '',
  }
}
