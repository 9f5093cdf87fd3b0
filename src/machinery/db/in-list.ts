import type { AnyReadTx, Value } from './port.ts'

/** The most values that one statement lists. */
const LONGEST = 128

/**
 * Reads the rows for a list of values of any length, in as few statements as possible. A list is filled up to the next power of
 * two with its first value. So there are few statement texts, each prepared once and kept.
 *
 * @param params the parameters before the values, from `$1` on
 * @param textOf returns the statement for the list, such as `($2, $3)`
 * @returns the rows of all statements, one statement after the other
 */
export async function readInList<Row>(
  tx: AnyReadTx,
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
    const found = await tx.all<Row>(textOf(listOf(params.length, size)), [...params, ...some])
    if (values.length <= LONGEST) return found
    for (const row of found) rows.push(row)
  }
  return rows
}

/** The key combines how many parameters are before the list and how many values it has. */
const lists = new Map<number, string>()

function listOf(before: number, size: number): string {
  const key = before * (LONGEST + 1) + size
  let list = lists.get(key)
  if (list === undefined) {
    list = `(${Array.from({ length: size }, (_, at) => `$${before + at + 1}`).join(', ')})`
    lists.set(key, list)
  }
  return list
}

/**
 * Keeps the texts of a statement by their lists. Building a text for each request and finding its prepared statement takes 1.7
 * µs.
 */
export function keptTexts(textOf: (list: string) => string): (list: string) => string {
  const texts = new Map<string, string>()
  return list => {
    let text = texts.get(list)
    if (text === undefined) {
      text = textOf(list)
      texts.set(list, text)
    }
    return text
  }
}
