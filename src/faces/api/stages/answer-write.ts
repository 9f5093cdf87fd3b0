import { answerJson } from '#machinery/http/sending.ts'
import { holdAnswer, type Services, type Stage } from '../context.ts'
import { fingerprint } from '../idempotency.ts'
import type { RouteOf } from '../route.ts'
import { executeWrite } from '../write.ts'

export function answerWrite({ db, clientAddress }: Services, route: RouteOf<'write'>): Stage {
  return async context => {
    const { requestId, caller, received, rawBody, holding, idempotencyKey: key } = context.state
    const { accountId } = caller
    const prepared = await route.prepare?.(db, received).catch(() => undefined)
    const outcome = await executeWrite(db, {
      route,
      received,
      prepared,
      actor: { accountId, who: `key:${caller.keyId}`, requestId, address: clientAddress(context.req) },
      makeRoom: json => holdAnswer(holding, json),
      idempotent:
        key === undefined
          ? undefined
          : { accountId, key, fingerprint: fingerprint(context.method, context.path, rawBody) },
    })
    if (outcome.replayed) context.set('Idempotent-Replayed', 'true')
    context.state.problem = outcome.problem
    answerJson(context, outcome.status, outcome.body)
  }
}
