import type { IncomingMessage, RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Allowance } from '../http/rate-limit.ts'
import { healthRoute } from '../ops/health.ts'
import type { PublicRoute, Services, State } from './context.ts'
import type { Route } from './route.ts'
import { admissionStages } from './stages/admission.ts'
import { answeringStages } from './stages/answering.ts'
import { framingStages } from './stages/framing.ts'

const VERSION = '/v1'

export interface Pipeline {
  listener: RequestListener
  /** The headers of an answer that is given before there is a whole request. */
  rateLimitHeaders: (request: IncomingMessage) => Record<string, string>
  /** Counts what is no request against its address. */
  count: (request: IncomingMessage) => Allowance
}

/** The way of a request, from its id to its answer: each stage in the order of the decisions. */
export function buildPipeline(
  services: Services,
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): Pipeline {
  const admission = admissionStages(services)
  const framing = framingStages(services, admission)
  const answering = answeringStages(services)

  const router = new Router<State>({ sensitive: true, strict: true })
  for (const route of routes) {
    router.register(
      VERSION + route.path.replace('{id}', ':id'),
      [route.method],
      [
        answering.nameRoute(route),
        admission.authenticate,
        admission.limitKey,
        admission.requireScope(route),
        answering.readInput(route),
        answering.answerFor(route),
      ],
    )
  }
  for (const route of publicRoutes) {
    router.register(
      VERSION + route.path,
      ['GET'],
      [answering.nameRoute(route), admission.limitAddress, answering.answerPublic(route)],
    )
  }
  router.register(
    healthRoute.path,
    ['GET'],
    [answering.nameRoute(healthRoute), admission.limitHealth, answering.answerHealth],
  )

  const koa = new Koa<State>()
  koa.silent = true
  koa
    .use(framing.identify)
    .use(framing.logRequest)
    .use(framing.answerProblem)
    .use(framing.readTarget)
    .use(router.routes())
    .use(admission.limitAddress)
    .use(answering.refuseUnknown(router))
  return {
    listener: koa.callback(),
    rateLimitHeaders: admission.headersOfAddress,
    count: admission.countAddress,
  }
}
