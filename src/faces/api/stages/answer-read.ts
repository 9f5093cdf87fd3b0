import { BuiltJson } from '#base/resource.ts'
import { answerJson } from '#machinery/http/sending.ts'
import { answerStreamed, REPORT, readerFor } from '#machinery/http/streamed.ts'
import { holdAnswer, type Services, type Stage } from '../context.ts'
import { type RouteOf, toCall } from '../route.ts'

export function answerRead(services: Services, route: RouteOf<'read'>): Stage {
  return async context => {
    const { received, holding } = context.state
    // The read waits for its turn, so that each of many large reads counts the memory of the others.
    const json = await readerFor(services.db, context.res).read(context.state.caller.accountId, async tx => {
      const result = await route.handle(tx, toCall(received))
      return holdAnswer(holding, jsonOf(result))
    })
    answerJson(context, route.answer.status, json)
  }
}

export function answerSearch(services: Services, route: RouteOf<'search'>): Stage {
  return async context => {
    const { received, holding } = context.state
    const result = await route.handle(readerFor(services.db, context.res), toCall(received))
    answerJson(context, route.answer.status, holdAnswer(holding, jsonOf(result)))
  }
}

export function answerReport(services: Services, route: RouteOf<'report'>): Stage {
  return async context => {
    const { received, holding } = context.state
    holding.keep('answer', REPORT)
    const report = await route.handle(readerFor(services.db, context.res), toCall(received))
    if ('json' in report) {
      return answerJson(context, route.answer.status, holdAnswer(holding, JSON.stringify(report.json)))
    }
    answerStreamed(context, report, services.log)
  }
}

function jsonOf(result: object): string {
  return result instanceof BuiltJson ? result.json : JSON.stringify(result)
}
