import { createHash } from 'node:crypto'

/**
 * Returns abstracts in an order of a reviewer's own, always the same. No two reviewers can compare their places, and nobody learns
 * from it what came first.
 */
export function orderFor<Row extends { code: string }>({ id }: { id: string }, rows: readonly Row[]): Row[] {
  const placed = rows.map(row => ({
    row,
    place: createHash('sha256').update(`${id} ${row.code}`).digest('hex'),
  }))
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ row }) => row)
}
