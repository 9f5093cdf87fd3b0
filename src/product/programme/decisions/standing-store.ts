import type { ReadTx } from '#machinery/db/port.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import type { Review } from '#product/programme/reviews/review-schemas.ts'

/** An abstract with who is behind it, and what is proposed for it. */
export interface StandingRow
  extends Pick<SubmittedAbstract, 'id' | 'code' | 'title' | 'language' | 'status' | 'topic_id' | 'kind_id'> {
  /** A JSON array. */
  authors: string
  /** A JSON object. */
  contact: string
  submitter_email: string | null
  created_at: number
  proposed: 'accepted' | 'rejected' | null
  proposed_kind_id: string | null
  note: string | null
  proposed_by: string | null
  job_state: Job['state'] | null
}

/** Lists the abstracts of an event that stand, after `last`, the oldest first. */
export function listStanding(
  tx: ReadTx,
  eventId: string,
  last: Pick<StandingRow, 'created_at' | 'id'> | undefined,
  size: number,
): Promise<StandingRow[]> {
  return tx.all(
    `SELECT b.id, b.code, b.title, b.language, b.status, b.topic_id, b.kind_id, b.authors, b.contact, b.created_at,
       s.email AS submitter_email, p.decision AS proposed, p.kind_id AS proposed_kind_id, p.note, p.proposed_by,
       j.state AS job_state
     FROM abstracts b LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id
       LEFT JOIN proposals p ON p.account_id = b.account_id AND p.abstract_id = b.id
       LEFT JOIN jobs j ON j.account_id = p.account_id AND j.id = p.job_id
     WHERE b.account_id = $1 AND b.event_id = $2 AND b.withdrawn_at IS NULL AND (b.created_at, b.id) > ($3, $4)
     ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

/** What a review says in figures. */
export type ScoredRow = Pick<Review, 'abstract_id' | 'reviewer_id' | 'recommendation'> & {
  /** A JSON object: the ids of criteria with scores. */
  scores: string
}

/** Lists the reviews of an event that are done, after `last`, by their abstracts. */
export function listScored(
  tx: ReadTx,
  eventId: string,
  last: Pick<ScoredRow, 'abstract_id' | 'reviewer_id'> | undefined,
  size: number,
): Promise<ScoredRow[]> {
  return tx.all(
    `SELECT r.abstract_id, r.reviewer_id, r.recommendation, r.scores FROM reviews r
     WHERE r.account_id = $1 AND r.event_id = $2 AND r.done_at IS NOT NULL AND (r.abstract_id, r.reviewer_id) > ($3, $4)
     ORDER BY r.abstract_id, r.reviewer_id LIMIT $5`,
    [tx.accountId, eventId, last?.abstract_id ?? '', last?.reviewer_id ?? '', size],
  )
}
