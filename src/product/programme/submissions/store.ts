import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'

export interface SubmitterRow {
  id: string
  account_id: string
  event_id: string
  name: string
  email: string
  language: Language
  secret_version: number
  confirmed_at: number | null
  late_until: number | null
}

export interface SubmissionRow {
  id: string
  account_id: string
  event_id: string
  submitter_id: string
  /** A JSON object, or null if it is as it was sent. */
  draft: string | null
  draft_revision: number
  abstract_id: string | null
  confirmed_at: number | null
  created_at: number
  updated_at: number
}

const SUBMITTER = `SELECT s.id, s.account_id, s.event_id, s.name, s.email, s.language, s.secret_version, s.confirmed_at, s.late_until
  FROM submitters s`
const COLUMNS =
  'id, account_id, event_id, submitter_id, draft, draft_revision, abstract_id, confirmed_at, created_at, updated_at'
const SUBMISSION = `SELECT b.${COLUMNS.replaceAll(', ', ', b.')} FROM submissions b`

/** Of a draft as it was begun. */
export const FIRST_REVISION = 1

/** Returns the account of a submission, by its id alone. */
export function findAccount(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM submissions WHERE id = $1', [id])
}

export function findAccountOfSubmitter(
  tx: InstanceReadTx,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM submitters WHERE id = $1', [id])
}

export function findSubmitter(tx: ReadTx, id: string): Promise<SubmitterRow | undefined> {
  return tx.one(`${SUBMITTER} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, id])
}

export function findSubmitterByKey(
  tx: ReadTx,
  eventId: string,
  key: string,
): Promise<SubmitterRow | undefined> {
  return tx.one(`${SUBMITTER} WHERE s.account_id = $1 AND s.event_id = $2 AND s.email_key = $3`, [
    tx.accountId,
    eventId,
    key,
  ])
}

/** Inserts a person, unless the event has one with that e-mail. */
export function insertSubmitter(
  tx: WriteTx,
  row: Pick<SubmitterRow, 'id' | 'event_id' | 'name' | 'email' | 'language'> & { email_key: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO submitters (id, account_id, event_id, reference, name, email, email_key, language, secret_version, confirmed_at,
       late_until, created_at, updated_at) VALUES ($1, $2, $3, $1, $4, $5, $6, $7, 1, NULL, NULL, $8, $8)
     ON CONFLICT (event_id, email_key) DO NOTHING`,
    [row.id, tx.accountId, row.event_id, row.name, row.email, row.email_key, row.language, now],
  )
}

/** Notes that the mailed link has reached a person, and that all that was begun under the address is theirs. */
export async function confirm(tx: WriteTx, submitterId: string, now: number): Promise<void> {
  await tx.run(
    `UPDATE submitters SET confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND confirmed_at IS NULL`,
    [tx.accountId, submitterId, now],
  )
  await tx.run(
    `UPDATE submissions SET confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND submitter_id = $2 AND confirmed_at IS NULL`,
    [tx.accountId, submitterId, now],
  )
}

export function find(tx: ReadTx, id: string): Promise<SubmissionRow | undefined> {
  return tx.one(`${SUBMISSION} WHERE b.account_id = $1 AND b.id = $2`, [tx.accountId, id])
}

export function findByForm(tx: ReadTx, eventId: string, formId: string): Promise<SubmissionRow | undefined> {
  return tx.one(`${SUBMISSION} WHERE b.account_id = $1 AND b.event_id = $2 AND b.form_id = $3`, [
    tx.accountId,
    eventId,
    formId,
  ])
}

export function findByAbstract(tx: ReadTx, abstractId: string): Promise<SubmissionRow | undefined> {
  return tx.one(`${SUBMISSION} WHERE b.account_id = $1 AND b.abstract_id = $2`, [tx.accountId, abstractId])
}

/**
 * Counts what a person has begun, or has sent and not withdrawn, no further than `most`.
 *
 * @param isConfirmed counts only what is known to be theirs, or only what is not
 */
