import type { ReadTx, Value } from './port.ts'

/** What one statement lists at most. */
const LONGEST = 128

/**
 * Asks for what a list names, of any length, in as few statements as it takes. A list is filled up to the next power of two
 * with the first of its values, so that there are few texts, each prepared once and kept.
 *
 * @param params what stands before the values, from `$1` on
 * @param textOf the statement, given the list as `($2, $3)`
 * @returns the rows of one statement after those of the other
 */
export async function readInList<Row>(
  tx: ReadTx,
  values: readonly Value[],
  params: readonly Value[],
  textOf: (list: string) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += LONGEST) {
    const some = values.slice(start, start + LONGEST)
    let size = 1
    while (size < some.length) size *= 2
    while (some.length < size) some.push(some[0] as Value)
    const places = some.map((_, at) => `$${params.length + at + 1}`)
    for (const row of await tx.all<Row>(textOf(`(${places.join(', ')})`), [...params, ...some]))
      rows.push(row)
  }
  return rows
}
