import { readInList } from '#machinery/db/in-list.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { ReviewRow } from '#product/programme/reviews/review-store.ts'
import type { ReviewerRow } from '#product/programme/reviews/reviewer-store.ts'
import type { SubmissionRow, SubmitterRow } from '#product/programme/submissions/store.ts'

/** This file reads who submits and reviews abstracts for organization files, and what they have made. */

interface Placed {
  id: string
  reference: string
  created_at: number
}

type Unlisted = 'account_id' | 'event_id' | 'secret_version'

export type ListedReviewer = Omit<ReviewerRow, Unlisted> & Placed & { email_key: string }
export type ListedSubmitter = Omit<SubmitterRow, Unlisted> & Placed & { email_key: string }

/** Lists the reviewers of an event, oldest first. */
export function listReviewers(
  tx: ReadTx,
  eventId: string,
  { limit, after }: Page,
): Promise<ListedReviewer[]> {
  return tx.all(
    `SELECT w.id, w.reference, w.name, w.email, w.email_key, w.affiliation, w.language, w.topics, w.conflicts, w.left_at,
       w.created_at FROM reviewers w WHERE w.account_id = $1 AND w.event_id = $2 AND (w.created_at, w.id) > ($3, $4)
     ORDER BY w.created_at, w.id LIMIT $5`,
    [tx.accountId, eventId, ...positionOf(after), limit],
  )
}

/** Lists the people of an event who submit, oldest first. */
export function listSubmitters(
  tx: ReadTx,
  eventId: string,
  { limit, after }: Page,
): Promise<ListedSubmitter[]> {
  return tx.all(
    `SELECT s.id, s.reference, s.name, s.email, s.email_key, s.language, s.confirmed_at, s.late_until, s.created_at
     FROM submitters s WHERE s.account_id = $1 AND s.event_id = $2 AND (s.created_at, s.id) > ($3, $4)
     ORDER BY s.created_at, s.id LIMIT $5`,
    [tx.accountId, eventId, ...positionOf(after), limit],
  )
}

/** Finds which of these people have begun or sent something. */
export async function findSubmitting(tx: ReadTx, submitterIds: readonly string[]): Promise<Set<string>> {
  const rows = await readInList<{ submitter_id: string }>(
    tx,
    submitterIds,
    [tx.accountId],
    list =>
      `SELECT DISTINCT m.submitter_id FROM submissions m WHERE m.account_id = $1 AND m.submitter_id IN ${list}`,
  )
  return new Set(rows.map(({ submitter_id }) => submitter_id))
}

/** What is known of a submission when a file is compared with the database. */
export interface KnownSubmission extends Placed {
  submitter_id: string
  abstract_id: string | null
}

/** Lists the submissions of an event, oldest first. */
export function listSubmissions(
  tx: ReadTx,
  eventId: string,
  { limit, after }: Page,
): Promise<KnownSubmission[]> {
  return tx.all(
    `SELECT m.id, m.reference, m.submitter_id, m.abstract_id, m.created_at FROM submissions m
     WHERE m.account_id = $1 AND m.event_id = $2 AND (m.created_at, m.id) > ($3, $4) ORDER BY m.created_at, m.id LIMIT $5`,
    [tx.accountId, eventId, ...positionOf(after), limit],
  )
}

export type ListedSubmission = Pick<SubmissionRow, 'id' | 'draft' | 'confirmed_at'> &
  Placed & {
    /** The code of its abstract. */
    code: string | null
    file_id: string | null
    file_name: string
    size: number
    sha256: string
  }

/** Lists what a person submits, oldest first, each with its file. */
export function listOfSubmitter(
  tx: ReadTx,
  { id, eventId }: { id: string; eventId: string },
  { limit, after }: Page,
): Promise<ListedSubmission[]> {
  return tx.all(
    `SELECT m.id, m.reference, m.draft, m.confirmed_at, m.created_at, b.code, f.id AS file_id, f.name AS file_name, f.size, f.sha256
     FROM submissions m LEFT JOIN abstracts b ON b.id = m.abstract_id
     LEFT JOIN abstract_files f ON f.account_id = $1 AND f.event_id = $6 AND f.submission_id = m.id AND f.replaced_at IS NULL
     WHERE m.account_id = $1 AND m.submitter_id = $2 AND (m.created_at, m.id) > ($3, $4) ORDER BY m.created_at, m.id LIMIT $5`,
    [tx.accountId, id, ...positionOf(after), limit, eventId],
  )
}

