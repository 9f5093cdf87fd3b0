import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { PictureFormat } from './picture-format.ts'

export interface PictureRow extends PictureFormat {
  /** SHA-256 of the file, in hex. */
  hash: string
}

export function find(tx: ReadTx, eventId: string): Promise<PictureRow | undefined> {
  return tx.one(
    'SELECT p.hash, p.type, p.width, p.height FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

/** Returns the file in base64. */
export async function findContent(tx: ReadTx, eventId: string, hash: string): Promise<string | undefined> {
  const query =
    'SELECT p.content FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2 AND p.hash = $3'
  return (await tx.one<{ content: string }>(query, [tx.accountId, eventId, hash]))?.content
}

/** Stores the picture of an event. It replaces an existing one. */
export function put(
  tx: WriteTx,
  eventId: string,
  { hash, type, width, height, content }: PictureRow & { content: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO event_pictures (event_id, account_id, hash, type, width, height, content, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT (event_id) DO UPDATE SET hash = excluded.hash,
       type = excluded.type, width = excluded.width, height = excluded.height, content = excluded.content,
       updated_at = excluded.updated_at`,
    [eventId, tx.accountId, hash, type, width, height, content, now],
  )
}

export function copy(tx: WriteTx, fromEventId: string, toEventId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO event_pictures (event_id, account_id, hash, type, width, height, content, created_at, updated_at)
     SELECT $3, p.account_id, p.hash, p.type, p.width, p.height, p.content, $4, $4 FROM event_pictures p
     WHERE p.account_id = $1 AND p.event_id = $2`,
    [tx.accountId, fromEventId, toEventId, now],
  )
}

export function remove(tx: WriteTx, eventId: string): Promise<number> {
  return tx.run('DELETE FROM event_pictures WHERE account_id = $1 AND event_id = $2', [tx.accountId, eventId])
}
