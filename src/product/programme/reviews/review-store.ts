import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import type { SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import type { recommendations, returnReasons } from './states.ts'

export interface ReviewRow {
  abstract_id: string
  reviewer_id: string
  event_id: string
  /** Why it was given back. */
  returned: (typeof returnReasons)[number] | null
  /** A JSON object: the ids of criteria with scores. */
  scores: string
  recommendation: (typeof recommendations)[number] | null
  to_authors: string | null
  to_chairs: string | null
  /** What the authors were told, once it was changed after that; empty for nothing. */
  told: string | null
  done_at: number | null
  updated_at: number
}

const COLUMNS =
  'abstract_id, reviewer_id, event_id, returned, scores, recommendation, to_authors, to_chairs, told, done_at, updated_at'
const SELECT = `SELECT r.${COLUMNS.replaceAll(', ', ', r.')} FROM reviews r`

/**
 * What reviewers may know of an abstract, whoever has written it. Neither ids, which tell when it came, nor anything else of it is
 * read for them.
 */
export type ReviewableRow = Pick<
  SubmittedAbstract,
  'code' | 'title' | 'abstract' | 'keywords' | 'language' | 'topic_id' | 'kind_id'
>

/** A row of a reviewer's queue: without the text, which can have 400 kB. */
export type QueuedRow = Pick<ReviewRow, 'abstract_id' | 'recommendation' | 'done_at' | 'scores'> &
  Pick<ReviewableRow, 'code' | 'title' | 'language' | 'topic_id' | 'kind_id'>

/** Lists what a reviewer has to review, in no order. What was given back or withdrawn is left out. */
export function listQueue(tx: ReadTx, reviewerId: string, limit: number): Promise<QueuedRow[]> {
  return tx.all(
    `SELECT r.abstract_id, r.recommendation, r.done_at, r.scores, b.code, b.title, b.language, b.topic_id, b.kind_id
     FROM reviews r JOIN abstracts b ON b.id = r.abstract_id
     WHERE r.account_id = $1 AND r.reviewer_id = $2 AND r.returned IS NULL AND b.withdrawn_at IS NULL LIMIT $3`,
    [tx.accountId, reviewerId, limit],
  )
}

export type AssignedRow = ReviewRow & ReviewableRow & Pick<SubmittedAbstract, 'revision'>

/** Finds what a reviewer has to review by its code. */
export function findByCode(
  tx: ReadTx,
  { id, event_id }: { id: string; event_id: string },
  code: string,
): Promise<AssignedRow | undefined> {
  return tx.one(
    `SELECT r.${COLUMNS.replaceAll(', ', ', r.')}, b.code, b.title, b.abstract, b.keywords, b.language, b.topic_id, b.kind_id,
       b.revision
     FROM abstracts b JOIN reviews r ON r.abstract_id = b.id AND r.reviewer_id = $2
     WHERE b.account_id = $1 AND b.event_id = $3 AND b.code = $4 AND r.account_id = $1 AND r.returned IS NULL
       AND b.withdrawn_at IS NULL`,
    [tx.accountId, id, event_id, code],
  )
}

/** Returns whether somebody who is done with an abstract wrote something to its authors. */
export async function hasComments(tx: ReadTx, abstractId: string): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM reviews r WHERE r.account_id = $1 AND r.abstract_id = $2 AND r.done_at IS NOT NULL AND r.to_authors IS NOT NULL
     LIMIT 1`,
    [tx.accountId, abstractId],
  )
  return row !== undefined
}

/** Lists the reviews of an abstract, also those that were given back, the first invited first. */
export function listOfAbstract(tx: ReadTx, abstractId: string, limit: number): Promise<ReviewRow[]> {
  return tx.all(`${SELECT} WHERE r.account_id = $1 AND r.abstract_id = $2 ORDER BY r.reviewer_id LIMIT $3`, [
    tx.accountId,
    abstractId,
    limit,
  ])
}

export type OfReviewerRow = Pick<ReviewRow, 'returned' | 'done_at'> &
  Pick<Abstract, 'id' | 'code' | 'title'> &
  Behind

/** Lists what a reviewer was given of what stands, in no order. */
export function listOfReviewer(tx: ReadTx, reviewerId: string, limit: number): Promise<OfReviewerRow[]> {
  return tx.all(
    `SELECT r.returned, r.done_at, b.id, b.code, b.title, b.authors, b.contact, s.email AS submitter_email
     FROM reviews r JOIN abstracts b ON b.id = r.abstract_id
     LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id
     WHERE r.account_id = $1 AND r.reviewer_id = $2 AND b.withdrawn_at IS NULL LIMIT $3`,
    [tx.accountId, reviewerId, limit],
  )
}

/** Who has what to review, and how far it is. */
export type BriefReview = Pick<ReviewRow, 'abstract_id' | 'reviewer_id' | 'returned' | 'done_at'>

/** Lists the reviews of an event after `last`, by their abstracts. */
export function listBriefly(
  tx: ReadTx,
  eventId: string,
  last: Pick<ReviewRow, 'abstract_id' | 'reviewer_id'> | undefined,
  size: number,
): Promise<BriefReview[]> {
  return tx.all(
    `SELECT r.abstract_id, r.reviewer_id, r.returned, r.done_at FROM reviews r
     WHERE r.account_id = $1 AND r.event_id = $2 AND (r.abstract_id, r.reviewer_id) > ($3, $4)
     ORDER BY r.abstract_id, r.reviewer_id LIMIT $5`,
    [tx.accountId, eventId, last?.abstract_id ?? '', last?.reviewer_id ?? '', size],
  )
}

/** Gives a reviewer an abstract, unless they have it or have given it back. */
export function insert(
  tx: WriteTx,
  row: Pick<ReviewRow, 'abstract_id' | 'reviewer_id' | 'event_id'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO reviews (abstract_id, reviewer_id, account_id, event_id, returned, scores, recommendation, to_authors, to_chairs,
       done_at, created_at, updated_at) VALUES ($1, $2, $3, $4, NULL, '{}', NULL, NULL, NULL, NULL, $5, $5)
     ON CONFLICT (account_id, abstract_id, reviewer_id) DO NOTHING`,
    [row.abstract_id, row.reviewer_id, tx.accountId, row.event_id, now],
  )
}

