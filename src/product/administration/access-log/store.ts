import { bytesOf, type CleaningBatch, countWithin, type Length } from '#machinery/db/batches.ts'
import { keysetPage, type Page, type Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface AccessLogRow {
  id: string
  account_id: string
  actor: string
  action: string
  target_type: string
  target_id: string | null
  request_id: string | null
  address: string | null
  details: string
  created_at: number
}

export function insert(tx: WriteTx, row: AccessLogRow): Promise<number> {
  return tx.run(
    `INSERT INTO access_log
       (id, account_id, actor, action, target_type, target_id, request_id, address, details, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      row.id,
      row.account_id,
      row.actor,
      row.action,
      row.target_type,
      row.target_id,
      row.request_id,
      row.address,
      row.details,
      row.created_at,
    ],
  )
}

export function listByAccount(tx: ReadTx, limit: number): Promise<AccessLogRow[]> {
  return tx.all(
    `SELECT id, account_id, actor, action, target_type, target_id, request_id, address, details, created_at
     FROM access_log WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [tx.accountId, limit],
  )
}

/** The number of rows that one read goes through, which takes a few milliseconds. */
export const SLICE = 2_000

/** Selects entries by actor, by action, or by both. */
export interface Wanted {
  actor: string | undefined
  action: string | undefined
}

/**
 * Finds the matching entries among those that follow `after`. It scans them, because an index on actor or action would cost every
 * write.
 *
 * @returns where the next slice begins, or undefined at the end
 */
export async function readSlice(
  tx: ReadTx,
  wanted: Wanted,
  { limit, after }: Page,
): Promise<{ found: AccessLogRow[]; end: Position | undefined }> {
  const ofAccount = { account_id: tx.accountId }
  const { clause, params } = keysetPage('l', ofAccount, { limit, after })
  const conditions = Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [`slice.${column} = $${params.push(value)}`],
  )
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const found = await tx.all<AccessLogRow>(
    `SELECT slice.* FROM (SELECT l.id, l.account_id, l.actor, l.action, l.target_type, l.target_id, l.request_id, l.address,
       l.details, l.created_at FROM access_log l ${clause}) AS slice${where}`,
    params,
  )
  const last = keysetPage('l', ofAccount, { limit: 1, after })
  const end = await tx.one<Position>(
    `SELECT l.created_at, l.id FROM access_log l ${last.clause} OFFSET ${limit - 1}`,
    last.params,
  )
  return { found, end }
}

const SELECT = `SELECT id, account_id, actor, action, target_type, target_id, request_id, address, details, created_at
  FROM access_log`

/** Lists what was done to a thing, newest first. It leaves out imports and check-ins, which the index does not cover. */
export function listByTarget(tx: ReadTx, targetId: string, limit: number): Promise<AccessLogRow[]> {
  return tx.all(
    `${SELECT} WHERE account_id = $1 AND target_id = $2 AND action <> 'registration.create' AND action <> 'check_in.create'
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [tx.accountId, targetId, limit],
  )
}

/** Lists what was done at an instant. One millisecond has few writes. */
export function listAt(tx: ReadTx, at: number): Promise<AccessLogRow[]> {
  return tx.all(`${SELECT} WHERE account_id = $1 AND created_at = $2`, [tx.accountId, at])
}

export function replaceDetails(tx: WriteTx, id: string, details: string, now: number): Promise<number> {
  return tx.run('UPDATE access_log SET details = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    details,
    now,
  ])
}

/** Returns whether the account has an entry that is older than `before`. */
export async function hasOlder(tx: ReadTx, before: number): Promise<boolean> {
  const older = 'SELECT 1 FROM access_log WHERE account_id = $1 AND created_at < $2 LIMIT 1'
  return (await tx.one(older, [tx.accountId, before])) !== undefined
}

/** Deletes a batch of the entries of an account that are older than `before`. @returns how many it deleted */
export async function deleteOlder(tx: WriteTx, before: number, batch: CleaningBatch): Promise<number> {
  const older = await tx.all<Length>(
    `SELECT octet_length(details) AS bytes FROM access_log WHERE account_id = $1 AND created_at < $2
     ORDER BY created_at, id LIMIT $3`,
    [tx.accountId, before, batch.rows],
  )
  return tx.run(
    `DELETE FROM access_log WHERE id IN
       (SELECT id FROM access_log WHERE account_id = $1 AND created_at < $2 ORDER BY created_at, id LIMIT $3)`,
    [tx.accountId, before, countWithin(older, bytesOf, batch.bytes)],
  )
}
