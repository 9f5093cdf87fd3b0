import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import type { AbstractRow } from './store.ts'

export interface ProposalRow {
  abstract_id: string
  event_id: string
  decision: 'accepted' | 'rejected'
  kind_id: string | null
  note: string | null
  proposed_by: string
  /** What sends it, or has tried to. */
  job_id: string | null
  created_at: number
  updated_at: number
}

/** A proposal with what tells its abstract from others, who is behind it, and how far its job is. */
export type ProposedRow = ProposalRow &
  Pick<AbstractRow, 'code' | 'title' | 'contact' | 'authors'> & {
    submitter_email: string | null
    job_state: Job['state'] | null
  }

const COLUMNS =
  'p.abstract_id, p.event_id, p.decision, p.kind_id, p.note, p.proposed_by, p.job_id, p.created_at, p.updated_at'
const SELECT = `SELECT ${COLUMNS}, b.code, b.title, b.contact, b.authors, s.email AS submitter_email,
  j.state AS job_state FROM proposals p JOIN abstracts b ON b.id = p.abstract_id
  LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id
  LEFT JOIN jobs j ON j.account_id = p.account_id AND j.id = p.job_id`

export function find(tx: ReadTx, abstractId: string): Promise<ProposedRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.abstract_id = $2`, [tx.accountId, abstractId])
}

/** Lists the proposals of an event after `last`, by their abstracts. */
export function listOfEvent(
  tx: ReadTx,
  eventId: string,
  last: string | undefined,
  limit: number,
): Promise<ProposedRow[]> {
  return tx.all(
    `${SELECT} WHERE p.account_id = $1 AND p.event_id = $2 AND p.abstract_id > $3 ORDER BY p.abstract_id LIMIT $4`,
    [tx.accountId, eventId, last ?? '', limit],
  )
}

/** Lists what a job has to send, by their abstracts. */
export function listOfJob(tx: ReadTx, jobId: string, limit: number): Promise<ProposedRow[]> {
  return tx.all(`${SELECT} WHERE p.account_id = $1 AND p.job_id = $2 ORDER BY p.abstract_id LIMIT $3`, [
    tx.accountId,
    jobId,
    limit,
  ])
}

/** Keeps a proposal in place of the one before. */
export function put(
  tx: WriteTx,
  row: Omit<ProposalRow, 'job_id' | 'created_at' | 'updated_at'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO proposals (abstract_id, account_id, event_id, decision, kind_id, note, proposed_by, job_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8, $8)
     ON CONFLICT (account_id, abstract_id) DO UPDATE SET decision = excluded.decision, kind_id = excluded.kind_id,
       note = excluded.note, proposed_by = excluded.proposed_by, job_id = NULL, updated_at = excluded.updated_at`,
    [
      ...[row.abstract_id, tx.accountId, row.event_id, row.decision, row.kind_id, row.note],
      ...[row.proposed_by, now],
    ],
  )
}

export function remove(tx: WriteTx, abstractId: string): Promise<number> {
  return tx.run('DELETE FROM proposals WHERE account_id = $1 AND abstract_id = $2', [
    tx.accountId,
    abstractId,
  ])
}

/** Hands the proposals of an event to a job, but for those of which another job is under way. */
export function setJob(tx: WriteTx, eventId: string, jobId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE proposals SET job_id = $3, updated_at = $4 WHERE account_id = $1 AND event_id = $2
     AND (job_id IS NULL OR job_id NOT IN (SELECT j.id FROM jobs j WHERE j.account_id = $1 AND j.state IN ('waiting', 'running')))`,
    [tx.accountId, eventId, jobId, now],
  )
}

export function clearJob(tx: WriteTx, abstractId: string, jobId: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE proposals SET job_id = NULL, updated_at = $4 WHERE account_id = $1 AND abstract_id = $2 AND job_id = $3',
    [tx.accountId, abstractId, jobId, now],
  )
}

/** Takes a person out of a proposal: what is said to them. */
export function eraseNote(tx: WriteTx, abstractId: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE proposals SET note = NULL, updated_at = $3 WHERE account_id = $1 AND abstract_id = $2 AND note IS NOT NULL',
    [tx.accountId, abstractId, now],
  )
}
