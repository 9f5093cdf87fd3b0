import type { AnyReadTx, Value } from './port.ts'

/** The position of a row in the order of time. */
export interface Position {
  created_at: number
  id: string
}

/** Sorts rows of several lists in the order that each list has. */
export function newestFirst(one: Position, other: Position): number {
  return other.created_at - one.created_at || (other.id < one.id ? -1 : 1)
}

export interface Page {
  limit: number
  /** The page starts after this row, in the order newest first. */
  after?: Position | undefined
  /** The page ends with this row at the latest. */
  until?: Position | undefined
}

export type Filters = Readonly<Record<string, Value | undefined>>

/**
 * Returns the condition, order and parameters of one page of `alias`, newest first. A filter that is undefined is left out.
 *
 * @param condition a further one of `alias`, without parameters
 */
export function keysetPage(
  alias: string,
  filters: Filters,
  page: Page,
  condition?: string,
): { clause: string; params: Value[] } {
  const conditions: string[] = condition === undefined ? [] : [condition]
  const params: Value[] = []
  const bind = (value: Value) => `$${params.push(value)}`
  for (const [column, value] of Object.entries(filters)) {
    if (value === undefined) continue
    conditions.push(`${alias}.${column} ${value === null ? 'IS NULL' : `= ${bind(value)}`}`)
  }
  if (page.after !== undefined) {
    conditions.push(
      `(${alias}.created_at, ${alias}.id) < (${bind(page.after.created_at)}, ${bind(page.after.id)})`,
    )
  }
  if (page.until !== undefined) {
    conditions.push(
      `(${alias}.created_at, ${alias}.id) >= (${bind(page.until.created_at)}, ${bind(page.until.id)})`,
    )
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')} `
  const clause = `${where}ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT ${bind(page.limit)}`
  return { clause, params }
}

/** Reads one page. `select` is the text up to the condition, and names its table by the alias `alias`. */
export function readPage<Row>(
  tx: AnyReadTx,
  select: string,
  alias: string,
  filters: Filters,
  page: Page,
  condition?: string,
): Promise<Row[]> {
  const { clause, params } = keysetPage(alias, filters, page, condition)
  return tx.all<Row>(`${select} ${clause}`, params)
}

/** One read leaves rows out among this many at most, which takes some milliseconds. */
const SLICE = 2_000

/**
 * Reads one page without the rows that do not meet `kept`, for which no index helps. It goes through so many rows at most that
 * nothing else waits long, so the page may have fewer rows than its limit, or none.
 *
 * @param from the table with its alias
 * @returns the rows, and where the next page begins if this one was not filled; undefined at the end
 */
export async function readThinnedPage<Row>(
  tx: AnyReadTx,
  { select, from, alias, kept }: { select: string; from: string; alias: string; kept: string },
  filters: Filters,
  page: Page,
  condition?: string,
): Promise<{ rows: Row[]; end: Position | undefined }> {
  const last = keysetPage(alias, filters, { limit: 1, after: page.after }, condition)
  const end = await tx.one<Position>(
    `SELECT ${alias}.created_at, ${alias}.id FROM ${from} ${last.clause} OFFSET ${SLICE - 1}`,
    last.params,
  )
  const all = condition === undefined ? kept : `${condition} AND ${kept}`
  const rows = await readPage<Row>(tx, select, alias, filters, { ...page, until: end }, all)
  return { rows, end: rows.length < page.limit ? end : undefined }
}
