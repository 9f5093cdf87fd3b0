import type { Problem } from '#base/problem.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { errorBody, statusOf } from '#machinery/http/errors.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import { findAnswer, type IdempotentRequest, keepAnswer, type Outcome } from './idempotency.ts'
import { type Received, type RouteOf, toCall } from './route.ts'

export interface WriteRequest {
  route: RouteOf<'write'>
  received: Received
  /** The route's `prepare` returned this for the request. */
  prepared: unknown
  actor: Actor & { requestId: string }
  /** Throws if there is no room for the answer. */
  makeRoom: (json: string) => void
  /** It is undefined for a request without an Idempotency-Key. */
  idempotent: IdempotentRequest | undefined
}

/**
 * Executes a write in one transaction with its records: its webhook events, the access log entry and the idempotent answer. If
 * the rule refuses, its changes are undone and the records stay.
 *
 * @throws Problem idempotency_key_reused, or the one of `makeRoom`; either leaves everything unchanged
 */
export function executeWrite(
  db: Database,
  request: WriteRequest,
): Promise<Outcome & { replayed: boolean; problem: Problem | undefined }> {
  const { route, received, actor, idempotent } = request
  const write = async (tx: WriteTx) => {
    if (idempotent !== undefined) {
      const kept = await findAnswer(tx, idempotent)
      if (kept !== undefined) {
        request.makeRoom(kept.body)
        return { ...kept, replayed: true, problem: undefined }
      }
    }
    const status = (problem: Problem | undefined) =>
      problem === undefined ? route.answer.status : statusOf(problem)
    const done = await runRecorded(tx, actor, () => route.handle(tx, toCall(received), request.prepared), {
      action: route.action,
      targetType: route.target,
      targetId: received.params?.id,
      targetOf: ({ resource }) => route.targetOf?.(resource as never),
      details: problem => ({ ...route.detailsOf?.(received.body), status: status(problem) }),
    })
    const { problem } = done
    const body = problem === undefined ? done.result.json : errorBody(problem, actor.requestId)
    const outcome = { status: status(problem), body }
    request.makeRoom(body)
    if (idempotent !== undefined) await keepAnswer(tx, idempotent, outcome)
    return { ...outcome, replayed: false, problem }
  }
  // The key is claimed by a statement too: `keepAnswer` replaces only an answer that has expired.
  return db.write(actor.accountId, write, { isGuarded: route.isGuarded })
}
