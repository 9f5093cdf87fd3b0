import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
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

/** Returns how long the file of an event's picture is in base64, or undefined if it has none. */
export function findLength(tx: ReadTx, eventId: string): Promise<{ length: number } | undefined> {
  return tx.one(
    'SELECT length(p.content) AS length FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

/** Stores the picture of an event. It replaces an existing one. Its sizes are to be made. */
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
       sized = 0, size_attempts = 0, updated_at = excluded.updated_at`,
    [eventId, tx.accountId, hash, type, width, height, content, now],
  )
}

export function copy(tx: WriteTx, fromEventId: string, toEventId: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO event_pictures
       (event_id, account_id, hash, type, width, height, content, sized, size_attempts, created_at, updated_at)
     SELECT $3, p.account_id, p.hash, p.type, p.width, p.height, p.content, p.sized, p.size_attempts, $4, $4
     FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2`,
    [tx.accountId, fromEventId, toEventId, now],
  )
}

export function remove(tx: WriteTx, eventId: string): Promise<number> {
  return tx.run('DELETE FROM event_pictures WHERE account_id = $1 AND event_id = $2', [tx.accountId, eventId])
}

/** Returns a picture whose sizes are not made yet, those that were tried least before others. */
export function findUnsized(
  tx: InstanceReadTx,
): Promise<{ account_id: string; event_id: string } | undefined> {
  return tx.one(
    `SELECT p.account_id, p.event_id FROM event_pictures p WHERE p.sized = 0
     ORDER BY p.size_attempts, p.event_id LIMIT $1`,
    [1],
  )
}

/** A picture with its file in base64. */
export interface UnsizedRow {
  hash: string
  type: PictureFormat['type']
  content: string
}

export function findFile(tx: ReadTx, eventId: string): Promise<UnsizedRow | undefined> {
  return tx.one(
    'SELECT p.hash, p.type, p.content FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

/** Counts an attempt to make the sizes. @returns 0 if they are made or `most` attempts were counted */
export function beginSizing(tx: WriteTx, eventId: string, most: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE event_pictures SET size_attempts = size_attempts + 1, updated_at = $4
     WHERE account_id = $1 AND event_id = $2 AND sized = 0 AND size_attempts < $3`,
    [tx.accountId, eventId, most, now],
  )
}

/** Takes the last attempt back. */
export function takeBackSizing(tx: WriteTx, eventId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE event_pictures SET size_attempts = size_attempts - 1, updated_at = $3
     WHERE account_id = $1 AND event_id = $2 AND sized = 0 AND size_attempts > 0`,
    [tx.accountId, eventId, now],
  )
}

/** Notes that the picture has all the sizes that it will have. */
export function endSizing(tx: WriteTx, eventId: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE event_pictures SET sized = 1, updated_at = $3 WHERE account_id = $1 AND event_id = $2 AND sized = 0',
    [tx.accountId, eventId, now],
  )
}
