import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import { HOUR, SECOND } from '#base/time.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { Permission } from '#product/administration/users/roles.ts'
import { type Job, presentJob } from './schemas.ts'
import * as store from './store.ts'

/**
 * How long a server keeps a job for itself after each batch, in milliseconds. If the server crashes, another one continues after
 * that.
 */
export const LEASE = 30 * SECOND

/** A kind of work that servers do in batches. */
export interface JobKind {
  name: string
  /**
   * The person who started the job must still have this permission at each batch. Without it, the job runs to its end whatever
   * becomes of the person.
   */
  permission?: Permission
  /**
   * Does one batch, in a few milliseconds at most, because all other writes wait for it. The same transaction stores the progress
   * of the job, so a crash leaves both or neither. Like every write, it may run more than once.
   *
   * @throws Problem which ends the job as `failed`, with its code
   */
  run(tx: WriteTx, job: RunningJob, actor: Actor): Promise<Step>
}

/** A job as its kind receives it. */
export interface RunningJob extends Pick<Job, 'id' | 'event_id' | 'input' | 'done' | 'total' | 'outcome'> {
  /** The position that the previous batch has left. It is null for the first batch. */
  position: string | null
  /** The lease under which the batch runs, an instant in milliseconds. */
  lease: number
}

/** The result of one batch. */
export interface Step {
  position: string | null
  /** Counts what is done of the whole job, out of `total`. */
  done: number
  finished: boolean
  /** The outcome of all batches so far. If it is left out, the previous one stays. */
  outcome?: Record<string, unknown> | undefined
}

export interface NewJob {
  kind: string
  eventId: string | null
  input: object
  total: number | null
  /** The `who` of the actor. */
  by: string
  /** The instant in milliseconds before which no server begins it. Without it, it begins as soon as a server is free. */
  notBefore?: number | undefined
}

/** Hands the work to a server, which begins it soon or at its instant. @returns the waiting job */
export function start(tx: WriteTx, job: NewJob): Promise<Job> {
  return add(tx, job, 'waiting')
}

/** Does the same for work that still waits for input. `restart` then begins it. */
export function prepare(tx: WriteTx, job: NewJob): Promise<Job> {
  return add(tx, job, 'preparing')
}

async function add(
  tx: WriteTx,
  { kind, eventId, input, total, by, notBefore }: NewJob,
  state: 'waiting' | 'preparing',
): Promise<Job> {
  const row = {
    id: newUuid(),
    event_id: eventId,
    kind,
    input: JSON.stringify(input),
    state,
    total,
    started_by: by,
    not_before: notBefore ?? null,
  }
  return presentJob((await store.insert(tx, row, await tx.now())) as store.JobRow)
}

/**
 * Starts a job again from the beginning and at once, even while it is running. A batch that a server has under way is then undone.
 *
 * @param total the new number of steps, where it changes
 * @throws Problem not_found
 */
export async function restart(
  tx: WriteTx,
  id: string,
  { input, by, total = null }: Pick<NewJob, 'input' | 'by'> & { total?: number | null },
): Promise<Job> {
  const changes = { input: JSON.stringify(input), startedBy: by, total }
  const row = await store.restart(tx, id, changes, await tx.now())
  if (row === undefined) throw new Problem('not_found')
  return presentJob(row)
}

/** Replaces the input of a job. @throws Problem not_found */
export async function keepInput(tx: WriteTx, id: string, input: object): Promise<void> {
  const changed = await store.setInput(tx, id, JSON.stringify(input), await tx.now())
  if (changed === 0) throw new Problem('not_found')
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Job> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentJob(row)
}

/** Lists the jobs of one event, or all jobs of the account, newest first. */
export async function list(tx: ReadTx, page: Page, eventId?: string): Promise<Iterable<Listed<Job>>> {
  return toListed(await store.listPage(tx, eventId, page), presentJob)
}

