import type { AnyReadTx, AnyWriteTx } from '#machinery/db/port.ts'

export interface UserRow {
  id: string
  email: string
  email_key: string
  name: string
  password_hash: string
  operator: 0 | 1
  language: 'en' | 'es'
  totp_secret: string | null
  totp_last_step: number | null
  created_at: number
}

const SELECT = `SELECT u.id, u.email, u.email_key, u.name, u.password_hash, u.operator, u.language, u.totp_secret,
  u.totp_last_step, u.created_at FROM users u`

export function find(tx: AnyReadTx, id: string): Promise<UserRow | undefined> {
  return tx.one(`${SELECT} WHERE u.id = $1`, [id])
}

export function findByEmailKey(tx: AnyReadTx, emailKey: string): Promise<UserRow | undefined> {
  return tx.one(`${SELECT} WHERE u.email_key = $1`, [emailKey])
}

/** Returns whether there is any user, or any who runs the instance. */
export async function hasAny(tx: AnyReadTx, which: 'users' | 'operators'): Promise<boolean> {
  const text =
    which === 'users'
      ? 'SELECT u.id FROM users u LIMIT 1'
      : 'SELECT u.id FROM users u WHERE u.operator = 1 LIMIT 1'
  return (await tx.one(text)) !== undefined
}

export function insert(
  tx: AnyWriteTx,
  row: Omit<UserRow, 'totp_secret' | 'totp_last_step'>,
): Promise<number> {
  return tx.run(
    `INSERT INTO users (id, email, email_key, name, password_hash, operator, language, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      row.id,
      row.email,
      row.email_key,
      row.name,
      row.password_hash,
      row.operator,
      row.language,
      row.created_at,
    ],
  )
}

export function update(
  tx: AnyWriteTx,
  row: Pick<UserRow, 'id' | 'email' | 'email_key' | 'name' | 'language'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE users SET email = $2, email_key = $3, name = $4, language = $5, updated_at = $6 WHERE id = $1',
    [row.id, row.email, row.email_key, row.name, row.language, now],
  )
}

export function setPassword(tx: AnyWriteTx, id: string, hash: string, now: number): Promise<number> {
  return tx.run('UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1', [id, hash, now])
}

/** Stores the same password in another form, unless it was changed meanwhile. */
export function upgradePassword(
  tx: AnyWriteTx,
  id: string,
  { from, to }: { from: string; to: string },
  now: number,
): Promise<number> {
  return tx.run('UPDATE users SET password_hash = $3, updated_at = $4 WHERE id = $1 AND password_hash = $2', [
    id,
    from,
    to,
    now,
  ])
}

/** Stores a second factor if the user has none. @param step the step of the code that confirmed it */
export function enableTotp(
  tx: AnyWriteTx,
  id: string,
  secret: string,
  step: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE users SET totp_secret = $2, totp_last_step = $3, updated_at = $4
     WHERE id = $1 AND totp_secret IS NULL`,
    [id, secret, step, now],
  )
}

export function disableTotp(tx: AnyWriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE users SET totp_secret = NULL, totp_last_step = NULL, updated_at = $2
     WHERE id = $1 AND totp_secret IS NOT NULL`,
    [id, now],
  )
}

/** Accepts the code of a step once, and no code of an earlier step after that. @returns 0 if it was accepted before */
export function claimStep(
  tx: AnyWriteTx,
  id: string,
  secret: string,
  step: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE users SET totp_last_step = $3, updated_at = $4
     WHERE id = $1 AND totp_secret = $2 AND coalesce(totp_last_step, -1) < $3`,
    [id, secret, step, now],
  )
}

export function insertRecoveryCode(
  tx: AnyWriteTx,
  userId: string,
  codeHash: string,
  now: number,
): Promise<number> {
  return tx.run(
    'INSERT INTO recovery_codes (user_id, code_hash, created_at, updated_at) VALUES ($1, $2, $3, $3)',
    [userId, codeHash, now],
  )
}

/** @returns 0 if there is no such code, or it was used before */
export function claimRecoveryCode(tx: AnyWriteTx, userId: string, codeHash: string): Promise<number> {
  return tx.run('DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2', [userId, codeHash])
}

export function deleteRecoveryCodes(tx: AnyWriteTx, userId: string): Promise<number> {
  return tx.run('DELETE FROM recovery_codes WHERE user_id = $1', [userId])
}

export async function countRecoveryCodes(tx: AnyReadTx, userId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM recovery_codes c WHERE c.user_id = $1',
    [userId],
  )
  return row?.count ?? 0
}
