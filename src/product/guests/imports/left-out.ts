import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '../reports/csv.ts'
import type { Language } from '../web/texts/languages.ts'
import { reasonHeaders } from './columns.ts'
import * as rules from './rules.ts'
import type { CheckInput, ImportLine } from './schemas.ts'

/** What is wrong with a line, in the language of whoever reads it. */
export type TellLine = (line: ImportLine, input: CheckInput) => string

/** Lines that are read at a time. */
const BATCH = 200

/**
 * The lines of an upload that cannot be imported, as a CSV file to be mended and uploaded again: with their columns, and in one
 * more why they were left out. Formula-safe; `readTable` takes that back.
 *
 * @throws Problem not_found
 */
export async function* leftOut(
  reader: Reader,
  accountId: string,
  id: string,
  { language, tell }: { language: Language; tell: TellLine },
): AsyncGenerator<string> {
  const { input } = await reader.read(tx => rules.get(tx, accountId, id))
  yield BYTE_ORDER_MARK + toCsv([[...input.headers, reasonHeaders[language]].map(safeCell)])
  for (const fate of ['wrong', 'sold_out'] as const) {
    let after = 0
    for (;;) {
      const page = { after, limit: BATCH, fate }
      const lines = await reader.read(tx => rules.listLines(tx, accountId, id, page))
      const last = lines.at(-1)
      if (last === undefined) break
      after = last.line
      yield toCsv(lines.map(line => toRow(line, input, tell)))
      await nextTurn()
    }
  }
}

function toRow(line: ImportLine, input: CheckInput, tell: TellLine): string[] {
  const cells = input.headers.map((_, at) => line.cells[at] ?? '')
  return [...cells, tell(line, input)].map(safeCell)
}
