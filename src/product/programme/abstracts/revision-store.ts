import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface RevisionRow {
  number: number
  /** A JSON object. */
  content: string
  /** What was made of its formulas, as a JSON object. */
  formulas: string | null
  /** Who has made it, as the access log names them; null for its author. */
  changed_by: string | null
  created_at: number
}

export function insertRevision(
  tx: WriteTx,
  { id, event_id }: { id: string; event_id: string },
  { number, content, formulas, changed_by }: Omit<RevisionRow, 'created_at'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO abstract_revisions (account_id, event_id, abstract_id, number, content, formulas, changed_by, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [tx.accountId, event_id, id, number, content, formulas, changed_by, now],
  )
}

/** Finds a revision of an abstract. */
export function findRevision(tx: ReadTx, id: string, number: number): Promise<RevisionRow | undefined> {
  return tx.one(
    `SELECT r.number, r.content, r.formulas, r.changed_by, r.created_at FROM abstract_revisions r
     WHERE r.account_id = $1 AND r.abstract_id = $2 AND r.number = $3`,
    [tx.accountId, id, number],
  )
}

export function replaceRevision(
  tx: WriteTx,
  id: string,
  { number, content }: Pick<RevisionRow, 'number' | 'content'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstract_revisions SET content = $4, updated_at = $5
     WHERE account_id = $1 AND abstract_id = $2 AND number = $3`,
    [tx.accountId, id, number, content, now],
  )
}

/** Lists when an abstract was sent and changed, the newest first. */
export function listRevisions(tx: ReadTx, id: string): Promise<Omit<RevisionRow, 'content' | 'formulas'>[]> {
  return tx.all(
    `SELECT r.number, r.changed_by, r.created_at FROM abstract_revisions r
     WHERE r.account_id = $1 AND r.abstract_id = $2 ORDER BY r.number DESC`,
    [tx.accountId, id],
  )
}
