import { makeFault } from '#base/faults.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { HEADER_WITHIN, headersOf } from '#product/administration/sheets/header.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import { guessColumns } from './columns.ts'
import type { CheckInput, ImportLine, LineDetails } from './schemas.ts'
import { findSystem } from './systems.ts'

/** The lines below the last possible header that are read with it, and the most bytes of all. */
const SAMPLE = 5
const MAX_READ = 1024 * 1024

/** Lists the first lines of an upload, with those above its header: the possible headers, and some lines below. */
export function listTop(tx: ReadTx, id: string): Promise<ImportLine[]> {
  return sheets.list<LineDetails>(tx, id, { after: 0, limit: HEADER_WITHIN + SAMPLE, bytes: MAX_READ })
}

/** Returns those of the first lines that may be the header: there is a line below each, and what an erasure took is not there. */
export function possibleHeaders(top: readonly ImportLine[]): readonly ImportLine[] {
  return top
    .slice(0, Math.min(HEADER_WITHIN, top.length - 1))
    .filter(({ cells }) => headersOf(cells).length > 0)
}

/**
 * Returns an upload as its lines are read below this header: with its names of columns, and guesses of what these fill.
 * `above` is the number of lines with the header and above it, and is absent if the header stays the same.
 *
 * @throws Problem invalid_parameter for `header_line`, with `details.fault`
 */
export async function readUnder<Some extends Pick<CheckInput, 'headers' | 'header_line' | 'columns'>>(
  tx: ReadTx,
  id: string,
  input: Some,
  headerLine: number | undefined,
): Promise<Some & { above?: number }> {
  if (headerLine === undefined || headerLine === input.header_line) return input
  const top = input.header_line === undefined ? [] : await listTop(tx, id)
  const possible = possibleHeaders(top)
  const chosen = possible.find(({ line }) => line === headerLine)
  if (chosen === undefined)
    throw refusal('header_line', makeFault('oneOf', { values: possible.map(({ line }) => String(line)) }))
  const headers = headersOf(chosen.cells)
  const above = top.filter(({ line }) => line <= headerLine).length
  const found = { headers, header_line: headerLine, columns: guessColumns(headers), above }
  return { ...input, ...found, system: findSystem(headers) }
}