function positionOf(after: Page['after']): [number, string] {
  return [after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '']
}

/** What goes along with the decision about an abstract, and what is proposed for it. */
export interface DecidedRow {
  id: string
  confirm_by: number | null
  comments_told_at: number | null
  registration_code: string | null
  /** A JSON array. */
  unavailable: string | null
  decision: 'accepted' | 'rejected' | null
  kind_id: string | null
  note: string | null
  proposed_by: string | null
}

/** Finds this of abstracts. */
export function findDecided(tx: ReadTx, abstractIds: readonly string[]): Promise<DecidedRow[]> {
  return readInList(
    tx,
    abstractIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT b.id, b.confirm_by, b.comments_told_at, b.unavailable, c.code AS registration_code, p.decision, p.kind_id, p.note, p.proposed_by
       FROM abstracts b LEFT JOIN codes c ON c.id = b.registration_code_id
       LEFT JOIN proposals p ON p.account_id = $1 AND p.abstract_id = b.id
       WHERE b.id IN ${list} AND CASE WHEN b.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/** Finds which of these abstracts reviewers were given. */
export async function findReviewed(tx: ReadTx, abstractIds: readonly string[]): Promise<Set<string>> {
  const rows = await readInList<{ abstract_id: string }>(
    tx,
    abstractIds,
    [tx.accountId],
    list =>
      `SELECT DISTINCT r.abstract_id FROM reviews r WHERE r.account_id = $1 AND r.abstract_id IN ${list}`,
  )
  return new Set(rows.map(({ abstract_id }) => abstract_id))
}

export type ListedReview = Omit<ReviewRow, 'abstract_id' | 'reviewer_id' | 'event_id' | 'updated_at'> & {
  /** The reference of the reviewer. */
  reviewer: string
}

/** Lists the reviews of an abstract, by the order in which their reviewers were asked. They are few, and no index has that order. */
export async function listReviews(tx: ReadTx, abstractId: string, limit: number): Promise<ListedReview[]> {
  const rows = await tx.all<ListedReview & { asked_at: number; id: string }>(
    `SELECT w.reference AS reviewer, w.created_at AS asked_at, w.id, r.returned, r.scores, r.recommendation, r.to_authors, r.to_chairs,
       r.told, r.done_at FROM reviews r JOIN reviewers w ON w.account_id = r.account_id AND w.id = r.reviewer_id
     WHERE r.account_id = $1 AND r.abstract_id = $2 LIMIT $3`,
    [tx.accountId, abstractId, limit],
  )
  return rows.sort((one, other) => one.asked_at - other.asked_at || (one.id < other.id ? -1 : 1))
}

export interface KnownAbstract {
  id: string
  code: string
  revision: number
  /** What it was sent by. */
  submission_id: string | null
}

/** Finds abstracts of an event by their codes. */
export function findAbstracts(
  tx: ReadTx,
  eventId: string,
  codes: readonly string[],
): Promise<KnownAbstract[]> {
  return readInList(
    tx,
    codes,
    [tx.accountId, eventId],
    // The account is compared on the event. Beside the key it would lead the planner to the index of a list.
    list => `SELECT b.id, b.code, b.revision, m.id AS submission_id FROM events e JOIN abstracts b ON b.event_id = e.id
       LEFT JOIN submissions m ON m.abstract_id = b.id WHERE e.account_id = $1 AND e.id = $2 AND b.code IN ${list}`,
  )
}

/** Returns whether a submission has, or had lately, a file. */
export async function hasFiles(
  tx: ReadTx,
  { id, eventId }: { id: string; eventId: string },
): Promise<boolean> {
  const row = await tx.one(
    'SELECT 1 FROM abstract_files f WHERE f.account_id = $1 AND f.event_id = $2 AND f.submission_id = $3 LIMIT 1',
    [tx.accountId, eventId, id],
  )
  return row !== undefined
}

/** Finds a submission of an event by its reference, with the name of the file that its abstract has. */
export function findSubmission(
  tx: ReadTx,
  eventId: string,
  reference: string,
): Promise<{ id: string; abstract_id: string | null; file_name: string | null } | undefined> {
  return tx.one(
    `SELECT m.id, m.abstract_id, b.file_name FROM events e JOIN submissions m ON m.event_id = e.id
     LEFT JOIN abstracts b ON b.id = m.abstract_id WHERE e.account_id = $1 AND e.id = $2 AND m.reference = $3`,
    [tx.accountId, eventId, reference],
  )
}
