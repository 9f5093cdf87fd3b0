import type { AnyReadTx, AnyWriteTx, InstanceWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Role } from './roles.ts'

export type LinkKind = 'setup' | 'invitation' | 'reset' | 'sign-in'

export interface LinkRow {
  id: string
  kind: LinkKind
  account_id: string | null
  user_id: string | null
  email: string | null
  role: Role | null
  event_ids: string | null
  expires_at: number
  used_at: number | null
  created_at: number
}

const SELECT = `SELECT l.id, l.kind, l.account_id, l.user_id, l.email, l.role, l.event_ids, l.expires_at, l.used_at,
  l.created_at FROM one_time_links l`

export function findByHash(tx: AnyReadTx, tokenHash: string): Promise<LinkRow | undefined> {
  return tx.one(`${SELECT} WHERE l.token_hash = $1`, [tokenHash])
}

/** Lists the links of the account, newest first. Only invitations have an account. */
export function listByAccount(tx: ReadTx): Promise<LinkRow[]> {
  return tx.all(`${SELECT} WHERE l.account_id = $1 ORDER BY l.created_at DESC, l.id DESC`, [tx.accountId])
}

export function insert(
  tx: AnyWriteTx,
  row: Omit<LinkRow, 'used_at'> & { token_hash: string },
): Promise<number> {
  return tx.run(
    `INSERT INTO one_time_links (token_hash, id, kind, account_id, user_id, email, role, event_ids, expires_at,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      row.token_hash,
      row.id,
      row.kind,
      row.account_id,
      row.user_id,
      row.email,
      row.role,
      row.event_ids,
      row.expires_at,
      row.created_at,
    ],
  )
}

/**
 * Marks a link as used, once.
 *
 * @param clock the current instant. The link must expire after it, and not later than `latest`
 * @returns 0 for a link of another kind, or one that was used or has expired
 */
export function use(
  tx: AnyWriteTx,
  tokenHash: string,
  kind: LinkKind,
  { clock, latest }: { clock: number; latest: number },
): Promise<number> {
  return tx.run(
    `UPDATE one_time_links SET used_at = $3, updated_at = $3
     WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3 AND expires_at <= $4`,
    [tokenHash, kind, clock, latest],
  )
}

/** Deletes an invitation that nobody has used. */
export function removeInvitation(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM one_time_links WHERE account_id = $1 AND id = $2 AND used_at IS NULL', [
    tx.accountId,
    id,
  ])
}

/** Voids the links that set the instance up. */
export function removeSetups(tx: InstanceWriteTx, clock: number): Promise<number> {
  return tx.run("DELETE FROM one_time_links WHERE kind = 'setup' AND used_at IS NULL AND expires_at > $1", [
    clock,
  ])
}

/** Voids the links of a user that choose a password or sign in. */
export function removeOfUser(tx: AnyWriteTx, userId: string, clock: number): Promise<number> {
  return tx.run(
    "DELETE FROM one_time_links WHERE user_id = $1 AND kind IN ('reset', 'sign-in') AND used_at IS NULL AND expires_at > $2",
    [userId, clock],
  )
}

export function deleteExpired(tx: AnyWriteTx, now: number, most: number): Promise<number> {
  return tx.run(
    `DELETE FROM one_time_links WHERE id IN
       (SELECT l.id FROM one_time_links l WHERE l.expires_at <= $1 ORDER BY l.expires_at LIMIT $2)`,
    [now, most],
  )
}