export function save(
  tx: WriteTx,
  row: Omit<ReviewRow, 'event_id' | 'updated_at' | 'returned'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE reviews SET scores = $4, recommendation = $5, to_authors = $6, to_chairs = $7, told = $8, done_at = $9, updated_at = $10
     WHERE account_id = $1 AND abstract_id = $2 AND reviewer_id = $3 AND returned IS NULL`,
    [
      ...[tx.accountId, row.abstract_id, row.reviewer_id, row.scores, row.recommendation],
      ...[row.to_authors, row.to_chairs, row.told, row.done_at, now],
    ],
  )
}

/** Notes that a reviewer has given an abstract back. What was typed of a review goes. */
export function giveBack(
  tx: WriteTx,
  { abstract_id, reviewer_id, returned }: Pick<ReviewRow, 'abstract_id' | 'reviewer_id' | 'returned'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE reviews SET returned = $4, scores = '{}', recommendation = NULL, to_authors = NULL, to_chairs = NULL, updated_at = $5
     WHERE account_id = $1 AND abstract_id = $2 AND reviewer_id = $3 AND returned IS NULL AND done_at IS NULL`,
    [tx.accountId, abstract_id, reviewer_id, returned, now],
  )
}

/** Takes an abstract from a reviewer who has not done it. */
export function remove(tx: WriteTx, abstractId: string, reviewerId: string): Promise<number> {
  return tx.run(
    'DELETE FROM reviews WHERE account_id = $1 AND abstract_id = $2 AND reviewer_id = $3 AND done_at IS NULL',
    [tx.accountId, abstractId, reviewerId],
  )
}

/** Takes all abstracts from a reviewer that are not done. What was given back stays known. */
export function removeUndone(tx: WriteTx, reviewerId: string): Promise<number> {
  return tx.run(
    'DELETE FROM reviews WHERE account_id = $1 AND reviewer_id = $2 AND done_at IS NULL AND returned IS NULL',
    [tx.accountId, reviewerId],
  )
}

/** Lists who is behind what a reviewer has still to do, in no order. */
export function listUndone(tx: ReadTx, reviewerId: string, limit: number): Promise<Behind[]> {
  return tx.all(
    `SELECT b.authors, b.contact, s.email AS submitter_email FROM reviews r JOIN abstracts b ON b.id = r.abstract_id
     LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id
     WHERE r.account_id = $1 AND r.reviewer_id = $2 AND r.done_at IS NULL AND r.returned IS NULL AND b.withdrawn_at IS NULL
     LIMIT $3`,
    [tx.accountId, reviewerId, limit],
  )
}

/** Who is behind an abstract. */
export interface Behind {
  /** A JSON array. */
  authors: string
  /** A JSON object. */
  contact: string
  submitter_email: string | null
}

export type WritersRow = Behind &
  Pick<SubmittedAbstract, 'id' | 'topic_id' | 'status'> & { created_at: number }

const WRITERS = `SELECT b.id, b.authors, b.contact, b.topic_id, b.status, b.created_at, s.email AS submitter_email FROM abstracts b
  LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id`

/** Lists who has written the abstracts of an event that stand, after `last`, the oldest first. */
export function listWriters(
  tx: ReadTx,
  eventId: string,
  last: Pick<WritersRow, 'created_at' | 'id'> | undefined,
  size: number,
): Promise<WritersRow[]> {
  return tx.all(
    `${WRITERS} WHERE b.account_id = $1 AND b.event_id = $2 AND b.withdrawn_at IS NULL AND (b.created_at, b.id) > ($3, $4)
     ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

export function findWriters(tx: ReadTx, abstractId: string): Promise<WritersRow | undefined> {
  return tx.one(`${WRITERS} WHERE b.account_id = $1 AND b.id = $2`, [tx.accountId, abstractId])
}
