import type { Reader } from '#machinery/db/batches.ts'
import { writeLeftOut } from '#product/administration/sheets/left-out.ts'
import type { Language } from '#texts/languages.ts'
import * as rules from './rules.ts'
import type { CheckInput, ImportLine } from './schemas.ts'

/** Describes what is wrong with a line in the language of its reader. */
export type DescribeLine = (line: ImportLine, input: CheckInput) => string

/**
 * Writes the lines of an upload that cannot be imported as a CSV file that people can correct and upload again.
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
  yield* writeLeftOut<ImportLine>({
    ...{ headers: input.headers, fates: ['wrong', 'sold_out'], language },
    read: page => reader.read(accountId, tx => rules.listLines(tx, id, page)),
    tell: line => tell(line, input),
  })
}
