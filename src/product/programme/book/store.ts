import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

export interface FileRow {
  abstract_id: string
  code: string
  id: string
  size: number
  /** When it was attached or begun, in milliseconds. */
  created_at: number
}

const OF_ACCEPTED = `FROM submissions s
  JOIN abstracts b ON b.id = s.abstract_id AND b.status = 'accepted' AND b.withdrawn_at IS NULL
  JOIN abstract_files f ON f.account_id = s.account_id AND f.event_id = s.event_id AND f.submission_id = s.id
    AND f.replaced_at IS NULL
  WHERE s.account_id = $1 AND s.event_id = $2 AND s.abstract_id IS NOT NULL`

/** Lists the files beside the accepted abstracts of an event, in no order. */
export function listFiles(tx: ReadTx, eventId: string): Promise<FileRow[]> {
  return tx.all(`SELECT s.abstract_id, b.code, f.id, f.size, f.created_at ${OF_ACCEPTED}`, [
    tx.accountId,
    eventId,
  ])
}

export async function countFiles(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(`SELECT count(*) AS count ${OF_ACCEPTED}`, [
    tx.accountId,
    eventId,
  ])
  return Number(row?.count)
}

export interface AuthorsRow {
  id: string
  /** A JSON array. */
  authors: string
  /** What was sent, as a JSON object. It is null for what a file has brought. */
  content: string | null
}

/** Lists who has written abstracts, by the ids of these, in no order. */
export function listAuthors(tx: ReadTx, eventId: string, ids: readonly string[]): Promise<AuthorsRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId, eventId],
    list =>
      `SELECT b.id, b.authors, r.content FROM abstracts b
       LEFT JOIN abstract_revisions r ON r.abstract_id = b.id AND r.number = b.revision
       WHERE b.account_id = $1 AND b.event_id = $2 AND b.id IN ${list}`,
  )
}

/** Lists the accepted abstracts of an event that were not withdrawn, by their codes. `authors` is a JSON array. */
export function listAccepted(
  tx: ReadTx,
  eventId: string,
): Promise<{ id: string; code: string; authors: string }[]> {
  return tx.all(
    `SELECT b.id, b.code, b.authors FROM abstracts b
     WHERE b.account_id = $1 AND b.event_id = $2 AND b.status = 'accepted' AND b.withdrawn_at IS NULL ORDER BY b.code`,
    [tx.accountId, eventId],
  )
}