/**
 * Stops a job before its next batch. What is already done stays. A job that has ended stays as it is.
 *
 * @throws Problem not_found
 */
export async function stop(tx: WriteTx, id: string): Promise<Job> {
  await store.stop(tx, id, await tx.now())
  return get(tx, id)
}

/**
 * Takes the job for a batch, or renews its lease.
 *
 * @param ownLease the lease that this server holds on the job, or null
 * @returns undefined if the job has ended or another server has it
 */
export async function claim(
  tx: WriteTx,
  id: string,
  ownLease: number | null,
): Promise<{ kind: string; by: string; job: RunningJob } | undefined> {
  const lease = leaseAt(tx.clock())
  const row = await store.claim(tx, id, { ...lease, ownLease })
  if (row === undefined) return undefined
  const { event_id, input, done, total, outcome } = presentJob(row)
  const job = { id, event_id, input, done, total, outcome, position: row.position, lease: lease.longest }
  return { kind: row.kind, by: row.started_by, job }
}

/** Stores the progress of the job in the transaction of its batch. @throws LeaseLost, so that the batch is undone */
export async function advance(
  tx: WriteTx,
  job: Pick<RunningJob, 'id' | 'lease'> & { outcome?: RunningJob['outcome'] },
  { position, done, finished, outcome = job.outcome ?? undefined }: Step,
): Promise<void> {
  const progress = {
    state: finished ? 'done' : 'running',
    position,
    done,
    outcome: outcome === undefined ? null : JSON.stringify(outcome),
  } as const
  const leases = { lease: job.lease, kept: finished ? null : job.lease }
  const changed = await store.advance(tx, job.id, progress, leases, await tx.now())
  if (changed === 0) throw new LeaseLost()
}

/** Somebody has stopped or restarted the job, or another server has taken it over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Ends a job whose batch was refused or broke. It adds a code to the outcome, and never anything that people wrote.
 *
 * @param ownLease as in `claim`
 */
export async function fail(tx: WriteTx, id: string, ownLease: number | null, code: string): Promise<void> {
  const lease = { ...leaseAt(tx.clock()), ownLease }
  const { outcome } = await get(tx, id)
  await store.fail(tx, id, lease, JSON.stringify({ ...outcome, code }), await tx.now())
}

/** Ends the lease, so that any other server may take the job. */
export async function release(tx: WriteTx, id: string, ownLease: number): Promise<void> {
  await store.release(tx, id, ownLease)
}

/**
 * Returns the next free job of any account, in the order of the accounts.
 *
 * @param after the id of the account whose turn it was last
 * @param kind the only kind to look for
 */
export async function findFree(
  tx: InstanceReadTx,
  after: string,
  now: number,
  kind?: string,
): Promise<{ id: string; accountId: string } | undefined> {
  const lease = leaseAt(now)
  const row = await (kind === undefined
    ? store.findFree(tx, after, lease)
    : store.findFreeOf(tx, kind, after, lease))
  return row && { id: row.id, accountId: row.account_id }
}

function leaseAt(now: number): { now: number; longest: number } {
  return { now, longest: now + LEASE }
}

/**
 * The input of a job arrives within seconds of one request. A job that is still being prepared after an hour has lost its
 * process: neither this server nor another one on the same database can still be at work on it.
 */
const PREPARED_WITHIN = HOUR

/**
 * Returns the oldest job that can be deleted: one that has ended and was made before `before`, or one whose preparation broke
 * off.
 *
 * @param now in milliseconds, as is `before`
 */
export async function findOld(
  tx: ReadTx,
  { before, now }: { before: number; now: number },
): Promise<string | undefined> {
  return (await store.findOld(tx, { before, prepared: now - PREPARED_WITHIN }))?.id
}

/** Deletes a job that has nothing left to keep. */
export async function remove(tx: WriteTx, id: string): Promise<void> {
  await store.remove(tx, id)
}
