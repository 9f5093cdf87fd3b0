import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Id, type Rule, rule } from './store.ts'

/** Lists the rules of what must not be found in the files of submissions, with the sentence for each. */
export const fileRules: readonly Rule<never>[] = [
  rule<Id & { pieces: number; last: number }>(
    `SELECT f.id, count(c.number) AS pieces, max(c.number) AS last FROM abstract_files f
     JOIN file_chunks c ON c.account_id = f.account_id AND c.file_id = f.id
     GROUP BY f.account_id, f.id HAVING max(c.number) <> count(c.number) - 1`,
    ({ id, pieces, last }) => `file ${id} has ${pieces} pieces, of which the last has number ${last}`,
  ),
  rule<Id & { size: number; bytes: number }>(
    `SELECT f.id, f.size, coalesce(sum(octet_length(c.content)), 0) AS bytes FROM abstract_files f
     LEFT JOIN file_chunks c ON c.account_id = f.account_id AND c.file_id = f.id
     GROUP BY f.account_id, f.id, f.size HAVING f.size <> coalesce(sum(octet_length(c.content)), 0)`,
    ({ id, size, bytes }) => `file ${id} says ${size} bytes, and its pieces have ${bytes}`,
  ),
]

export interface FileRow extends Id {
  account_id: string
  size: number
  sha256: string
}

/** One batch has this many rows, each of some hundred bytes. */
const BATCH = 1_000

/** Reads the rows of whole files. */
export function walkFiles(reader: Reader): AsyncGenerator<FileRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: FileRow | undefined, size) =>
    tx.all(
      `SELECT f.account_id, f.id, f.size, f.sha256 FROM abstract_files f
       WHERE (f.account_id, f.id) > ($1, $2) AND f.sha256 IS NOT NULL ORDER BY f.account_id, f.id LIMIT $3`,
      [last?.account_id ?? '', last?.id ?? '', size],
    ),
  )
}

/** Returns whether a file is whole now. Its pieces may have begun to go. */
export async function isWhole(
  reader: Reader,
  { account_id: accountId, id }: Pick<FileRow, 'account_id' | 'id'>,
): Promise<boolean> {
  const row = await reader.read(accountId, tx =>
    tx.one('SELECT 1 FROM abstract_files f WHERE f.account_id = $1 AND f.id = $2 AND f.sha256 IS NOT NULL', [
      accountId,
      id,
    ]),
  )
  return row !== undefined
}
