import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type AbstractFile, PIECE } from './schemas.ts'

/** A file that has no bytes yet. */
export interface NewFile {
  id: string
  eventId: string
  name: string
}

export function insert(tx: WriteTx, { id, eventId, name }: NewFile, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO abstract_files (id, account_id, event_id, size, name, created_at, updated_at) VALUES ($1, $2, $3, 0, $4, $5, $5)`,
    [id, tx.accountId, eventId, name, now],
  )
}

/** Makes a file larger that is not attached. @returns whether it is there, with so many bytes */
export async function grow(
  tx: WriteTx,
  { id, from, to }: { id: string; from: number; to: number },
  now: number,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE abstract_files SET size = $3, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND size = $4 AND submission_id IS NULL`,
    [tx.accountId, id, to, from, now],
  )
  return changed > 0
}

export function insertPiece(
  tx: WriteTx,
  { id, number, content }: { id: string; number: number; content: Uint8Array },
  now: number,
): Promise<number> {
  return tx.run(
    'INSERT INTO file_chunks (account_id, file_id, number, content, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [tx.accountId, id, number, content, now],
  )
}

export async function findPiece(tx: ReadTx, id: string, number: number): Promise<Uint8Array | undefined> {
  const row = await tx.one<{ content: Uint8Array }>(
    'SELECT c.content FROM file_chunks c WHERE c.account_id = $1 AND c.file_id = $2 AND c.number = $3',
    [tx.accountId, id, number],
  )
  return row?.content
}

/** Attaches a whole file. @returns whether it is there and has all its bytes */
export async function attach(
  tx: WriteTx,
  { id, submission_id, sha256, size }: Pick<AbstractFile, 'id' | 'submission_id' | 'sha256' | 'size'>,
  now: number,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE abstract_files SET submission_id = $3, sha256 = $4, updated_at = $6
     WHERE account_id = $1 AND id = $2 AND size = $5 AND submission_id IS NULL`,
    [tx.accountId, id, submission_id, sha256, size, now],
  )
  return changed > 0
}

/** Marks the file of a submission as replaced, if it has one. @returns how many files that were: one at most */
export function markReplaced(
  tx: WriteTx,
  eventId: string,
  submissionId: string,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstract_files SET replaced_at = $4, updated_at = $4
     WHERE account_id = $1 AND event_id = $2 AND submission_id = $3 AND replaced_at IS NULL`,
    [tx.accountId, eventId, submissionId, now],
  )
}

export function find(tx: ReadTx, eventId: string, submissionId: string): Promise<AbstractFile | undefined> {
  return tx.one(
    `SELECT f.id, f.event_id, f.submission_id, f.name, f.size, f.sha256, f.updated_at FROM abstract_files f
     WHERE f.account_id = $1 AND f.event_id = $2 AND f.submission_id = $3 AND f.replaced_at IS NULL`,
    [tx.accountId, eventId, submissionId],
  )
}

