import type { Statement, StatementPart } from '#machinery/bank-files/statement.ts'

/** Reads all parts of a statement as one. */
export async function readAll(statement: Statement): Promise<StatementPart> {
  const all: StatementPart = { lines: [], wrong: [], leftOut: [] }
  for await (const { lines, wrong, leftOut } of statement.read()) {
    all.lines.push(...lines)
    all.wrong.push(...wrong)
    all.leftOut.push(...leftOut)
  }
  return all
}
