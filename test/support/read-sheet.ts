import Papa from 'papaparse'
import { sourceOf } from '#machinery/tables/lines.ts'
import { readWorkbook } from '#machinery/workbooks/reading.ts'

/** Returns the rows of the first sheet of a workbook, as an import reads them. */
export async function readSheetRows(file: Uint8Array): Promise<string[][]> {
  const pieces: Uint8Array[] = []
  for await (const piece of readWorkbook(sourceOf(file))) pieces.push(piece)
  const text = Buffer.concat(pieces).toString().replace(/\r\n$/, '')
  return Papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' }).data
}
