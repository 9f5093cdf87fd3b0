import { keyOf } from '#machinery/bank-files/statement.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { walkLines } from './statement-store.ts'

/** A file may have as many lines that say the same. */
const MOST_ALIKE = 1_000

/** Finds lines of bank statements that do not say what they are known by. */
export async function* findBadLines(reader: Reader): AsyncGenerator<string> {
  for await (const lines of walkLines(reader)) {
    for (const { id, key, ...line } of lines) {
      let n = 1
      while (n <= MOST_ALIKE && keyOf(line, n) !== key) n++
      if (n > MOST_ALIKE) yield `bank line ${id} says ${line.amount}, and is known by something else`
    }
  }
}
