import type { Source } from '#machinery/tables/encoding.ts'
import { type Keep, readSheet, type Table } from '#product/administration/sheets/table.ts'
import { countRecognized } from './columns.ts'
import { isPretixJson, pretixToCsv } from './pretix-json.ts'
import { sheetMarks } from './systems.ts'

/** Reads a table of guests, or the JSON of pretix as the table that it would be. @throws Problem those of `readSheet` */
export function readTable(given: Uint8Array | Source, keep?: Keep): Promise<Table> {
  return readSheet(given, countRecognized, keep, {
    marks: sheetMarks,
    convert: (file, beginning) => (isPretixJson(beginning) ? pretixToCsv(file) : undefined),
  })
}
