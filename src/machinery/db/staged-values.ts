import { AT_WRITE } from './port.ts'

/**
 * Returns what a write inserts of staged rows, as SQL: their columns, where an instant that stands for that of the write is
 * replaced, and what only the write knows is added.
 */
export function stagedValues(
  columns: readonly string[],
  now: number,
  added: Readonly<Record<string, number>>,
): string {
  const values = columns.map(column => {
    if (column.endsWith('_at')) return `CASE ${column} WHEN ${AT_WRITE} THEN ${now} ELSE ${column} END`
    return added[column] === undefined ? column : `${column} + ${added[column]}`
  })
  return values.join(', ')
}
