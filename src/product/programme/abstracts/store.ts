import { type Page, type Position, readPage, readThinnedPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import type { abstractStatuses } from './states.ts'

export interface AbstractRow {
  id: string
  event_id: string
  code: string
  title: string
  abstract: string
  keywords: string | null
  /** A JSON array, by `storedAuthorsSchema`. */
  authors: string
  /** A JSON object. */
  contact: string
  file_name: string | null
  status: (typeof abstractStatuses)[number]
  decision_note: string | null
  decided_at: number | null
  submitted_at: number | null
  created_at: number
  /** The language of the text, as BCP 47 has it. */
  language: string | null
  topic_id: string | null
  kind_id: string | null
  /** The newest of its revisions; 0 for one that was not submitted here. */
  revision: number
  withdrawn_at: number | null
  /** Rises with each decision that says something else than the one before. */
  decision_number: number
  /** The kind that it was accepted as. It is null for the one that its authors asked for. */
  decided_kind_id: string | null
  confirmed_at: number | null
}

const SELECT = `SELECT b.id, b.event_id, b.code, b.title, b.abstract, b.keywords, b.authors, b.contact, b.file_name, b.status,
  b.decision_note, b.decided_at, b.submitted_at, b.created_at, b.language, b.topic_id, b.kind_id, b.revision, b.withdrawn_at,
  b.decision_number, b.decided_kind_id, b.confirmed_at FROM abstracts b`

// Nobody sees what belongs to an event that is being deleted.
const OF_KEPT_EVENT = ofKeptEvent('b')

export interface AbstractFilters {
  event_id?: string | undefined
  status?: AbstractRow['status'] | undefined
  /** Lists those that were withdrawn, and no others. */
  withdrawn?: true | undefined
}

export function find(tx: ReadTx, id: string): Promise<AbstractRow | undefined> {
  return tx.one(`${SELECT} WHERE b.account_id = $1 AND b.id = $2 AND ${OF_KEPT_EVENT}`, [tx.accountId, id])
}

/** Finds an abstract even if its event is being deleted. Whoever is to be made anonymous does not wait for that. */
export function findStored(tx: ReadTx, id: string): Promise<AbstractRow | undefined> {
  return tx.one(`${SELECT} WHERE b.account_id = $1 AND b.id = $2`, [tx.accountId, id])
}

/** Lists leave out what was withdrawn, unless that is asked for. */
export const STANDING = 'b.withdrawn_at IS NULL'
const WITHDRAWN = 'b.withdrawn_at IS NOT NULL'

export function listPage(
  tx: ReadTx,
  { withdrawn, ...filters }: AbstractFilters,
  page: Page,
): Promise<AbstractRow[]> {
  const condition = withdrawn ? WITHDRAWN : STANDING
  return readPage(tx, SELECT, 'b', { account_id: tx.accountId, ...filters }, page, condition)
}

/** Lists a page while an event is being deleted, without what belongs to it. The page may have fewer rows than its limit. */
export function listKeptPage(
  tx: ReadTx,
  { withdrawn, ...filters }: AbstractFilters,
  page: Page,
): Promise<{ rows: AbstractRow[]; end: Position | undefined }> {
  const of = { select: SELECT, from: 'abstracts b', alias: 'b', kept: OF_KEPT_EVENT }
  const condition = withdrawn ? WITHDRAWN : STANDING
  return readThinnedPage(tx, of, { account_id: tx.accountId, ...filters }, page, condition)
}

export function decide(
  tx: WriteTx,
  id: string,
  decision: Pick<
    AbstractRow,
    'status' | 'decision_note' | 'decided_at' | 'decision_number' | 'decided_kind_id' | 'confirmed_at'
  >,
  keepsTerms: boolean,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstracts SET status = $3, decision_note = $4, decided_at = $5, decision_number = $6, decided_kind_id = $7,
       confirmed_at = $8, confirm_by = CASE WHEN $10 = 1 THEN confirm_by END, updated_at = $9 WHERE account_id = $1 AND id = $2`,
    [
      ...[tx.accountId, id, decision.status, decision.decision_note, decision.decided_at],
      ...[decision.decision_number, decision.decided_kind_id, decision.confirmed_at, now, keepsTerms ? 1 : 0],
    ],
  )
}

/** Lists a page of the abstracts of an event, oldest first. */
export function listOldestFirst(tx: ReadTx, eventId: string, { limit, after }: Page): Promise<AbstractRow[]> {
  return tx.all(
    `${SELECT} WHERE b.account_id = $1 AND b.event_id = $2 AND (b.created_at, b.id) > ($3, $4)
     ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

export type PeopleRow = Pick<AbstractRow, 'id' | 'authors' | 'contact' | 'revision' | 'created_at'>

/** Lists the abstracts of an account after `last`, oldest first. */
export function listPeople(tx: ReadTx, last: PeopleRow | undefined, size: number): Promise<PeopleRow[]> {
  return tx.all(
    `SELECT b.id, b.authors, b.contact, b.revision, b.created_at FROM abstracts b
     WHERE b.account_id = $1 AND (b.created_at, b.id) > ($2, $3) ORDER BY b.created_at, b.id LIMIT $4`,
    [tx.accountId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

export function replacePeople(
  tx: WriteTx,
  row: Pick<AbstractRow, 'id' | 'authors' | 'contact' | 'file_name' | 'decision_note'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstracts SET authors = $3, contact = $4, file_name = $5, decision_note = $6, updated_at = $7
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, row.id, row.authors, row.contact, row.file_name, row.decision_note, now],
  )
}

/** Inserts what somebody has submitted. */
export function insertSubmitted(
  tx: WriteTx,
  row: SubmittedRow & Pick<AbstractRow, 'code' | 'file_name'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO abstracts (id, account_id, event_id, code, title, abstract, keywords, authors, contact, file_name, status,
       decision_note, decided_at, submitted_at, created_at, updated_at, language, topic_id, kind_id, revision, withdrawn_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'submitted', NULL, NULL, $11, $11, $11, $12, $13, $14, 1, NULL)`,
    [
      ...[row.id, tx.accountId, row.event_id, row.code, row.title, row.abstract, row.keywords, row.authors],
      ...[row.contact, row.file_name, now, row.language, row.topic_id, row.kind_id],
    ],
  )
}

/** What changes with a revision. */
export type SubmittedRow = Pick<
  AbstractRow,
  | 'id'
  | 'event_id'
  | 'title'
  | 'abstract'
  | 'keywords'
  | 'authors'
  | 'contact'
  | 'language'
  | 'topic_id'
  | 'kind_id'
>

/** Replaces what an abstract says by its next revision. */
export function revise(tx: WriteTx, row: SubmittedRow, number: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE abstracts SET title = $3, abstract = $4, keywords = $5, authors = $6, contact = $7, language = $8, topic_id = $9,
       kind_id = $10, revision = $11, updated_at = $12 WHERE account_id = $1 AND id = $2`,
    [
      ...[tx.accountId, row.id, row.title, row.abstract, row.keywords, row.authors, row.contact],
      ...[row.language, row.topic_id, row.kind_id, number, now],
    ],
  )
}

/** Returns what sets one column of an abstract. */
function setter<Value extends string | number | null>(
  column:
    | 'revision'
    | 'file_name'
    | 'contact'
    | 'withdrawn_at'
    | 'confirmed_at'
    | 'confirm_reminded'
    | 'unavailable',
): (tx: WriteTx, id: string, value: Value, now: number) => Promise<number> {
  const sql = `UPDATE abstracts SET ${column} = $3, updated_at = $4 WHERE account_id = $1 AND id = $2`
  return (tx, id, value, now) => tx.run(sql, [tx.accountId, id, value, now])
}

export const setRevision = setter<number>('revision')
export const setFileName = setter<string | null>('file_name')
/** The contact is a JSON object. */
export const setContact = setter<string>('contact')
export const setWithdrawn = setter<number | null>('withdrawn_at')
export const setConfirmed = setter<number | null>('confirmed_at')
/** So many days before the end of the time to confirm. */
export const setConfirmReminded = setter<number>('confirm_reminded')
/** A JSON array of dates. */
export const setUnavailable = setter<string | null>('unavailable')

export async function hasCode(tx: ReadTx, eventId: string, code: string): Promise<boolean> {
  const row = await tx.one(
    'SELECT 1 FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2 AND b.code = $3',
    [tx.accountId, eventId, code],
  )
  return row !== undefined
}

/** What authors were told beside the decision about an abstract. Instants are in milliseconds. */
export interface TermsRow {
  event_id: string
  confirm_by: number | null
  comments_told_at: number | null
  registration_code_id: string | null
}

export function findTerms(tx: ReadTx, id: string): Promise<TermsRow | undefined> {
  return tx.one(
    `SELECT b.event_id, b.confirm_by, b.comments_told_at, b.registration_code_id FROM abstracts b
     WHERE b.account_id = $1 AND b.id = $2`,
    [tx.accountId, id],
  )
}

/** Keeps what authors are told, and forgets which reminder they had. */
export function setTerms(
  tx: WriteTx,
  id: string,
  row: Omit<TermsRow, 'event_id'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstracts SET confirm_by = $3, comments_told_at = $4, registration_code_id = $5, confirm_reminded = NULL,
       updated_at = $6 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, row.confirm_by, row.comments_told_at, row.registration_code_id, now],
  )
}
