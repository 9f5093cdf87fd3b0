import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Returns the answers of these registrations by registration, however long they are. */
export async function readAnswers(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await readInList<{ id: string; answers: string }>(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, r.answers FROM registrations r WHERE r.id IN ${list}
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(rows.map(({ id, answers }) => [id, answers]))
}
