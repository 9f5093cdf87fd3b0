import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/** A look without its file. */
export interface LookRow {
  /** Null for the look of the account. */
  event_id: string | null
  colour: string | null
  logo_hash: string | null
  logo_width: number | null
  logo_height: number | null
  /** Whether pages have a lighter file than the logo's own. */
  has_page_logo: 0 | 1
}

/** A look with its files in base64. */
export interface StoredLook extends Omit<LookRow, 'has_page_logo'> {
  logo_content: string | null
  logo_page_content: string | null
}

const COLUMNS = 'l.event_id, l.colour, l.logo_hash, l.logo_width, l.logo_height'

/** Lists the look of the account and that of an event, as far as they have one. @param eventId null for the account alone */
export function list(tx: ReadTx, eventId: string | null): Promise<LookRow[]> {
  const { accountId } = tx
  return tx.all(
    `SELECT ${COLUMNS}, CASE WHEN l.logo_page_content IS NULL THEN 0 ELSE 1 END AS has_page_logo
     FROM looks l WHERE l.account_id = $1 AND l.id IN ($2, $3)`,
    [accountId, accountId, eventId ?? accountId],
  )
}

/** Returns one of them with its files. */
export function find(tx: ReadTx, eventId: string | null): Promise<StoredLook | undefined> {
  return tx.one(
    `SELECT ${COLUMNS}, l.logo_content, l.logo_page_content FROM looks l WHERE l.account_id = $1 AND l.id = $2`,
    [tx.accountId, eventId ?? tx.accountId],
  )
}

/** Returns the file with this hash in base64, whichever look of the account has it. */
export async function findContent(tx: ReadTx, hash: string): Promise<string | undefined> {
  const query = 'SELECT l.logo_content FROM looks l WHERE l.account_id = $1 AND l.logo_hash = $2 LIMIT 1'
  return (await tx.one<{ logo_content: string }>(query, [tx.accountId, hash]))?.logo_content
}

/** Returns the file that pages show in the place of that with this hash, in base64. It is null if they show that itself. */
export async function findPageContent(tx: ReadTx, hash: string): Promise<string | null | undefined> {
  const query = 'SELECT l.logo_page_content FROM looks l WHERE l.account_id = $1 AND l.logo_hash = $2 LIMIT 1'
  return (await tx.one<{ logo_page_content: string | null }>(query, [tx.accountId, hash]))?.logo_page_content
}

/** Stores a look in the place of the one before. */
export function put(tx: WriteTx, look: StoredLook, now: number): Promise<number> {
  const { event_id, colour, logo_hash, logo_width, logo_height, logo_content, logo_page_content } = look
  return tx.run(
    `INSERT INTO looks (id, account_id, event_id, colour, logo_hash, logo_width, logo_height, logo_content, logo_page_content,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) ON CONFLICT (id) DO UPDATE SET colour = excluded.colour,
       logo_hash = excluded.logo_hash, logo_width = excluded.logo_width, logo_height = excluded.logo_height,
       logo_content = excluded.logo_content, logo_page_content = excluded.logo_page_content,
       updated_at = excluded.updated_at`,
    [
      event_id ?? tx.accountId,
      ...[tx.accountId, event_id, colour, logo_hash, logo_width, logo_height, logo_content],
      ...[logo_page_content, now],
    ],
  )
}

export function remove(tx: WriteTx, eventId: string | null): Promise<number> {
  return tx.run('DELETE FROM looks WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    eventId ?? tx.accountId,
  ])
}
