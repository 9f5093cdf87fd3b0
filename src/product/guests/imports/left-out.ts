import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import type { Language } from '#texts/languages.ts'
import { reasonHeaders } from './columns.ts'
import * as rules from './rules.ts'
import type { CheckInput, ImportLine } from './schemas.ts'

/** Describes what is wrong with a line in the language of its reader. */
export type DescribeLine = (line: ImportLine, input: CheckInput) => string

/** This many lines are read at a time. */
const BATCH = 200

/**
 * Writes the lines of an upload that cannot be imported as a CSV file that people can correct and upload again. It has their
 * columns, and one more that says why each was left out. The file is formula-safe, and `readTable` reverses that.
 *
 * @throws Problem not_found
 */
export async function* leftOut(
  reader: Reader,
  accountId: string,
  id: string,
  { language, tell }: { language: Language; tell: DescribeLine },
): AsyncGenerator<string> {
  const { input } = await reader.read(accountId, tx => rules.get(tx, id))
  yield BYTE_ORDER_MARK + toCsv([[...input.headers, reasonHeaders[language]].map(safeCell)])
  for (const fate of ['wrong', 'sold_out'] as const) {
    let after = 0
    for (;;) {
      const page = { after, limit: BATCH, fate }
      const lines = await reader.read(accountId, tx => rules.listLines(tx, id, page))
      const last = lines.at(-1)
      if (last === undefined) break
      after = last.line
      yield toCsv(lines.map(line => toRow(line, input, tell)))
      await nextTurn()
    }
  }
}

function toRow(line: ImportLine, input: CheckInput, tell: DescribeLine): string[] {
  const cells = input.headers.map((_, at) => line.cells[at] ?? '')
  return [...cells, tell(line, input)].map(safeCell)
}
