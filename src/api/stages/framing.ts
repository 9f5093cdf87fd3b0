import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import { errorBody, statusOf, toProblem } from '../../http/errors.ts'
import { parseTarget } from '../../http/target.ts'
import { newRequestId } from '../../ids.ts'
import { healthRoute } from '../../ops/health.ts'
import { Problem } from '../../problem.ts'
import { answer, type Services, type Stage, type State } from '../context.ts'
import type { Admission } from './admission.ts'

/** The most that is read and thrown away of a body which was refused, in bytes; then the connection is cut. */
const MAX_DISCARDED = 16 * 1024 * 1024

/** Gives the request its id, and the answer what every answer has. */
export const identify: Stage = (context, next) => {
  const { state } = context
  state.requestId = newRequestId()
  context.set({
    'X-Request-Id': state.requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  return next()
}

/** Says which route it is, for the log and the metrics. */
export function nameRoute(route: State['route']): Stage {
  return (context, next) => {
    context.state.route = route
    return next()
  }
}

/** One line a request: what was asked and how it ended, and nothing of what was in it. */
export function logRequest({ log, observe }: Services): Stage {
  return async (context, next) => {
    const started = performance.now()
    await next()
    const { requestId, route, caller, problem } = context.state
    const { method, status } = context
    const path = route?.path ?? null
    const duration = performance.now() - started
    observe?.({ method, route: path, status, duration })
    // Who watches over the service asks every few seconds, for ever.
    log[route === healthRoute ? 'debug' : 'info']({
      request_id: requestId,
      method,
      route: path,
      status,
      code: problem?.code,
      key_id: caller?.keyId,
      duration_ms: Math.round(duration * 100) / 100,
    })
  }
}

/** Answers what was refused or has failed after it. */
export function answerProblem({ log }: Services, admission: Admission): Stage {
  return async (context, next) => {
    try {
      await next()
    } catch (error) {
      const problem = toProblem(error)
      const { requestId } = context.state
      context.state.problem = problem
      if (problem !== error) log.error({ err: error, request_id: requestId }, 'a request failed')
      if (!context.res.hasHeader('X-RateLimit-Limit')) context.set(admission.headersOfAddress(context.req))
      const status = statusOf(problem)
      if (status === 401) context.set('WWW-Authenticate', 'Bearer')
      // The rate limit knows when; what waits for others to be read does not.
      if ((status === 429 || status === 503) && !context.res.hasHeader('Retry-After'))
        context.set('Retry-After', '1')
      answer(context, status, errorBody(problem, requestId))
      discardRest(context.req)
    }
  }
}

/** Settles what is asked for before anything looks at it. What is no target counts as a path that is none. */
export function readTarget({ limitAddress }: Admission): Stage {
  return (context, next) => {
    const target = parseTarget(context.method, context.url)
    if (target === undefined) {
      return limitAddress(context, async () => {
        throw new Problem('invalid_parameter', {
          message: 'The request target is no path and no http URL.',
        })
      })
    }
    // As a path alone: what reads it from here on would take a URL apart in ways of its own.
    context.url = target.query === '' ? target.path : `${target.path}?${target.query}`
    return next()
  }
}

/** Answers what no route has answered. @throws Problem route_not_found, method_not_allowed */
export function refuseUnknown(router: Router<State>): Stage {
  return async context => {
    const known = router.match(context.path, context.method).path
    if (known.length === 0) throw new Problem('route_not_found')
    context.set('Allow', [...new Set(known.flatMap(layer => layer.methods))].join(', '))
    throw new Problem('method_not_allowed')
  }
}

/** Lets a client that is still sending read its answer: a connection that is closed on unread bytes is reset. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_DISCARDED) request.destroy()
  })
  request.on('error', () => undefined)
  // Who read it before may have paused it, and a listener alone does not set it going again.
  request.resume()
}
