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
}

/** A filter is a value, the values that a column must not have, or undefined for any. */
export type Filters = Readonly<Record<string, Value | { without: readonly Value[] } | undefined>>

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
    if (typeof value === 'object' && value !== null) {
      for (const other of value.without) conditions.push(`${alias}.${column} <> ${bind(other)}`)
      continue
    }
    conditions.push(`${alias}.${column} ${value === null ? 'IS NULL' : `= ${bind(value)}`}`)
  }
  if (page.after !== undefined) {
    conditions.push(
      `(${alias}.created_at, ${alias}.id) < (${bind(page.after.created_at)}, ${bind(page.after.id)})`,
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
