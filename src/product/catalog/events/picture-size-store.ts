import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { PictureSize } from './picture-sizes.ts'

/** Lists the sizes of a picture, the smallest of each use first. */
export function list(tx: ReadTx, eventId: string): Promise<PictureSize[]> {
  return tx.all(
    `SELECT s.use, s.hash, s.type, s.width, s.height FROM event_picture_sizes s
     WHERE s.account_id = $1 AND s.event_id = $2 ORDER BY s.use, s.width`,
    [tx.accountId, eventId],
  )
}

/** Returns how long the files of all sizes are in base64. */
export function listLengths(tx: ReadTx, eventId: string): Promise<{ length: number }[]> {
  return tx.all(
    `SELECT length(s.content) AS length FROM event_picture_sizes s
     WHERE s.account_id = $1 AND s.event_id = $2 ORDER BY s.use, s.width`,
    [tx.accountId, eventId],
  )
}

/** Returns the file in base64. */
export async function findContent(tx: ReadTx, eventId: string, hash: string): Promise<string | undefined> {
  const query =
    'SELECT s.content FROM event_picture_sizes s WHERE s.account_id = $1 AND s.event_id = $2 AND s.hash = $3'
  return (await tx.one<{ content: string }>(query, [tx.accountId, eventId, hash]))?.content
}

export function insert(
  tx: WriteTx,
  eventId: string,
  { use, width, height, hash, type, content }: PictureSize & { content: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO event_picture_sizes (event_id, account_id, use, width, height, hash, type, content, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [eventId, tx.accountId, use, width, height, hash, type, content, now],
  )
}

export function copy(tx: WriteTx, fromEventId: string, toEventId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO event_picture_sizes (event_id, account_id, use, width, height, hash, type, content, created_at, updated_at)
     SELECT $3, s.account_id, s.use, s.width, s.height, s.hash, s.type, s.content, $4, $4 FROM event_picture_sizes s
     WHERE s.account_id = $1 AND s.event_id = $2`,
    [tx.accountId, fromEventId, toEventId, now],
  )
}

export function remove(tx: WriteTx, eventId: string): Promise<number> {
  return tx.run('DELETE FROM event_picture_sizes WHERE account_id = $1 AND event_id = $2', [
    tx.accountId,
    eventId,
  ])
}
