import { isDecision, Problem } from '#base/problem.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { type Actor, record } from './rules.ts'

/** Describes the access-log entry of a write. */
export interface WriteEntry<Result> {
  action: string
  targetType: string
  targetId?: string | undefined
  /** Returns the id of the target from the result. A refusal takes it from the Problem's subject instead. */
  targetOf?: (result: Result) => string | undefined
  /** Returns the details of the entry. The code and details of a refusal are added to them. A refusal has no result. */
  details?: (problem: Problem | undefined, result: Result | undefined) => Record<string, unknown>
  /** Returns the ids of further targets to which the same was done. Each has an entry of its own. */
  alsoOf?: (result: Result) => readonly string[]
  /** Returns false if there was nothing to do. The write then leaves no entry. */
  hasChanged?: (result: Result) => boolean
}

/** The result of a write, or the Problem that refused it. */
export type Outcome<Result> =
  | { result: Result; problem?: undefined }
  | { problem: Problem; result?: undefined }

/**
 * Runs a write and records it in the access log, in one transaction. If a rule refuses the write, its changes are undone and the
 * entry of the refusal stays.
 *
 * @throws Problem of the rule, after its entry is kept. A Problem that is no decision leaves no entry
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
 * Does the same inside a transaction of the caller. It serves a face that also writes something else, which may depend on the
 * outcome.
 *
 * @throws Problem that is no decision
 */
export async function runRecorded<Result>(
  tx: WriteTx,
  actor: Omit<Actor, 'accountId'>,
  work: (tx: WriteTx) => Promise<Result>,
  entry: WriteEntry<Result>,
): Promise<Outcome<Result>> {
  const outcome = await attempt(tx, work)
  const { problem } = outcome
  if (problem === undefined && entry.hasChanged?.(outcome.result) === false) return outcome
  const target = problem === undefined ? entry.targetOf?.(outcome.result) : problem.subject
  const others = problem === undefined ? (entry.alsoOf?.(outcome.result) ?? []) : []
  for (const targetId of [target ?? entry.targetId ?? null, ...others]) {
    await record(tx, {
      ...{ who: actor.who, requestId: actor.requestId, address: actor.address },
      action: entry.action,
      targetType: entry.targetType,
      targetId,
      details: { ...entry.details?.(problem, outcome.result), code: problem?.code, ...problem?.details },
    })
  }
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
