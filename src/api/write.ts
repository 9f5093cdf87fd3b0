import * as accessLog from '../access-log/rules.ts'
import type { Database } from '../db/port.ts'
import { errorBody, statusOf } from '../http/errors.ts'
import { Problem } from '../problem.ts'
import { findAnswer, type IdempotentRequest, keepAnswer, type Outcome } from './idempotency.ts'
import { type Received, type RouteOf, toCall } from './route.ts'

export interface WriteRequest {
  route: RouteOf<'write'>
  received: Received
  requestId: string
  actor: string
  address: string
  /** Throws where there is no room for the answer. */
  makeRoom: (json: string) => void
  /** Undefined without an Idempotency-Key. */
  idempotent: IdempotentRequest | undefined
}

/** Statuses that are decided inside the transaction, and so are kept for a retry. */
const KEPT_STATUSES: ReadonlySet<number> = new Set([404, 409, 422])

/**
 * Carries out a write in one transaction with all that records it: the change with its webhook events, the idempotent
 * answer, the access log entry. When the rule refuses, what it changed is undone and the record stays.
 *
 * @throws Problem idempotency_key_reused; that of `makeRoom`, with nothing changed
 */
export function carryOut(
  db: Database,
  request: WriteRequest,
): Promise<Outcome & { replayed: boolean; problem: Problem | undefined }> {
  const { route, received, idempotent } = request
  return db.write(async tx => {
    if (idempotent !== undefined) {
      const kept = await findAnswer(tx, idempotent)
      if (kept !== undefined) {
        request.makeRoom(kept.body)
        return { ...kept, replayed: true, problem: undefined }
      }
    }
    let outcome: Outcome
    let target = received.params?.id ?? null
    let problem: Problem | undefined
    try {
      const { resource, json } = await tx.attempt(async () => route.handle(tx, toCall(received)))
      outcome = { status: route.answer.status, body: json }
      target = route.targetOf?.(resource as never) ?? target
    } catch (error) {
      if (!(error instanceof Problem) || !KEPT_STATUSES.has(statusOf(error))) throw error
      problem = error
      outcome = { status: statusOf(error), body: errorBody(error, request.requestId) }
      target = error.subject ?? target
    }
    request.makeRoom(outcome.body)
    if (idempotent !== undefined) await keepAnswer(tx, idempotent, outcome)
    await accessLog.record(tx, {
      accountId: received.accountId,
      actor: request.actor,
      action: route.action,
      targetType: route.target,
      targetId: target,
      requestId: request.requestId,
      address: request.address,
      details: {
        ...route.detailsOf?.(received.body),
        status: outcome.status,
        code: problem?.code,
        ...problem?.details,
      },
    })
    return { ...outcome, replayed: false, problem }
  })
}
