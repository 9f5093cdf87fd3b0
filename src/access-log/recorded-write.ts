import type { Database, WriteTx } from '../db/port.ts'
import { isDecision, Problem } from '../problem.ts'
import { type Actor, record } from './rules.ts'

/** How the access log tells of what is done. */
export interface Deed<Result> {
  action: string
  targetType: string
  targetId?: string | undefined
  /** Names the target by what came of it. A refusal names it by the Problem's subject. */
  targetOf?: (result: Result) => string | undefined
  /** Of a refusal its code and its details are added. */
  details?: (problem: Problem | undefined) => Record<string, unknown>
  /** Says no where there was nothing to do: then there is no entry. */
  hasChanged?: (result: Result) => boolean
}

/** The Problem is of a refusal. */
export type Outcome<Result> = { result: Result; problem?: undefined } | { problem: Problem }

/**
 * Carries out a write with its entry in the access log, in one transaction. What a refused rule has changed is undone, and
 * the entry of the refusal stays.
 *
 * @throws Problem of the rule, once its entry is kept; one that is no decision leaves none
 */
export async function recordedWrite<Result>(
  db: Pick<Database, 'write'>,
  actor: Actor,
  work: (tx: WriteTx) => Promise<Result>,
  deed: Deed<Result>,
): Promise<Result> {
  const outcome = await db.write(actor.accountId, tx => recorded(tx, actor, work, deed))
  if (outcome.problem !== undefined) throw outcome.problem
  return outcome.result
}

/**
 * The same for a face that writes something of its own beside it, which may depend on the outcome.
 *
 * @throws Problem that is no decision
 */
export async function recorded<Result>(
  tx: WriteTx,
  actor: Actor,
  work: (tx: WriteTx) => Promise<Result>,
  deed: Deed<Result>,
): Promise<Outcome<Result>> {
  const outcome = await attempt(tx, work)
  const { problem } = outcome
  if (problem === undefined && deed.hasChanged?.(outcome.result) === false) return outcome
  const target = problem === undefined ? deed.targetOf?.(outcome.result) : problem.subject
  const { accountId, ...by } = actor
  await record(tx, accountId, {
    ...by,
    action: deed.action,
    targetType: deed.targetType,
    targetId: target ?? deed.targetId ?? null,
    details: { ...deed.details?.(problem), code: problem?.code, ...problem?.details },
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
