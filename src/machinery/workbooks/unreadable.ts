import { makeFault } from '#base/faults.ts'
import type { Problem } from '#base/problem.ts'
import { wrong } from '#machinery/tables/lines.ts'

/** Returns the Problem for a file that begins as a workbook and cannot be read as one. */
export function unreadable(): Problem {
  return wrong(makeFault('unreadableWorkbook'))
}
