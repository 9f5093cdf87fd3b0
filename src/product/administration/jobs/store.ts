import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'

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
  created_at: number
  updated_at: number
}

const COLUMNS = `id, account_id, event_id, kind, input, state, position, done, total, outcome, started_by, created_at,
  updated_at`
const SELECT = `SELECT j.id, j.account_id, j.event_id, j.kind, j.input, j.state, j.position, j.done, j.total, j.outcome,
  j.started_by, j.created_at, j.updated_at FROM jobs j`

export function insert(
  tx: WriteTx,
  accountId: string,
  job: Pick<JobRow, 'id' | 'event_id' | 'kind' | 'input' | 'state' | 'total' | 'started_by'>,
  now: number,
): Promise<JobRow | undefined> {
  return tx.one(
    `INSERT INTO jobs (id, account_id, event_id, kind, input, state, position, done, total, outcome, started_by, lease_until,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, NULL, 0, $7, NULL, $8, NULL, $9, $9) RETURNING ${COLUMNS}`,
    [job.id, accountId, job.event_id, job.kind, job.input, job.state, job.total, job.started_by, now],
  )
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<JobRow | undefined> {
  return tx.one(`${SELECT} WHERE j.account_id = $1 AND j.id = $2`, [accountId, id])
}

/** Newest first: of one event, or of all. */
export function listPage(
  tx: ReadTx,
  accountId: string,
  eventId: string | undefined,
  page: Page,
): Promise<JobRow[]> {
  return readPage(tx, SELECT, 'j', { account_id: accountId, event_id: eventId }, page)
}

/** Begins it anew, whatever became of it before: a server that is at work on it finds its lease gone. */
export function restart(
  tx: WriteTx,
  accountId: string,
  id: string,
  { input, startedBy }: { input: string; startedBy: string },
  now: number,
): Promise<JobRow | undefined> {
  return tx.one(
    `UPDATE jobs SET state = 'waiting', input = $3, started_by = $4, position = NULL, done = 0, outcome = NULL,
       lease_until = NULL, updated_at = $5 WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [accountId, id, input, startedBy, now],
  )
}

export function setInput(
  tx: WriteTx,
  accountId: string,
  id: string,
  input: string,
  now: number,
): Promise<number> {
  return tx.run('UPDATE jobs SET input = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    input,
    now,
  ])
}

export function stop(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = 'stopped', lease_until = NULL, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND state IN ('preparing', 'waiting', 'running')`,
    [accountId, id, now],
  )
}

/** Milliseconds. A lease past `longest` was given by a clock that was ahead, and holds nobody off. */
export interface Lease {
  now: number
  longest: number
  /** The one that this server has, if it has one. */
  held: number | null
}

/** Free for this server: nobody's, past its end, or its own. */
const FREE = '(lease_until IS NULL OR lease_until <= $3 OR lease_until > $4 OR lease_until = $5)'

/** Takes the job, or renews its lease, in one statement. @returns undefined where it has ended or is another server's */
export function claim(
  tx: WriteTx,
  accountId: string,
  id: string,
  { now, longest, held }: Lease,
): Promise<JobRow | undefined> {
  return tx.one(
    `UPDATE jobs SET state = 'running', lease_until = $4
     WHERE account_id = $1 AND id = $2 AND state IN ('waiting', 'running') AND ${FREE} RETURNING ${COLUMNS}`,
    [accountId, id, now, longest, held],
  )
}

/** Where the job stands after a batch. */
export interface Progress {
  state: 'running' | 'done'
  position: string | null
  done: number
  outcome: string | null
}

/** Changes no row when the lease that the batch was done under is not there any more. */
export function advance(
  tx: WriteTx,
  accountId: string,
  id: string,
  progress: Progress,
  { lease, kept }: { lease: number; kept: number | null },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = $4, position = $5, done = $6, outcome = $7, lease_until = $8, updated_at = $9
     WHERE account_id = $1 AND id = $2 AND state = 'running' AND lease_until = $3`,
    [accountId, id, lease, progress.state, progress.position, progress.done, progress.outcome, kept, now],
  )
}

export function fail(
  tx: WriteTx,
  accountId: string,
  id: string,
  { now, longest, held }: Lease,
  outcome: string,
  updatedAt: number,
): Promise<number> {
  return tx.run(
    `UPDATE jobs SET state = 'failed', lease_until = NULL, outcome = $6, updated_at = $7
     WHERE account_id = $1 AND id = $2 AND state IN ('waiting', 'running') AND ${FREE}`,
    [accountId, id, now, longest, held, outcome, updatedAt],
  )
}

export function release(tx: WriteTx, accountId: string, id: string, held: number): Promise<number> {
  return tx.run('UPDATE jobs SET lease_until = NULL WHERE account_id = $1 AND id = $2 AND lease_until = $3', [
    accountId,
    id,
    held,
  ])
}

/** The oldest job with something left to do that is no server's, of the next account that has one. */
export function findFree(
  tx: ReadTx,
  afterAccount: string,
  { now, longest }: Omit<Lease, 'held'>,
): Promise<Pick<JobRow, 'id' | 'account_id'> | undefined> {
  return tx.one(
    `SELECT j.id, j.account_id FROM jobs j WHERE j.state IN ('waiting', 'running') AND j.account_id > $1
       AND (j.lease_until IS NULL OR j.lease_until <= $2 OR j.lease_until > $3)
     ORDER BY j.account_id, j.created_at, j.id LIMIT 1`,
    [afterAccount, now, longest],
  )
}

/** The oldest of the account that has nothing left to do and began before `before`, or is only prepared since `prepared`. */
export function findOld(
  tx: ReadTx,
  accountId: string,
  { before, prepared }: { before: number; prepared: number },
): Promise<Pick<JobRow, 'id'> | undefined> {
  return tx.one(
    `SELECT j.id FROM jobs j WHERE j.account_id = $1 AND j.created_at < $3 AND (j.state = 'preparing'
       OR (j.created_at < $2 AND j.state NOT IN ('waiting', 'running'))) ORDER BY j.created_at, j.id LIMIT 1`,
    [accountId, before, prepared],
  )
}

export function remove(tx: WriteTx, accountId: string, id: string): Promise<number> {
  return tx.run('DELETE FROM jobs WHERE account_id = $1 AND id = $2', [accountId, id])
}
