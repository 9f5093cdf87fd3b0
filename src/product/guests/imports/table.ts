import type { Source } from '#machinery/tables/encoding.ts'
import { type Keep, readSheet, type Table } from '#product/administration/sheets/table.ts'
import { countRecognized } from './columns.ts'

/** Reads a table of guests. @throws Problem those of `readSheet` */
export function readTable(given: Uint8Array | Source, keep?: Keep): Promise<Table> {
  return readSheet(given, countRecognized, keep)
}
