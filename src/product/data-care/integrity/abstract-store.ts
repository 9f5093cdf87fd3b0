import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Id, type Rule, rule } from './store.ts'

const NEWEST = '(SELECT max(r.number) FROM abstract_revisions r WHERE r.abstract_id = b.id)'
const COUNT = '(SELECT count(*) FROM abstract_revisions r WHERE r.abstract_id = b.id)'

/** Lists the rules of what must not be found in abstracts that were submitted here, with the sentence for each. */
export const abstractRules: readonly Rule<never>[] = [
  rule<Id & { revision: number; newest: number }>(
    `SELECT b.id, b.revision, coalesce(${NEWEST}, 0) AS newest FROM abstracts b WHERE b.revision <> coalesce(${NEWEST}, 0)`,
    ({ id, revision, newest }) => `abstract ${id} is at revision ${revision}, and its newest is ${newest}`,
  ),
  rule<Id & { revision: number; count: number }>(
    `SELECT b.id, b.revision, ${COUNT} AS count FROM abstracts b
     WHERE b.revision = ${NEWEST} AND b.revision <> ${COUNT}`,
    ({ id, revision, count }) => `abstract ${id} has ${count} revisions, of which the newest is ${revision}`,
  ),
  rule<Id>(
    'SELECT s.id FROM submissions s WHERE s.draft IS NULL AND s.abstract_id IS NULL',
    ({ id }) => `submission ${id} has neither a draft nor an abstract`,
  ),
  rule<Id>(
    `SELECT s.id FROM submissions s JOIN abstracts b ON b.id = s.abstract_id
     WHERE b.event_id <> s.event_id OR b.account_id <> s.account_id OR b.revision = 0`,
    ({ id }) => `submission ${id} has an abstract that was not submitted by it`,
  ),
  rule<Id>(
    `SELECT p.abstract_id AS id FROM proposals p JOIN abstracts b ON b.id = p.abstract_id
     WHERE b.withdrawn_at IS NOT NULL`,
    ({ id }) => `abstract ${id} was withdrawn, and a decision about it is proposed`,
  ),
  rule<Id>(
    `SELECT p.abstract_id AS id FROM proposals p JOIN abstracts b ON b.id = p.abstract_id
     WHERE b.event_id <> p.event_id OR b.account_id <> p.account_id`,
    ({ id }) => `abstract ${id} has a proposed decision of another event`,
  ),
  rule<Id & { reviewer_id: string }>(
    `SELECT r.abstract_id AS id, r.reviewer_id FROM reviews r JOIN abstracts b ON b.id = r.abstract_id
     JOIN reviewers w ON w.id = r.reviewer_id
     WHERE b.event_id <> r.event_id OR b.account_id <> r.account_id OR w.event_id <> r.event_id`,
    ({ id, reviewer_id }) => `abstract ${id} has a review of another event, by reviewer ${reviewer_id}`,
  ),
]

export interface RevisedRow extends Id {
  title: string
  abstract: string
  keywords: string | null
  language: string | null
  topic_id: string | null
  kind_id: string | null
  /** A JSON array. */
  authors: string
  /** The JSON of the newest revision. */
  content: string
}

/** One batch has this many rows, each of up to some hundred kilobytes. */
const BATCH = 30

/** Reads the abstracts that were submitted here, each with its newest revision. */
export function walkRevised(reader: Reader): AsyncGenerator<RevisedRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: RevisedRow | undefined, size) =>
    tx.all(
      `SELECT b.id, b.title, b.abstract, b.keywords, b.language, b.topic_id, b.kind_id, b.authors, r.content FROM abstracts b
       JOIN abstract_revisions r ON r.abstract_id = b.id AND r.number = b.revision
       WHERE b.id > $1 ORDER BY b.id LIMIT $2`,
      [last?.id ?? '', size],
    ),
  )
}
