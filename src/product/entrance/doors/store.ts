import type { ReadTx, WriteTx } from '../db/port.ts'

export interface DeviceRow {
  id: string
  account_id: string
  event_id: string
  name: string
  /** A JSON array; null for all types. */
  registration_type_ids: string | null
  search: 0 | 1
  unlisted: 0 | 1
  pairing_expires_at: number | null
  /** 1 from the exchange of the secret until its first use. */
  token_unused: 0 | 1
  paired_at: number | null
  last_seen_at: number | null
  waiting: number
  /** Scans of it that are here. */
  taken: number
  revoked_at: number | null
  created_at: number
}

const SELECT = `SELECT d.id, d.account_id, d.event_id, d.name, d.registration_type_ids, d.search, d.unlisted,
  d.pairing_expires_at, d.token_unused, d.paired_at, d.last_seen_at, d.waiting, d.taken, d.revoked_at, d.created_at FROM devices d`

/** Of any account: the token says whose it is. */
export function findByToken(tx: ReadTx, hash: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.token_hash = $1`, [hash])
}

/** Of any account, as is the secret. */
export function findBySecret(tx: ReadTx, hash: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.pairing_hash = $1`, [hash])
}

/** Whose it is: for the command line. */
export function findOwner(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM devices WHERE id = $1', [id])
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.account_id = $1 AND d.id = $2`, [accountId, id])
}

/** By event, oldest first. */
export function listByAccount(tx: ReadTx, accountId: string): Promise<DeviceRow[]> {
  return tx.all(`${SELECT} WHERE d.account_id = $1 ORDER BY d.event_id, d.created_at, d.id`, [accountId])
}

/** Oldest first. */
export function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<DeviceRow[]> {
  return tx.all(`${SELECT} WHERE d.account_id = $1 AND d.event_id = $2 ORDER BY d.created_at, d.id`, [
    accountId,
    eventId,
  ])
}

export function insert(
  tx: WriteTx,
  row: Pick<
    DeviceRow,
    'id' | 'account_id' | 'event_id' | 'name' | 'registration_type_ids' | 'search' | 'unlisted'
  >,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO devices (id, account_id, event_id, name, registration_type_ids, search, unlisted, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.name,
      row.registration_type_ids,
      row.search,
      row.unlisted,
      now,
    ],
  )
}

/** The secret before it is good no more. */
export function setSecret(
  tx: WriteTx,
  accountId: string,
  id: string,
  { hash, expiresAt }: { hash: string; expiresAt: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET pairing_hash = $3, pairing_expires_at = $4, token_unused = 0, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [accountId, id, hash, expiresAt, now],
  )
}

/** The token before it is good no more. @param at milliseconds: of the first pairing it stays */
export function setToken(
  tx: WriteTx,
  accountId: string,
  id: string,
  { hash, at }: { hash: string; at: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET token_hash = $3, token_unused = 1, paired_at = coalesce(paired_at, $4), updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, hash, at, now],
  )
}

/** The secret stays, so that whoever comes with it is told; it is good again for no clock that is set back. */
export function endPairing(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE devices SET pairing_expires_at = NULL, token_unused = 0, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND token_unused = 1`,
    [accountId, id, now],
  )
}

/** @param count of scans that were not here before */
export function addTaken(
  tx: WriteTx,
  accountId: string,
  id: string,
  count: number,
  now: number,
): Promise<number> {
  return tx.run('UPDATE devices SET taken = taken + $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    count,
    now,
  ])
}

/** @param waiting scans on the phone; undefined where it has not said */
export function noteSeen(
  tx: WriteTx,
  accountId: string,
  id: string,
  { at, waiting }: { at: number; waiting: number | undefined },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET last_seen_at = $3, waiting = coalesce($4, waiting), updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, at, waiting ?? null, now],
  )
}

export function revoke(tx: WriteTx, accountId: string, id: string, at: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE devices SET revoked_at = $3, pairing_hash = NULL, pairing_expires_at = NULL, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [accountId, id, at, now],
  )
}

export async function countByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM devices d WHERE d.account_id = $1 AND d.event_id = $2',
    [accountId, eventId],
  )
  return Number(row?.count)
}
