import type { ReadTx } from '#machinery/db/port.ts'
import type { FieldFault } from '#machinery/web/forms/form.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { findAdded } from '#product/programme/submissions/add.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { readColumns } from './columns.ts'
import { checkLine, type ReadLine, readLine } from './read-line.ts'
import type { ImportInput, LineDetails } from './schemas.ts'

/** What lines are judged by: the columns of the table, and the call as it is now. */
export interface Judge {
  call: Call
  input: Pick<ImportInput, 'headers' | 'language' | 'mailed'>
}

export type Verdict = { key: string; details: LineDetails } & (
  | { fate: 'wrong' | 'known' }
  | { fate: 'new'; email: string; content: Content }
)

/** Returns what would come of a line. */
export async function judge(
  tx: ReadTx,
  by: Judge,
  { cells }: { cells: readonly string[] },
): Promise<Verdict> {
  const read = readBy(by, cells)
  const { key } = read
  const checked = checkLine(read)
  if ('faults' in checked) return { fate: 'wrong', key, details: {} }
  const abstract_id = await findAdded(tx, by.call.event_id, key)
  if (abstract_id !== undefined) return { fate: 'known', key, details: { abstract_id } }
  return { fate: 'new', key, details: {}, ...checked }
}

/** Returns what is wrong with a line now, by the names of the fields that it would fill. */
export function findFaults(
  by: Judge,
  cells: readonly string[],
): { read: ReadLine; faults: ReadonlyMap<string, FieldFault> } {
  const read = readBy(by, cells)
  const checked = checkLine(read)
  return { read, faults: 'faults' in checked ? checked.faults : new Map() }
}

function readBy({ call, input }: Judge, cells: readonly string[]): ReadLine {
  return readLine(cells, readColumns(input.headers, call), call, input.language)
}