export async function countSince(
  tx: ReadTx,
  { eventId, submissionId }: { eventId: string; submissionId: string },
  since: number,
  most: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM abstract_files f WHERE f.account_id = $1 AND f.event_id = $2
       AND f.submission_id = $3 AND f.created_at > $4 LIMIT $5) AS slice`,
    [tx.accountId, eventId, submissionId, since, most],
  )
  return Number(row?.count)
}

/** Returns how many bytes the files of an event have, whole or not. */
export async function sumOfEvent(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    'SELECT coalesce(sum(f.size), 0) AS bytes FROM abstract_files f WHERE f.account_id = $1 AND f.event_id = $2',
    [tx.accountId, eventId],
  )
  return row?.bytes ?? 0
}

/** Returns how many bytes the files of an event have that are whole, replaced ones too. */
export async function sumOfWhole(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `SELECT coalesce(sum(f.size), 0) AS bytes FROM abstract_files f
     WHERE f.account_id = $1 AND f.event_id = $2 AND f.submission_id IS NOT NULL`,
    [tx.accountId, eventId],
  )
  return row?.bytes ?? 0
}

/** Returns how many bytes the files of an event have whose submitters have not confirmed that they are theirs, replaced ones too. */
export async function sumOfUnconfirmed(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `SELECT coalesce(sum(f.size), 0) AS bytes FROM submissions m
     JOIN abstract_files f ON f.account_id = $1 AND f.event_id = $2 AND f.submission_id = m.id
     WHERE m.account_id = $1 AND m.event_id = $2 AND m.confirmed_at IS NULL`,
    [tx.accountId, eventId],
  )
  return row?.bytes ?? 0
}

/** Returns the same of all events of the server. */
export async function sumOfAllUnconfirmed(tx: InstanceReadTx): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `SELECT coalesce(sum((SELECT sum(f.size) FROM submissions m
       JOIN abstract_files f ON f.account_id = a.id AND f.event_id = m.event_id AND f.submission_id = m.id
       WHERE m.account_id = a.id AND m.confirmed_at IS NULL)), 0) AS bytes FROM accounts a`,
  )
  return row?.bytes ?? 0
}

/** Returns how many bytes the files of a submission have that others have replaced. */
export async function sumOfReplaced(tx: ReadTx, eventId: string, submissionId: string): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `SELECT coalesce(sum(f.size), 0) AS bytes FROM abstract_files f
     WHERE f.account_id = $1 AND f.event_id = $2 AND f.submission_id = $3 AND f.replaced_at IS NOT NULL`,
    [tx.accountId, eventId, submissionId],
  )
  return row?.bytes ?? 0
}

/** Returns how many bytes all files have. */
export async function sumOfAll(tx: InstanceReadTx): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `SELECT coalesce(sum((SELECT sum(f.size) FROM abstract_files f WHERE f.account_id = a.id)), 0) AS bytes FROM accounts a`,
  )
  return row?.bytes ?? 0
}

/** A file some of whose pieces may go. */
export interface Shrinking {
  id: string
  size: number
}

export function findSize(tx: ReadTx, id: string): Promise<Shrinking | undefined> {
  return tx.one('SELECT f.id, f.size FROM abstract_files f WHERE f.account_id = $1 AND f.id = $2', [
    tx.accountId,
    id,
  ])
}

export function listOfEvent(tx: ReadTx, eventId: string, most: number): Promise<Shrinking[]> {
  return tx.all(
    'SELECT f.id, f.size FROM abstract_files f WHERE f.account_id = $1 AND f.event_id = $2 LIMIT $3',
    [tx.accountId, eventId, most],
  )
}

/** Lists the files of a submission, replaced ones too. */
export function listOfSubmission(
  tx: ReadTx,
  eventId: string,
  submissionId: string,
  most: number,
): Promise<Shrinking[]> {
  return tx.all(
    `SELECT f.id, f.size FROM abstract_files f
     WHERE f.account_id = $1 AND f.event_id = $2 AND f.submission_id = $3 LIMIT $4`,
    [tx.accountId, eventId, submissionId, most],
  )
}

/** Detaches all files of a submission, and gives them another name. */
export function detachOfSubmission(
  tx: WriteTx,
  { eventId, submissionId, name }: { eventId: string; submissionId: string; name: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstract_files SET submission_id = NULL, sha256 = NULL, replaced_at = NULL, name = $4, updated_at = $5
     WHERE account_id = $1 AND event_id = $2 AND submission_id = $3`,
    [tx.accountId, eventId, submissionId, name, now],
  )
}

/** Lists files that are not attached and began to come before an instant, the oldest first. */
export function listLoose(tx: ReadTx, before: number, most: number): Promise<Shrinking[]> {
  return tx.all(
    `SELECT f.id, f.size FROM abstract_files f WHERE f.account_id = $1 AND f.submission_id IS NULL AND f.created_at < $2
     ORDER BY f.created_at, f.id LIMIT $3`,
    [tx.accountId, before, most],
  )
}

/**
 * Takes the last pieces of a file, so that those before still are what its row says, and with the first piece the file. What is left
 * is attached to nothing.
 *
 * @returns how many pieces are gone, and whether the file is
 */
export async function shrink(
  tx: WriteTx,
  { id, size }: Shrinking,
  most: number,
  now: number,
): Promise<{ pieces: number; isGone: boolean }> {
  const left = Math.max(0, Math.ceil(size / PIECE) - most)
  const pieces = await tx.run(
    'DELETE FROM file_chunks WHERE account_id = $1 AND file_id = $2 AND number >= $3',
    [tx.accountId, id, left],
  )
  const isGone = left === 0
  if (isGone) await tx.run('DELETE FROM abstract_files WHERE account_id = $1 AND id = $2', [tx.accountId, id])
  else {
    await tx.run(
      `UPDATE abstract_files SET size = $3, submission_id = NULL, sha256 = NULL, replaced_at = NULL, updated_at = $4
       WHERE account_id = $1 AND id = $2`,
      [tx.accountId, id, left * PIECE, now],
    )
  }
  return { pieces, isGone }
}

const REPLACED = 'f.account_id = $1 AND f.replaced_at < $2'

export async function hasReplaced(tx: ReadTx, before: number): Promise<boolean> {
  const row = await tx.one(`SELECT 1 FROM abstract_files f WHERE ${REPLACED} LIMIT 1`, [tx.accountId, before])
  return row !== undefined
}

/** Detaches some files that were replaced before an instant. @returns how many */
export function detachReplaced(tx: WriteTx, before: number, most: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE abstract_files SET submission_id = NULL, sha256 = NULL, replaced_at = NULL, updated_at = $4
     WHERE account_id = $1 AND id IN (SELECT f.id FROM abstract_files f WHERE ${REPLACED} ORDER BY f.replaced_at, f.id LIMIT $3)`,
    [tx.accountId, before, most, now],
  )
}
