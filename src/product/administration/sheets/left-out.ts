import { setImmediate as nextTurn } from 'node:timers/promises'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import type { Language } from '#texts/languages.ts'
import type { Line } from './rules.ts'
import type { Fate } from './store.ts'

/**
 * Gives the header, in each language, of the column that says why a line was left out. An import does not read this column back.
 */
export const reasonHeaders: Readonly<Record<Language, string>> = {
  en: 'Why it was left out',
  es: 'Por qué se ha quedado fuera',
}

/** This many lines are read at a time. */
const BATCH = 200

/** The lines of a table that are left out, and how they are told. */
interface LeftOut<Of extends Line<unknown>> {
  headers: readonly string[]
  fates: readonly Fate[]
  language: Language
  /** Reads lines after one, in their order. */
  read(page: { after: number; limit: number; fate: Fate }): Promise<Of[]>
  /** Says why a line was left out. */
  tell(line: Of): string
}

/**
 * Writes lines that cannot be imported as a CSV file that people can correct and upload again. It has their columns, and one more
 * that says why each was left out. The file is formula-safe, and `readTable` reverses that.
 */
export async function* writeLeftOut<Of extends Line<unknown>>({
  headers,
  fates,
  language,
  read,
  tell,
}: LeftOut<Of>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([[...headers, reasonHeaders[language]].map(safeCell)])
  for (const fate of fates) {
    let after = 0
    for (;;) {
      const lines = await read({ after, limit: BATCH, fate })
      const last = lines.at(-1)
      if (last === undefined) break
      after = last.line
      yield toCsv(
        lines.map(line => [...headers.map((_, at) => line.cells[at] ?? ''), tell(line)].map(safeCell)),
      )
      await nextTurn()
    }
  }
}
