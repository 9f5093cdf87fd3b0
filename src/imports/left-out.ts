import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/batches.ts'
import { tell } from '../faults.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '../reports/csv.ts'
import { REASON } from './columns.ts'
import * as rules from './rules.ts'
import type { CheckInput, ImportLine } from './schemas.ts'

/** Lines that are read at a time. */
const BATCH = 200

/**
 * The lines of an upload that cannot be imported, as a CSV file to be mended and uploaded again: with their columns, and in one
 * more why they were left out. Formula-safe; `readTable` takes that back.
 *
 * @throws Problem not_found
 */
export async function* leftOut(reader: Reader, accountId: string, id: string): AsyncGenerator<string> {
  const { input } = await reader.read(tx => rules.get(tx, accountId, id))
  yield BYTE_ORDER_MARK + toCsv([[...input.headers, REASON].map(safeCell)])
  for (const fate of ['wrong', 'sold_out'] as const) {
    let after = 0
    for (;;) {
      const page = { after, limit: BATCH, fate }
      const lines = await reader.read(tx => rules.listLines(tx, accountId, id, page))
      const last = lines.at(-1)
      if (last === undefined) break
      after = last.line
      yield toCsv(lines.map(line => toRow(line, input)))
      await nextTurn()
    }
  }
}

function toRow(line: ImportLine, { headers, columns }: CheckInput): string[] {
  const { faults = [], same_as } = line.details
  const reasons = faults.map(({ field, fault }) => {
    const at = field === null ? -1 : (columns as string[]).indexOf(field)
    const sentence = tell(at === -1 ? (field ?? 'The line') : (headers[at] ?? ''), fault)
    return fault.key === 'twice' && same_as !== undefined ? `${sentence} (${same_as})` : sentence
  })
  const cells = headers.map((_, at) => line.cells[at] ?? '')
  return [...cells, reasons.join(' ')].map(safeCell)
}
