import type { Database, WriteTx } from '../db/port.ts'
import { isDecision, Problem } from '../problem.ts'
import { type Actor, record } from './rules.ts'

/** The access-log entry of a write. */
export interface WriteEntry<Result> {
  action: string
  targetType: string
  targetId?: string | undefined
  /** Names the target by the result. A refusal names it by the Problem's subject. */
  targetOf?: (result: Result) => string | undefined
  /** The code and details of a refusal are added to these. A refusal has no result. */
  details?: (problem: Problem | undefined, result: Result | undefined) => Record<string, unknown>
  /** False if there was nothing to do: then there is no entry. */
  hasChanged?: (result: Result) => boolean
}

/** The result, or the Problem of a refusal. */
export type Outcome<Result> =
  | { result: Result; problem?: undefined }
  | { problem: Problem; result?: undefined }

/**
 * Runs a write with its entry in the access log, in one transaction. The changes of a refused rule are undone, and the entry
 * of the refusal stays.
 *
 * @throws Problem of the rule, once its entry is kept; a Problem that is no decision leaves no entry
 */
export async function recordedWrite<Result>(
  db: Pick<Database, 'write'>,
  actor: Actor,
  work: (tx: WriteTx) => Promise<Result>,
  entry: WriteEntry<Result>,
): Promise<Result> {
  const outcome = await db.write(actor.accountId, tx => runRecorded(tx, actor, work, entry))
  if (outcome.problem !== undefined) throw outcome.problem
  return outcome.result
}

/**
 * The same inside a transaction of the caller, for a face that writes more beside it, which may depend on the outcome.
 *
 * @throws Problem that is no decision
 */
export async function runRecorded<Result>(
  tx: WriteTx,
  actor: Actor,
  work: (tx: WriteTx) => Promise<Result>,
  entry: WriteEntry<Result>,
): Promise<Outcome<Result>> {
  const outcome = await attempt(tx, work)
  const { problem } = outcome
  if (problem === undefined && entry.hasChanged?.(outcome.result) === false) return outcome
  const target = problem === undefined ? entry.targetOf?.(outcome.result) : problem.subject
  const { accountId, ...by } = actor
  await record(tx, accountId, {
    ...by,
    action: entry.action,
    targetType: entry.targetType,
    targetId: target ?? entry.targetId ?? null,
    details: { ...entry.details?.(problem, outcome.result), code: problem?.code, ...problem?.details },
  })
  return outcome
}

async function attempt<Result>(
  tx: WriteTx,
  work: (tx: WriteTx) => Promise<Result>,
): Promise<Outcome<Result>> {
  try {
    return { result: await tx.attempt(async () => work(tx)) }
  } catch (error) {
    if (!(error instanceof Problem) || !isDecision(error)) throw error
    return { problem: error }
  }
}
