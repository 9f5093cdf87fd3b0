import type { IncomingMessage, RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Allowance } from '../http/rate-limit.ts'
import { healthRoute } from '../ops/health.ts'
import type { PublicRoute, Services, Stage, State } from './context.ts'
import type { Route } from './route.ts'
import { Admission, requireScope } from './stages/admission.ts'
import { answerHealth, answerPublic } from './stages/answer-public.ts'
import { answerRead, answerReport, answerSearch } from './stages/answer-read.ts'
import { answerWrite } from './stages/answer-write.ts'
import {
  answerProblem,
  identify,
  logRequest,
  nameRoute,
  readTarget,
  refuseUnknown,
} from './stages/framing.ts'
import { readInput } from './stages/read-input.ts'

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
  const admission = new Admission(services)
  const router = new Router<State>({ sensitive: true, strict: true })
  for (const route of routes) {
    router.register(
      VERSION + route.path.replace(/\{(\w+)\}/g, ':$1'),
      [route.method],
      [
        nameRoute(route),
        admission.authenticate,
        admission.limitKey,
        requireScope(route),
        readInput(services, route),
        answerFor(services, route),
      ],
    )
  }
  for (const route of publicRoutes) {
    router.register(
      VERSION + route.path,
      ['GET'],
      [nameRoute(route), admission.limitAddress, answerPublic(route)],
    )
  }
  router.register(
    healthRoute.path,
    ['GET'],
    [nameRoute(healthRoute), admission.limitHealth, answerHealth(services)],
  )

  const koa = new Koa<State>()
  koa.silent = true
  koa
    .use(identify)
    .use(logRequest(services))
    .use(answerProblem(services, admission))
    .use(readTarget(admission))
    .use(router.routes())
    .use(admission.limitAddress)
    .use(refuseUnknown(router))
  return {
    listener: koa.callback(),
    rateLimitHeaders: request => admission.headersOfAddress(request),
    count: request => admission.countAddress(request),
  }
}

function answerFor(services: Services, route: Route): Stage {
  switch (route.kind) {
    case 'read':
      return answerRead(services, route)
    case 'search':
      return answerSearch(services, route)
    case 'report':
      return answerReport(services, route)
    case 'write':
      return answerWrite(services, route)
  }
}
