import type { Actor } from '../access-log/rules.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { HOUR, SECOND } from '../time.ts'
import type { Permission } from '../users/roles.ts'
import { type Job, presentJob } from './schemas.ts'
import * as store from './store.ts'

/** How long a server has a job for itself after each batch, in milliseconds: another goes on after a crash. */
export const LEASE = 30 * SECOND

/** A kind of work that is done in batches. */
export interface JobKind {
  name: string
  /** What whoever started it must still be permitted for each batch; without it, it goes on to its end whatever becomes of them. */
  permission?: Permission
  /**
   * Does one batch, in some milliseconds at most, as everybody else's writes wait for it. The same transaction keeps how far
   * the job is: a crash leaves both or neither. It may run more than once, as every write.
   *
   * @throws Problem which ends the job as `failed`, with its code
   */
  run(tx: WriteTx, job: RunningJob, actor: Actor): Promise<Step>
}

/** A job as its kind gets it. */
export interface RunningJob extends Pick<Job, 'id' | 'event_id' | 'input' | 'done' | 'total' | 'outcome'> {
  /** What the batch before has left; null for the first. */
  position: string | null
  /** The lease that the batch is done under: an instant in milliseconds. */
  lease: number
}

/** What a batch has come to. */
export interface Step {
  position: string | null
  /** Of the whole job, out of `total`. */
  done: number
  finished: boolean
  /** What came of all of it so far: the last one stays. */
  outcome?: Record<string, unknown> | undefined
}

export interface NewJob {
  kind: string
  eventId: string | null
  input: object
  total: number | null
  /** The actor's `who`. */
  by: string
}

/** Has a server do the work, soon. @returns the job, which waits */
export function start(tx: WriteTx, accountId: string, job: NewJob): Promise<Job> {
  return add(tx, accountId, job, 'waiting')
}

/** The same, of work for which something has still to come in: `restart` then begins it. */
export function prepare(tx: WriteTx, accountId: string, job: NewJob): Promise<Job> {
  return add(tx, accountId, job, 'preparing')
}

async function add(
  tx: WriteTx,
  accountId: string,
  { kind, eventId, input, total, by }: NewJob,
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
  }
  return presentJob((await store.insert(tx, accountId, row, await tx.now())) as store.JobRow)
}

/**
 * Begins a job anew from the first of its work, also one that is under way: the batch that a server is at then undoes itself.
 *
 * @throws Problem not_found
 */
export async function restart(
  tx: WriteTx,
  accountId: string,
  id: string,
  { input, by }: Pick<NewJob, 'input' | 'by'>,
): Promise<Job> {
  const changes = { input: JSON.stringify(input), startedBy: by }
  const row = await store.restart(tx, accountId, id, changes, await tx.now())
  if (row === undefined) throw new Problem('not_found')
  return presentJob(row)
}

/** Keeps another input of a job that its kind has done with. @throws Problem not_found */
export async function keepInput(tx: WriteTx, accountId: string, id: string, input: object): Promise<void> {
  const changed = await store.setInput(tx, accountId, id, JSON.stringify(input), await tx.now())
  if (changed === 0) throw new Problem('not_found')
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Job> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return presentJob(row)
}

/** Newest first: of one event, or of all of the account. */
export async function list(
  tx: ReadTx,
  accountId: string,
  page: Page,
  eventId?: string,
): Promise<Iterable<Listed<Job>>> {
  return toListed(await store.listPage(tx, accountId, eventId, page), presentJob)
}

/**
 * Lets no further batch of it be done; what was done stays. One that has ended stays as it is.
 *
 * @throws Problem not_found
 */
export async function stop(tx: WriteTx, accountId: string, id: string): Promise<Job> {
  await store.stop(tx, accountId, id, await tx.now())
  return get(tx, accountId, id)
}

/**
 * Takes the job for a batch, or renews its lease.
 *
 * @param held the lease that this server has of it, or null
 * @returns undefined where it has ended, or another server has it
 */
export async function claim(
  tx: WriteTx,
  accountId: string,
  id: string,
  held: number | null,
): Promise<{ kind: string; by: string; job: RunningJob } | undefined> {
  const lease = leaseAt(tx.clock())
  const row = await store.claim(tx, accountId, id, { ...lease, held })
  if (row === undefined) return undefined
  const { event_id, input, done, total, outcome } = presentJob(row)
  const job = { id, event_id, input, done, total, outcome, position: row.position, lease: lease.longest }
  return { kind: row.kind, by: row.started_by, job }
}

/** Keeps how far the job is, in the transaction of its batch. @throws LeaseLost, so that the batch is undone */
export async function advance(
  tx: WriteTx,
  accountId: string,
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
  const changed = await store.advance(tx, accountId, job.id, progress, leases, await tx.now())
  if (changed === 0) throw new LeaseLost()
}

/** Another has stopped the job, has begun it anew, or goes on with it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Ends a job whose batch was refused or broke: with a code beside what came of it, and never with what people wrote.
 *
 * @param held as of `claim`
 */
export async function fail(
  tx: WriteTx,
  accountId: string,
  id: string,
  held: number | null,
  code: string,
): Promise<void> {
  const lease = { ...leaseAt(tx.clock()), held }
  const { outcome } = await get(tx, accountId, id)
  await store.fail(tx, accountId, id, lease, JSON.stringify({ ...outcome, code }), await tx.now())
}

/** Gives the job to any other server. */
export async function release(tx: WriteTx, accountId: string, id: string, held: number): Promise<void> {
  await store.release(tx, accountId, id, held)
}

/** The next job to do of any account, in the order of the accounts. @param after the id of the account that had its turn */
export async function findFree(
  tx: ReadTx,
  after: string,
  now: number,
): Promise<{ id: string; accountId: string } | undefined> {
  const row = await store.findFree(tx, after, leaseAt(now))
  return row && { id: row.id, accountId: row.account_id }
}

function leaseAt(now: number): { now: number; longest: number } {
  return { now, longest: now + LEASE }
}

/**
 * What a job needs comes in within seconds of one request. After an hour no server can be at it any more, this one or another on the
 * same database: it was killed meanwhile.
 */
const PREPARED_WITHIN = HOUR

/**
 * The oldest job that has ended, of those made before `before`, or whose preparing broke off.
 *
 * @param now milliseconds, as is `before`
 */
export async function findOld(
  tx: ReadTx,
  accountId: string,
  { before, now }: { before: number; now: number },
): Promise<string | undefined> {
  return (await store.findOld(tx, accountId, { before, prepared: now - PREPARED_WITHIN }))?.id
}

/** Deletes a job that nothing is left of. */
export async function remove(tx: WriteTx, accountId: string, id: string): Promise<void> {
  await store.remove(tx, accountId, id)
}
