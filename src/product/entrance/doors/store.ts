import type { AnyReadTx, InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'

export interface DeviceRow {
  id: string
  account_id: string
  event_id: string
  name: string
  /** A JSON array. It is null for all types. */
  registration_type_ids: string | null
  search: 0 | 1
  unlisted: 0 | 1
  way: 'in' | 'out'
  pairing_expires_at: number | null
  /** 1 from the exchange of the secret until the first use of the token. */
  token_unused: 0 | 1
  paired_at: number | null
  last_seen_at: number | null
  waiting: number
  /** How many of its scans the server has. */
  taken: number
  revoked_at: number | null
  created_at: number
}

const SELECT = `SELECT d.id, d.account_id, d.event_id, d.name, d.registration_type_ids, d.search, d.unlisted,
  d.pairing_expires_at, d.token_unused, d.paired_at, d.last_seen_at, d.waiting, d.taken, d.revoked_at, d.created_at, d.way FROM devices d`

// Nobody sees what belongs to an event that is being deleted.
const OF_KEPT_EVENT = ofKeptEvent('d')

/** Finds a device of any account, because the token says whose it is. */
export function findByToken(tx: InstanceReadTx, hash: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.token_hash = $1 AND ${OF_KEPT_EVENT}`, [hash])
}

/** Finds a device of any account, because the secret says whose it is. */
export function findBySecret(tx: AnyReadTx, hash: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.pairing_hash = $1 AND ${OF_KEPT_EVENT}`, [hash])
}

/** Finds the account of a device, for the command line. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM devices WHERE id = $1', [id])
}

export function find(tx: ReadTx, id: string): Promise<DeviceRow | undefined> {
  return tx.one(`${SELECT} WHERE d.account_id = $1 AND d.id = $2 AND ${OF_KEPT_EVENT}`, [tx.accountId, id])
}

/** Lists devices by event, oldest first. */
export function listByAccount(tx: ReadTx): Promise<DeviceRow[]> {
  return tx.all(
    `${SELECT} WHERE d.account_id = $1 AND ${OF_KEPT_EVENT} ORDER BY d.event_id, d.created_at, d.id`,
    [tx.accountId],
  )
}

/** Lists the devices of an event, oldest first. */
export function listByEvent(tx: ReadTx, eventId: string): Promise<DeviceRow[]> {
  return tx.all(`${SELECT} WHERE d.account_id = $1 AND d.event_id = $2 ORDER BY d.created_at, d.id`, [
    tx.accountId,
    eventId,
  ])
}

export function insert(
  tx: WriteTx,
  row: Pick<
    DeviceRow,
    'id' | 'account_id' | 'event_id' | 'name' | 'registration_type_ids' | 'search' | 'unlisted' | 'way'
  >,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO devices (id, account_id, event_id, name, registration_type_ids, search, unlisted, way, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.name,
      row.registration_type_ids,
      row.search,
      row.unlisted,
      row.way,
      now,
    ],
  )
}

export function change(
  tx: WriteTx,
  id: string,
  { name, registration_type_ids: types }: Pick<DeviceRow, 'name' | 'registration_type_ids'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET name = $3, registration_type_ids = $4, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [tx.accountId, id, name, types, now],
  )
}

/** Sets a new secret. The one before is no longer valid. */
export function setSecret(
  tx: WriteTx,
  id: string,
  { hash, expiresAt }: { hash: string; expiresAt: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET pairing_hash = $3, pairing_expires_at = $4, token_unused = 0, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [tx.accountId, id, hash, expiresAt, now],
  )
}

/**
 * Sets a new token. The one before is no longer valid.
 *
 * @param at milliseconds; the instant of the first pairing stays
 */
export function setToken(
  tx: WriteTx,
  id: string,
  { hash, at }: { hash: string; at: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET token_hash = $3, token_unused = 1, paired_at = coalesce(paired_at, $4), updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, hash, at, now],
  )
}

/**
 * Ends the pairing. The secret stays, so that somebody who uses it again gets a clear answer. Setting the clock back does not
 * make it valid again.
 */
export function endPairing(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE devices SET pairing_expires_at = NULL, token_unused = 0, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND token_unused = 1`,
    [tx.accountId, id, now],
  )
}

/** @param count how many of the scans are new to the server */
export function addTaken(tx: WriteTx, id: string, count: number, now: number): Promise<number> {
  return tx.run('UPDATE devices SET taken = taken + $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    count,
    now,
  ])
}

/** @param waiting how many scans are on the phone; undefined if it has not said */
export function noteSeen(
  tx: WriteTx,
  id: string,
  { at, waiting }: { at: number; waiting: number | undefined },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE devices SET last_seen_at = $3, waiting = coalesce($4, waiting), updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, at, waiting ?? null, now],
  )
}

export function revoke(tx: WriteTx, id: string, at: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE devices SET revoked_at = $3, pairing_hash = NULL, pairing_expires_at = NULL, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [tx.accountId, id, at, now],
  )
}

export async function countByEvent(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM devices d WHERE d.account_id = $1 AND d.event_id = $2',
    [tx.accountId, eventId],
  )
  return Number(row?.count)
}
