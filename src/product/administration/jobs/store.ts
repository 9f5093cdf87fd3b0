import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

export const jobStates = ['preparing', 'waiting', 'running', 'done', 'failed', 'stopped'] as const

export interface JobRow {
  id: string
  account_id: string
  event_id: string | null
  kind: string
  input: string
  state: (typeof jobStates)[number]
  position: string | null
  done: number
  total: number | null
  outcome: string | null
  started_by: string
  /** No batch begins before this instant. */
  not_before: number | null
  created_at: number
  updated_at: number
}

const COLUMNS = `id, account_id, event_id, kind, input, state, position, done, total, outcome, started_by, not_before,
  created_at, updated_at`
const SELECT = `SELECT j.id, j.account_id, j.event_id, j.kind, j.input, j.state, j.position, j.done, j.total, j.outcome,
  j.started_by, j.not_before, j.created_at, j.updated_at FROM jobs j`

export function insert(
  tx: WriteTx,
  job: Pick<JobRow, 'id' | 'event_id' | 'kind' | 'input' | 'state' | 'total' | 'started_by' | 'not_before'>,
  now: number,
): Promise<JobRow | undefined> {
  return tx.one(
    `INSERT INTO jobs (id, account_id, event_id, kind, input, state, position, done, total, outcome, started_by, not_before,
       lease_until, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, NULL, 0, $7, NULL, $8, $9, NULL, $10, $10) RETURNING ${COLUMNS}`,
    [
      ...[job.id, tx.accountId, job.event_id, job.kind, job.input, job.state, job.total],
      ...[job.started_by, job.not_before, now],
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<JobRow | undefined> {
  return tx.one(`${SELECT} WHERE j.account_id = $1 AND j.id = $2`, [tx.accountId, id])
}

/** Lists the jobs of one event, or all jobs of the account, newest first. */
export function listPage(tx: ReadTx, eventId: string | undefined, page: Page): Promise<JobRow[]> {
  return readPage(tx, SELECT, 'j', { account_id: tx.accountId, event_id: eventId }, page)
}

/** Starts a job again, whatever became of it before. A server that is at work on it finds its lease gone. */
export function restart(
  tx: WriteTx,
  id: string,
  { input, startedBy, total }: { input: string; startedBy: string; total: number | null },
  now: number,
): Promise<JobRow | undefined> {
  return tx.one(
    `UPDATE jobs SET state = 'waiting', input = $3, started_by = $4, position = NULL, done = 0, outcome = NULL,
       total = COALESCE($6, total), not_before = NULL, lease_until = NULL, updated_at = $5
     WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [tx.accountId, id, input, startedBy, now, total],
  )
}

export function setInput(tx: WriteTx, id: string, input: string, now: number): Promise<number> {
  return tx.run('UPDATE jobs SET input = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    input,
    now,
  ])
}

export function stop(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = 'stopped', lease_until = NULL, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND state IN ('preparing', 'waiting', 'running')`,
    [tx.accountId, id, now],
  )
}

/** Instants in milliseconds. A lease past `longest` comes from a clock that was ahead, and holds nobody off. */
export interface Lease {
  now: number
  longest: number
  /** The lease that this server holds, or null. */
  ownLease: number | null
}

/**
 * A job is free for this server if it may begin, and has no lease, one that has ended or the server's own.
 */
const FREE = `(not_before IS NULL OR not_before <= $3)
       AND (lease_until IS NULL OR lease_until <= $3 OR lease_until > $4 OR lease_until = $5)`

/** Takes the job, or renews its lease, in one statement. @returns undefined if it has ended or another server has it */
export function claim(
  tx: WriteTx,
  id: string,
  { now, longest, ownLease }: Lease,
): Promise<JobRow | undefined> {
  return tx.one(
    `UPDATE jobs SET state = 'running', lease_until = $4
     WHERE account_id = $1 AND id = $2 AND state IN ('waiting', 'running') AND ${FREE} RETURNING ${COLUMNS}`,
    [tx.accountId, id, now, longest, ownLease],
  )
}

/** The state of a job after a batch. */
export interface Progress {
  state: 'running' | 'done'
  position: string | null
  done: number
  outcome: string | null
}

/** Changes no row if the lease of the batch is gone. */
export function advance(
  tx: WriteTx,
  id: string,
  progress: Progress,
  { lease, kept }: { lease: number; kept: number | null },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = $4, position = $5, done = $6, outcome = $7, lease_until = $8, updated_at = $9
     WHERE account_id = $1 AND id = $2 AND state = 'running' AND lease_until = $3`,
    [tx.accountId, id, lease, progress.state, progress.position, progress.done, progress.outcome, kept, now],
  )
}

export function fail(
  tx: WriteTx,
  id: string,
  { now, longest, ownLease }: Lease,
  outcome: string,
  updatedAt: number,
): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = 'failed', lease_until = NULL, outcome = $6, updated_at = $7
     WHERE account_id = $1 AND id = $2 AND state IN ('waiting', 'running') AND ${FREE}`,
    [tx.accountId, id, now, longest, ownLease, outcome, updatedAt],
  )
}

export function release(tx: WriteTx, id: string, ownLease: number): Promise<number> {
  return tx.run('UPDATE jobs SET lease_until = NULL WHERE account_id = $1 AND id = $2 AND lease_until = $3', [
    tx.accountId,
    id,
    ownLease,
  ])
}

/** Finds the oldest unfinished job without a lease, of the next account that has one. */
export function findFree(
  tx: InstanceReadTx,
  afterAccount: string,
  { now, longest }: Omit<Lease, 'ownLease'>,
): Promise<Pick<JobRow, 'id' | 'account_id'> | undefined> {
  return tx.one(
    `SELECT j.id, j.account_id FROM jobs j WHERE j.state IN ('waiting', 'running') AND j.account_id > $1
       AND (j.not_before IS NULL OR j.not_before <= $2) AND (j.lease_until IS NULL OR j.lease_until <= $2 OR j.lease_until > $3)
     ORDER BY j.account_id, j.created_at, j.id LIMIT 1`,
    [afterAccount, now, longest],
  )
}

/** The most jobs of other kinds that a search for one kind passes over. */
const MOST_PASSED = 1_000

/** Does the same for one kind, among the next thousand jobs. */
export function findFreeOf(
  tx: InstanceReadTx,
  kind: string,
  afterAccount: string,
  { now, longest }: Omit<Lease, 'ownLease'>,
): Promise<Pick<JobRow, 'id' | 'account_id'> | undefined> {
  return tx.one(
    `SELECT slice.id, slice.account_id FROM (SELECT j.id, j.account_id, j.kind FROM jobs j WHERE j.state IN ('waiting', 'running') AND j.account_id > $1
         AND (j.not_before IS NULL OR j.not_before <= $2) AND (j.lease_until IS NULL OR j.lease_until <= $2 OR j.lease_until > $3)
       ORDER BY j.account_id, j.created_at, j.id LIMIT $4) AS slice WHERE slice.kind = $5`,
    [afterAccount, now, longest, MOST_PASSED, kind],
  )
}

/**
 * Finds the oldest job of the account that is over and was made before `before`, or that is `preparing` and was made before
 * `prepared`.
 */
export function findOld(
  tx: ReadTx,
  { before, prepared }: { before: number; prepared: number },
): Promise<Pick<JobRow, 'id'> | undefined> {
  return tx.one(
    `SELECT j.id FROM jobs j WHERE j.account_id = $1 AND j.created_at < $3 AND (j.state = 'preparing'
       OR (j.created_at < $2 AND j.state NOT IN ('waiting', 'running'))) ORDER BY j.created_at, j.id LIMIT 1`,
    [tx.accountId, before, prepared],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM jobs WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}
