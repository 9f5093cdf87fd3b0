import type { Page, Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'

export interface ReviewerRow {
  id: string
  account_id: string
  event_id: string
  name: string
  email: string
  affiliation: string | null
  language: Language
  /** JSON arrays of strings. */
  topics: string
  conflicts: string
  secret_version: number
  left_at: number | null
}

const COLUMNS =
  'id, account_id, event_id, name, email, affiliation, language, topics, conflicts, secret_version, left_at'
const SELECT = `SELECT w.${COLUMNS.replaceAll(', ', ', w.')} FROM reviewers w`

/** Returns the account of a reviewer, by the id alone. */
export function findAccount(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM reviewers WHERE id = $1', [id])
}

export function find(tx: ReadTx, id: string): Promise<ReviewerRow | undefined> {
  return tx.one(`${SELECT} WHERE w.account_id = $1 AND w.id = $2`, [tx.accountId, id])
}

export function findByKey(tx: ReadTx, eventId: string, key: string): Promise<ReviewerRow | undefined> {
  return tx.one(`${SELECT} WHERE w.account_id = $1 AND w.event_id = $2 AND w.email_key = $3`, [
    tx.accountId,
    eventId,
    key,
  ])
}

/** Lists the reviewers of an event, also those who have left, the first invited first. */
export function listOfEvent(tx: ReadTx, eventId: string, limit: number): Promise<ReviewerRow[]> {
  return tx.all(
    `${SELECT} WHERE w.account_id = $1 AND w.event_id = $2 ORDER BY w.created_at, w.id LIMIT $3`,
    [tx.accountId, eventId, limit],
  )
}

export type AddresseeRow = Pick<ReviewerRow, 'id' | 'name' | 'email' | 'language'> & Position

/** Lists the reviewers of an event who have not left, the first invited first. @param isUndone only those with reviews to do */
export function listAddressees(
  tx: ReadTx,
  eventId: string,
  isUndone: boolean,
  { limit, after }: Page,
): Promise<AddresseeRow[]> {
  const undone = `AND EXISTS (SELECT 1 FROM reviews r JOIN abstracts b ON b.id = r.abstract_id
     WHERE r.account_id = $1 AND r.reviewer_id = w.id AND r.done_at IS NULL AND r.returned IS NULL AND b.withdrawn_at IS NULL)`
  return tx.all(
    `SELECT w.id, w.created_at, w.name, w.email, w.language FROM reviewers w
     WHERE w.account_id = $1 AND w.event_id = $2 AND w.left_at IS NULL ${isUndone ? undone : ''}
       AND (w.created_at, w.id) > ($3, $4) ORDER BY w.created_at, w.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Inserts a reviewer. One who has left and is asked again comes back with another link. */
export function put(
  tx: WriteTx,
  row: Pick<ReviewerRow, 'id' | 'event_id' | 'name' | 'email' | 'affiliation' | 'language'> & {
    email_key: string
  },
  now: number,
): Promise<ReviewerRow | undefined> {
  return tx.one(
    `INSERT INTO reviewers (id, account_id, event_id, reference, name, email, email_key, affiliation, language, topics, conflicts,
       secret_version, left_at, created_at, updated_at)
     VALUES ($1, $2, $3, $1, $4, $5, $6, $7, $8, '[]', '[]', 1, NULL, $9, $9)
     ON CONFLICT (event_id, email_key) DO UPDATE SET name = $4, email = $5, affiliation = $7, left_at = NULL, updated_at = $9
     RETURNING ${COLUMNS}`,
    [
      ...[row.id, tx.accountId, row.event_id, row.name, row.email, row.email_key, row.affiliation],
      ...[row.language, now],
    ],
  )
}

export function setProfile(
  tx: WriteTx,
  { id, affiliation, topics, conflicts }: Pick<ReviewerRow, 'id' | 'affiliation' | 'topics' | 'conflicts'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE reviewers SET affiliation = $3, topics = $4, conflicts = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, affiliation, topics, conflicts, now],
  )
}

/** Notes that a reviewer has left. The links that were mailed lead nowhere from then on. */
export function leave(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE reviewers SET left_at = $3, secret_version = secret_version + 1, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND left_at IS NULL`,
    [tx.accountId, id, now],
  )
}

/** Makes the links that were mailed to a reviewer lead nowhere. */
export function renew(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE reviewers SET secret_version = secret_version + 1, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND left_at IS NULL`,
    [tx.accountId, id, now],
  )
}

/** Lists where a person reviews in the events of an account, by the key of the e-mail. */
export function listByKey(
  tx: ReadTx,
  key: string,
  after: string,
  size: number,
): Promise<Pick<ReviewerRow, 'id' | 'event_id'>[]> {
  return tx.all(
    `SELECT w.id, w.event_id FROM reviewers w WHERE w.account_id = $1 AND w.email_key = $2 AND w.id > $3
     ORDER BY w.id LIMIT $4`,
    [tx.accountId, key, after, size],
  )
}

/** Makes a reviewer anonymous, who leaves with it. The reviews stay. */
export function erase(
  tx: WriteTx,
  id: string,
  { name, email, email_key }: { name: string; email: string; email_key: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE reviewers SET name = $3, email = $4, email_key = $5, affiliation = NULL, topics = '[]', conflicts = '[]',
       secret_version = secret_version + 1, left_at = coalesce(left_at, $6), updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, name, email, email_key, now],
  )
}

export type ConflictsRow = Pick<ReviewerRow, 'id' | 'conflicts'> & { email_key: string }

/** Lists what the reviewers of an account have named as conflicts, after `last`. */
export function listConflicts(
  tx: ReadTx,
  last: ConflictsRow | undefined,
  size: number,
): Promise<ConflictsRow[]> {
  return tx.all(
    `SELECT w.id, w.email_key, w.conflicts FROM reviewers w WHERE w.account_id = $1 AND (w.email_key, w.id) > ($2, $3)
     ORDER BY w.email_key, w.id LIMIT $4`,
    [tx.accountId, last?.email_key ?? '', last?.id ?? '', size],
  )
}

export function setConflicts(
  tx: WriteTx,
  { id, conflicts }: Pick<ReviewerRow, 'id' | 'conflicts'>,
  now: number,
): Promise<number> {
  return tx.run('UPDATE reviewers SET conflicts = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    conflicts,
    now,
  ])
}
