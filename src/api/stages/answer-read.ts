import type { Reader } from '../../db/batches.ts'
import { answerJson, streamOf } from '../../http/sending.ts'
import { Problem } from '../../problem.ts'
import { BuiltJson } from '../../resource.ts'
import { type Context, holdAnswer, type Services, type Stage } from '../context.ts'
import { type RouteOf, toCall } from '../route.ts'

/** Bytes of memory that a report counts for while it is made and sent: rows that were read, and pieces of its text. */
const REPORT = 2 * 1024 * 1024

export function answerRead(services: Services, route: RouteOf<'read'>): Stage {
  return async context => {
    const { received, holding } = context.state
    // One after another, so that each of many large reads counts the others.
    const json = await readerFor(services, context).read(async tx => {
      const result = await route.handle(tx, toCall(received))
      return holdAnswer(holding, jsonOf(result))
    })
    answerJson(context, route.answer.status, json)
  }
}

export function answerSearch(services: Services, route: RouteOf<'search'>): Stage {
  return async context => {
    const { received, holding } = context.state
    const result = await route.handle(readerFor(services, context), toCall(received))
    answerJson(context, route.answer.status, holdAnswer(holding, jsonOf(result)))
  }
}

export function answerReport(services: Services, route: RouteOf<'report'>): Stage {
  return async context => {
    const { requestId, received, holding } = context.state
    holding.keep('answer', REPORT)
    const report = await route.handle(readerFor(services, context), toCall(received))
    if ('json' in report) {
      return answerJson(context, route.answer.status, holdAnswer(holding, JSON.stringify(report.json)))
    }
    context.status = route.answer.status
    context.type = report.type
    if (report.fileName !== undefined) context.attachment(report.fileName)
    context.body = streamOf(context.res, report.chunks, error => {
      if (context.res.destroyed) return
      services.log.error({ err: error, request_id: requestId }, 'a report broke off')
    })
  }
}

/** Nothing is read for a client that has gone, even if it went while it waited its turn. */
function readerFor({ db }: Services, { res }: Context): Reader {
  const refuseGone = () => {
    if (res.destroyed) throw new Problem('unavailable')
  }
  return {
    read: async work => {
      refuseGone()
      return db.read(async tx => {
        refuseGone()
        return work(tx)
      })
    },
  }
}

function jsonOf(result: object): string {
  return result instanceof BuiltJson ? result.json : JSON.stringify(result)
}
