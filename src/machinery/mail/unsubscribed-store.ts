import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export function find(tx: ReadTx, key: string): Promise<{ email_key: string } | undefined> {
  return tx.one('SELECT u.email_key FROM unsubscribed u WHERE u.account_id = $1 AND u.email_key = $2', [
    tx.accountId,
    key,
  ])
}

/** Returns the keys among these of people who want no announcements. */
export function list(tx: ReadTx, keys: readonly string[]): Promise<{ email_key: string }[]> {
  return readInList(
    tx,
    keys,
    [tx.accountId],
    list => `SELECT u.email_key FROM unsubscribed u WHERE u.account_id = $1 AND u.email_key IN ${list}`,
  )
}

export function insert(tx: WriteTx, key: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO unsubscribed (account_id, email_key, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (account_id, email_key) DO NOTHING`,
    [tx.accountId, key, now],
  )
}

export function remove(tx: WriteTx, key: string): Promise<number> {
  return tx.run('DELETE FROM unsubscribed WHERE account_id = $1 AND email_key = $2', [tx.accountId, key])
}