export async function countOfSubmitter(
  tx: ReadTx,
  submitterId: string,
  { isSent, isConfirmed }: { isSent: boolean; isConfirmed: boolean },
  most: number,
): Promise<number> {
  const known = isConfirmed ? 'NOT NULL' : 'NULL'
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM submissions b ${isSent ? 'JOIN abstracts a ON a.id = b.abstract_id' : ''}
     WHERE b.account_id = $1 AND b.submitter_id = $2 AND b.confirmed_at IS ${known}
       ${isSent ? 'AND a.withdrawn_at IS NULL' : ''} LIMIT $3) AS slice`,
    [tx.accountId, submitterId, most],
  )
  return Number(row?.count)
}

/** Lists what a person has begun, the oldest first. */
export function listBySubmitter(tx: ReadTx, submitterId: string, limit: number): Promise<SubmissionRow[]> {
  return tx.all(
    `${SUBMISSION} WHERE b.account_id = $1 AND b.submitter_id = $2 ORDER BY b.created_at, b.id LIMIT $3`,
    [tx.accountId, submitterId, limit],
  )
}

export function insert(
  tx: WriteTx,
  row: Pick<SubmissionRow, 'id' | 'event_id' | 'submitter_id' | 'draft' | 'confirmed_at'> & {
    form_id: string
  },
  now: number,
): Promise<SubmissionRow | undefined> {
  return tx.one(
    `INSERT INTO submissions (id, account_id, event_id, reference, submitter_id, form_id, draft, draft_revision, abstract_id, confirmed_at,
       created_at, updated_at) VALUES ($1, $2, $3, $1, $4, $5, $6, ${FIRST_REVISION}, NULL, $7, $8, $8) RETURNING ${COLUMNS}`,
    [row.id, tx.accountId, row.event_id, row.submitter_id, row.form_id, row.draft, row.confirmed_at, now],
  )
}

/** Keeps a draft, or forgets it once it is sent. */
export function setDraft(
  tx: WriteTx,
  id: string,
  draft: string | null,
  now: number,
): Promise<SubmissionRow | undefined> {
  return tx.one(
    `UPDATE submissions SET draft = $3, draft_revision = draft_revision + 1, updated_at = $4
     WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [tx.accountId, id, draft, now],
  )
}

export function setAbstract(tx: WriteTx, id: string, abstractId: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE submissions SET abstract_id = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, abstractId, now],
  )
}

/** Counts what an event has of one kind, no further than `most`. */
export async function countUpTo(
  tx: ReadTx,
  eventId: string,
  kind: 'sent' | 'begun',
  most: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM submissions b WHERE b.account_id = $1 AND b.event_id = $2
       AND b.abstract_id IS ${kind === 'sent' ? 'NOT NULL' : 'NULL'} LIMIT $3) AS slice`,
    [tx.accountId, eventId, most],
  )
  return Number(row?.count)
}

/** Forgets what was never sent. */
export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM submissions WHERE account_id = $1 AND id = $2 AND abstract_id IS NULL', [
    tx.accountId,
    id,
  ])
}

export function removeSubmitter(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM submitters WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** Sets until when the call is open for a person alone. */
export function setLate(tx: WriteTx, id: string, until: number | null, now: number): Promise<number> {
  return tx.run('UPDATE submitters SET late_until = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    until,
    now,
  ])
}

/** Gives the links of a person new secrets. The old links lead nowhere. */
export function renewSecret(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE submitters SET secret_version = secret_version + 1, updated_at = $3 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, now],
  )
}

/** Gives a person another e-mail, which nobody has confirmed yet, and new secrets. */
export async function setEmail(
  tx: WriteTx,
  id: string,
  { email, email_key }: { email: string; email_key: string },
  now: number,
): Promise<void> {
  await tx.run(
    `UPDATE submitters SET email = $3, email_key = $4, confirmed_at = NULL, secret_version = secret_version + 1, updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, email, email_key, now],
  )
  await tx.run(
    'UPDATE submissions SET confirmed_at = NULL WHERE account_id = $1 AND submitter_id = $2 AND confirmed_at IS NOT NULL',
    [tx.accountId, id],
  )
}

/** Makes a person anonymous. The links that were mailed lead nowhere from then on. */
export function eraseSubmitter(
  tx: WriteTx,
  id: string,
  { name, email, email_key }: { name: string; email: string; email_key: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE submitters SET name = $3, email = $4, email_key = $5, late_until = NULL, secret_version = secret_version + 1,
       updated_at = $6 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, name, email, email_key, now],
  )
}

/** Replaces a draft, unless it was saved meanwhile. */
export function replaceDraft(
  tx: WriteTx,
  { id, draft, draft_revision }: Pick<SubmissionRow, 'id' | 'draft' | 'draft_revision'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE submissions SET draft = $4, draft_revision = draft_revision + 1, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND draft_revision = $3`,
    [tx.accountId, id, draft_revision, draft, now],
  )
}
